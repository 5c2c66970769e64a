//! Enumerations whose values have a name on the command line and in files.

/// Declares such an enumeration: `ALL`, `as_str`, `Display`, `FromStr`, and serde by name.
macro_rules! words_enum {
    (
        $(#[$doc:meta])*
        pub enum $name:ident ($kind:literal) { $($(#[$value_doc:meta])* $value:ident $word:literal,)* }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$value_doc])* #[serde(rename = $word)] $value,)* }

        impl $name {
            /// Every value.
            pub const ALL: &[$name] = &[$($name::$value,)*];

            /// The name, as one writes it.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$value => $word,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = ko_eval_core::Error;

            fn from_str(name: &str) -> ko_eval_core::Result<Self> {
                let value = $name::ALL.iter().find(|value| value.as_str() == name);
                value.copied().ok_or_else(|| ko_eval_core::Error::UnknownName {
                    kind: $kind,
                    name: name.to_owned(),
                    known: $name::ALL.iter().map(|v| v.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub(crate) use words_enum;
