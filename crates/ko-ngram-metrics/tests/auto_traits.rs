//! Everything public can be shared between threads.

use ko_ngram_metrics::*;

fn is_shared<T: Send + Sync + Unpin + 'static>() {}

#[test]
fn public_types_are_send_and_sync() {
    is_shared::<Bleu>();
    is_shared::<bleu::BleuBuilder>();
    is_shared::<bleu::BleuStats>();
    is_shared::<bleu::EffectiveOrder>();
    is_shared::<bleu::Smoothing>();
    is_shared::<Case>();
    is_shared::<Chrf>();
    is_shared::<chrf::ChrfBuilder>();
    is_shared::<chrf::ChrfStats>();
    is_shared::<chrf::Missing>();
    is_shared::<chrf::WhiteSpace>();
    is_shared::<Gleu>();
    is_shared::<gleu::GleuBuilder>();
    is_shared::<gleu::GleuStats>();
    is_shared::<Meteor>();
    is_shared::<meteor::MeteorBuilder>();
    is_shared::<Nist>();
    is_shared::<nist::NistStats>();
    is_shared::<NltkBleu>();
    is_shared::<nltk_bleu::Context>();
    is_shared::<nltk_bleu::NltkBleuBuilder>();
    is_shared::<nltk_bleu::NltkBleuStats>();
    is_shared::<nltk_bleu::Smoothing>();
    is_shared::<Rouge>();
    is_shared::<rouge::Measure>();
    is_shared::<rouge::RougeStats>();
    is_shared::<rouge::Variant>();
}
