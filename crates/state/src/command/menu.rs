//! The macro that defines a menu and its commands.

/// Defines a menu with its commands in groups. A row consists of the identifier, the name in the
/// menu, the shortcuts, the help and methods of [`super::CommandInfo`]: `when`, `on`, `titled`,
/// `repeats`, `opens_field` and `icon` if they apply, and the effect as `run`, `change` or
/// `setting`. `..Group` inserts the commands of a group of [`rigscope_core::visual::SHOW`], and
/// `*SLICE` other commands.
macro_rules! commands {
    ($menu:ident: $({ $(
        $(..$shown:ident)?
        $(*$rows:ident)?
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
                $(super::display_options::rows(rigscope_core::visual::ShowGroup::$shown))?
                $($rows)?
                $(&[$crate::Command::$id])?
            ),+]),+],
        };
    };
}
pub(super) use commands;
