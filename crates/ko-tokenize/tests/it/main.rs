//! Golden values of every unit, and what none of them may do.

#[cfg(unix)]
mod bridge;
#[cfg(feature = "morpheme")]
mod dictionary;
#[cfg(feature = "embedded-dictionary")]
mod embedded_dictionary;
#[cfg(all(feature = "kiwi", feature = "jvm"))]
mod golden_analyzers;
#[cfg(feature = "morpheme")]
mod golden_mecab;
mod golden_sacrebleu;
#[cfg(feature = "jvm")]
mod java_memory;
#[cfg(feature = "khaiii")]
mod khaiii;
#[cfg(feature = "kiwi")]
mod kiwi_faults;
mod schemes;
#[cfg(feature = "sentencepiece")]
mod sentencepiece;
#[cfg(feature = "morpheme")]
mod small;
#[cfg(feature = "subword")]
mod subword;
