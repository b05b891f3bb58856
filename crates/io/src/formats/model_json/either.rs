//! Values of two forms, parsed without an intermediate copy, which would take many times the memory of the text.

/// Declares a value that is one of two forms of JSON.
macro_rules! either {
    ($type:ident, $expected:literal, $($visit:tt)+) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Either;

                impl<'de> serde::de::Visitor<'de> for Either {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expected)
                    }

                    $($visit)+
                }

                deserializer.deserialize_any(Either)
            }
        }
    };
}

pub(super) use either;
