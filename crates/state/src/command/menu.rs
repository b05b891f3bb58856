//! How a menu and the rows of its commands are written.

/// A menu and its commands, in groups. A row is the command's name in the code, its name in the
/// menu, its keys, its help, then the words of [`super::CommandInfo`]: `when`, `on`, `titled`, `repeats`,
/// `opens_field` and `icon` where they apply, and what it does as `run`, `change` or `setting`. `..Group` is the commands of a
/// group of [`rigscope_core::visual::SHOW`].
macro_rules! commands {
    ($menu:ident: $({ $(
        $(..$shown:ident)?
        $($id:ident $name:literal $([$($key:literal),+])? $help:literal
            $(, $word:ident $value:expr)*)?;
    )+ })+) => {
        #[expect(non_upper_case_globals, reason = "they read as the variants of an enum")]
        impl $crate::Command {
            $($($(
            #[doc = $help]
            pub const $id: Self = {
                const ROW: &$crate::CommandInfo = &$crate::CommandInfo::new(
                    stringify!($menu), $name, &[$($($key),+)?], $help,
                )$(.$word($value))*;
                Self(ROW)
            };)?)+)+
        }

        pub(super) const MENU: super::Menu = super::Menu {
            name: stringify!($menu),
            groups: &[$(&[$(
                $(super::shown::rows(rigscope_core::visual::ShowGroup::$shown))?
                $(&[$crate::Command::$id])?
            ),+]),+],
        };
    };
}
pub(super) use commands;
