//! Compares structs in shaders with their Rust counterparts, for tests.

use wgpu::naga;

use rigscope_shaders::ShaderSource;

/// The shader as parsed by naga.
pub(super) fn parsed(shader: &ShaderSource) -> naga::Module {
    naga::front::wgsl::parse_str(shader.text)
        .unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.text)))
}

/// Compares the size and offsets of a WGSL struct with its Rust counterpart.
macro_rules! same_layout {
    ($shader:expr, $ty:ident { $($field:ident),+ $(,)? }) => {{
        let module = $crate::same_layout::parsed(&$shader);
        let (_, found) = module
            .types
            .iter()
            .find(|(_, ty)| ty.name.as_deref() == Some(stringify!($ty)))
            .unwrap_or_else(|| panic!("{} has no {}", $shader.name, stringify!($ty)));
        let wgpu::naga::TypeInner::Struct { members, span } = &found.inner else {
            panic!("{} is not a struct", stringify!($ty));
        };
        assert_eq!(*span as usize, std::mem::size_of::<$ty>(), "size of {}", stringify!($ty));
        let wgsl: Vec<_> = members
            .iter()
            .map(|m| (m.name.as_deref().unwrap(), m.offset as usize))
            .collect();
        let rust = [$((stringify!($field), std::mem::offset_of!($ty, $field))),+];
        assert_eq!(wgsl, rust, "members of {}", stringify!($ty));
    }};
}
pub(super) use same_layout;
