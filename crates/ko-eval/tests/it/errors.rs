//! `?` works in a function that returns the facade's result, whichever crate's error it meets.

#[allow(dead_code, reason = "there may be no feature that calls it")]
fn converts<E: Into<ko_eval::Error> + std::error::Error + Send + Sync + 'static>() {}

#[test]
fn every_error_of_ours_becomes_the_facades() {
    #[cfg(feature = "tokenize")]
    {
        converts::<ko_eval::tokenize::Error>();
        converts::<ko_eval::tokenize::BridgeError>();
    }
    #[cfg(feature = "morpheme")]
    converts::<ko_eval::tokenize::morpheme::DictionaryError>();
    #[cfg(feature = "khaiii")]
    converts::<ko_eval::tokenize::khaiii::KhaiiiError>();
    #[cfg(feature = "kiwi")]
    converts::<ko_eval::tokenize::kiwi::KiwiError>();
    #[cfg(feature = "jvm")]
    converts::<ko_eval::tokenize::jvm::JvmError>();
    #[cfg(feature = "subword")]
    converts::<ko_eval::tokenize::subword::SubwordError>();
    #[cfg(feature = "meta")]
    converts::<ko_eval::meta::Error>();
    #[cfg(feature = "commongen")]
    converts::<ko_eval::commongen::Error>();
    #[cfg(feature = "probe")]
    converts::<ko_eval::probe::Error>();
    #[cfg(feature = "neural")]
    converts::<ko_eval::neural::Error>();
}

#[cfg(feature = "meta")]
#[test]
fn the_message_is_said_once() {
    use std::error::Error as _;

    let cause = ko_eval::meta::Correlation::Pearson.of(&[1.0, 1.0], &[1.0, 2.0]).unwrap_err();
    let text = cause.to_string();
    let error = ko_eval::Error::from(cause);
    assert_eq!(error.to_string(), text);
    assert!(error.source().is_none_or(|source| source.to_string() != text), "{text} twice");
}
