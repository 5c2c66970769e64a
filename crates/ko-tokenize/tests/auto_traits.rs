//! Every public type may cross threads.

use ko_tokenize::{
    Bridge, BridgeError, Character, Jamo, Morpheme, MorphemeAnalyzer, Normalization, Pretokenized,
    Tag, UnitEntry, Word, jamo, tag,
};

fn shared<T: Send + Sync + ?Sized>() {}

#[test]
fn types_are_send_and_sync() {
    shared::<Bridge>();
    shared::<BridgeError>();
    shared::<Character>();
    shared::<Jamo>();
    shared::<Morpheme<'_>>();
    shared::<Normalization>();
    shared::<Pretokenized>();
    shared::<Tag>();
    shared::<UnitEntry>();
    shared::<Word>();
    shared::<jamo::Letter>();
    shared::<tag::UnknownTag>();
    shared::<dyn MorphemeAnalyzer>();
}

#[cfg(feature = "morpheme")]
#[test]
fn types_of_morphemes_are_send_and_sync() {
    use ko_tokenize::morpheme::{Dictionary, DictionaryError, LinderaKo, MecabKo, UserDictionary};
    shared::<Dictionary>();
    shared::<DictionaryError>();
    shared::<LinderaKo>();
    shared::<MecabKo>();
    shared::<UserDictionary>();
}

#[cfg(feature = "khaiii")]
#[test]
fn types_of_khaiii_are_send_and_sync() {
    use ko_tokenize::khaiii::{Khaiii, KhaiiiBuilder, KhaiiiError, Resource};
    shared::<Khaiii>();
    shared::<KhaiiiBuilder>();
    shared::<KhaiiiError>();
    shared::<Resource>();
}

#[cfg(feature = "kiwi")]
#[test]
fn types_of_kiwi_are_send_and_sync() {
    use ko_tokenize::kiwi::{Kiwi, KiwiBuilder, KiwiError};
    shared::<Kiwi>();
    shared::<KiwiBuilder>();
    shared::<KiwiError>();
}

#[cfg(feature = "jvm")]
#[test]
fn types_of_the_bridge_to_java_are_send_and_sync() {
    use ko_tokenize::jvm::{JvmAnalyzer, JvmError, Tool};
    shared::<JvmAnalyzer>();
    shared::<JvmError>();
    shared::<Tool>();
}

#[cfg(feature = "subword")]
#[test]
fn types_of_subwords_are_send_and_sync() {
    use ko_tokenize::subword::{Subword, Training};
    shared::<Subword>();
    shared::<Training>();
}
