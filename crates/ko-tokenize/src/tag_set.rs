//! The tag sets of analyzers that do not write Sejong's, as tables to Sejong's.
//!
//! A [`Morpheme`](crate::Morpheme) keeps the tag that its analyzer wrote. To compare analyzers, or to look for nouns
//! whoever found them, ask the analyzer's tag set what the tag is in Sejong's. A coarse tag, such as Okt's `Josa` for
//! every particle, becomes the one of Sejong's under it that is most frequent in running text.
//!
//! ```
//! use ko_tokenize::{Tag, tag_set};
//! assert_eq!(tag_set::KHAIII.sejong("SWK"), Some(Tag::Sw));
//! assert_eq!(tag_set::KHAIII.sejong("NNG"), Some(Tag::Nng));
//! assert_eq!(tag_set::SEJONG.sejong("Noun"), None);
//! ```

use crate::Tag;

/// A tag set: what each tag that is not Sejong's own is in Sejong's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagSet {
    /// Whose it is.
    pub name: &'static str,
    /// Every tag that is written, with a space between two.
    pub tags: &'static str,
    /// Tags that Sejong's set does not have, or has with another meaning.
    pub rows: &'static [(&'static str, Tag)],
}

impl TagSet {
    /// The Sejong tag nearest to one of this set; `None` for a text that is no tag of either.
    pub fn sejong(&self, tag: &str) -> Option<Tag> {
        let row = self.rows.iter().find(|(name, _)| *name == tag);
        row.map(|&(_, sejong)| sejong).or_else(|| tag.parse().ok())
    }
}

/// Every tag set, Sejong's first.
pub const ALL: &[TagSet] = &[SEJONG, KHAIII, KIWI, KOMORAN, OKT, HANNANUM, HANNANUM_22, KKMA];

/// The Sejong tag of a tag whose set is not known: that of the first of [`ALL`] which has it.
pub fn any_sejong(tag: &str) -> Option<Tag> {
    ALL.iter().find_map(|set| set.sejong(tag))
}

/// Sejong's own, with mecab-ko-dic's additions.
pub const SEJONG: TagSet = TagSet {
    name: "Sejong",
    tags: "NNG NNP NNB NNBC NR NP VV VA VX VCP VCN MM MAG MAJ IC JKS JKC JKG JKO JKB JKV JKQ JX JC EP EF EC ETN \
           ETM XPN XSN XSV XSA XR SF SE SS SSO SSC SP SC SO SW SY SL SH SN NF NV NA",
    rows: &[],
};

/// Khaiii's: it tells single jamo from other symbols, and three kinds of what it could not analyse.
pub const KHAIII: TagSet = TagSet {
    name: "Khaiii",
    tags: "EC EF EP ETM ETN IC JC JKB JKC JKG JKO JKQ JKS JKV JX MAG MAJ MM NNB NNG NNP NP NR SE SF SH SL SN SO \
           SP SS SW SWK VA VCN VCP VV VX XPN XR XSA XSN XSV ZN ZV ZZ",

    rows: &[("SWK", Tag::Sw), ("ZN", Tag::Nf), ("ZV", Tag::Nv), ("ZZ", Tag::Na)],
};

/// Kiwi's: it marks irregular predicates, splits brackets, tells web addresses and the like from other foreign letters,
/// and has a tag for suffixes that make an adverb, which Sejong's counts with the adverb.
pub const KIWI: TagSet = TagSet {
    name: "Kiwi",
    tags: "NNG NNP NNB NR NP VV VV-I VV-R VA VA-I VA-R VX VX-I VX-R VCP VCN MM MAG MAJ IC JKS JKC JKG JKO JKB \
           JKV JKQ JX JC EP EF EC ETN ETM XPN XSN XSV XSA XSA-I XSA-R XSM XR SF SP SS SSO SSC SE SO SW SB SL SH \
           SN UN W_URL W_EMAIL W_MENTION W_HASHTAG W_SERIAL W_EMOJI Z_CODA Z_SIOT USER0 USER1 USER2 USER3 USER4",

    rows: &[
        ("VV-I", Tag::Vv),
        ("VA-I", Tag::Va),
        ("VX-I", Tag::Vx),
        ("XSA-I", Tag::Xsa),
        // kiwipiepy's way to write that such a predicate is regular.
        ("VV-R", Tag::Vv),
        ("VA-R", Tag::Va),
        ("VX-R", Tag::Vx),
        ("XSA-R", Tag::Xsa),
        ("XSM", Tag::Mag),
        ("SB", Tag::Sw),
        ("W_URL", Tag::Sl),
        ("W_EMAIL", Tag::Sl),
        ("W_MENTION", Tag::Sl),
        ("W_HASHTAG", Tag::Sw),
        ("W_SERIAL", Tag::Sn),
        ("W_EMOJI", Tag::Sw),
        // A coda or an inserted ㅅ that belongs to no word.
        ("Z_CODA", Tag::Na),
        ("Z_SIOT", Tag::Na),
        ("UN", Tag::Na),
        ("USER0", Tag::Na),
        ("USER1", Tag::Na),
        ("USER2", Tag::Na),
        ("USER3", Tag::Na),
        ("USER4", Tag::Na),
    ],
};

/// Komoran's: Sejong's own, with one slip of the pen in its model.
pub const KOMORAN: TagSet = TagSet {
    name: "Komoran",
    tags: "NNG NNP NNB NR NP VV VA VX VCP VCN MM MAG MAJ IC JKS JKC JKG JKO JKB JKV JKQ JX JC EP EF EC ETN ETM \
           XPN XSN XSV XsV XSA XR SF SP SS SE SO SW SL SH SN NF NV NA",
    rows: &[("XsV", Tag::Xsv)],
};

/// Okt's: English words instead of abbreviations, and no endings apart from their predicates.
pub const OKT: TagSet = TagSet {
    name: "Okt",
    tags: "Noun ProperNoun Verb Adjective Adverb Conjunction Determiner Modifier Exclamation Josa PreEomi Eomi \
           VerbPrefix Suffix Alpha Foreign Email URL ScreenName CashTag Number Punctuation Hashtag \
           KoreanParticle Korean Unknown Others",

    rows: &[
        ("Noun", Tag::Nng),
        ("ProperNoun", Tag::Nnp),
        ("Verb", Tag::Vv),
        ("Adjective", Tag::Va),
        ("Adverb", Tag::Mag),
        ("Conjunction", Tag::Maj),
        ("Determiner", Tag::Mm),
        ("Modifier", Tag::Mm),
        ("Exclamation", Tag::Ic),
        ("Josa", Tag::Jkb),
        ("PreEomi", Tag::Ep),
        ("Eomi", Tag::Ec),
        ("VerbPrefix", Tag::Xpn),
        ("Suffix", Tag::Xsn),
        ("Alpha", Tag::Sl),
        ("Foreign", Tag::Sl),
        ("Email", Tag::Sl),
        ("URL", Tag::Sl),
        ("ScreenName", Tag::Sl),
        ("CashTag", Tag::Sl),
        ("Number", Tag::Sn),
        ("Punctuation", Tag::Sf),
        ("Hashtag", Tag::Sw),
        ("KoreanParticle", Tag::Sw),
        ("Korean", Tag::Na),
        ("Unknown", Tag::Na),
        ("Others", Tag::Na),
    ],
};

/// Hannanum's nine tags. It counts the copula 이다 among the particles.
pub const HANNANUM: TagSet = TagSet {
    name: "Hannanum",
    tags: "N P M I J E X S F",

    rows: &[
        ("N", Tag::Nng),
        ("P", Tag::Vv),
        ("M", Tag::Mag),
        ("I", Tag::Ic),
        ("J", Tag::Jkb),
        ("E", Tag::Ec),
        ("X", Tag::Xsv),
        ("S", Tag::Sf),
        ("F", Tag::Sl),
    ],
};

/// Hannanum's twenty-two, of which one is for symbols and comes in eight kinds. `JC` is a case particle here, `NN` a numeral, `SL` an
/// opening bracket, and the copula 이다 has the tag `JP`.
pub const HANNANUM_22: TagSet = TagSet {
    name: "Hannanum, 22 tags",
    tags: "NC NQ NB NN NP PV PA PX MM MA II JC JX JP EP EC ET EF XP XS SF SP SL SR SD SE SU SY F",
    rows: &[
        ("NC", Tag::Nng),
        ("NQ", Tag::Nnp),
        ("NB", Tag::Nnb),
        ("NN", Tag::Nr),
        ("PV", Tag::Vv),
        ("PA", Tag::Va),
        ("PX", Tag::Vx),
        ("MA", Tag::Mag),
        ("II", Tag::Ic),
        ("JC", Tag::Jkb),
        ("JP", Tag::Vcp),
        ("ET", Tag::Etm),
        ("XP", Tag::Xpn),
        ("XS", Tag::Xsv),
        ("SL", Tag::Sso),
        ("SR", Tag::Ssc),
        ("SD", Tag::So),
        ("SU", Tag::Sw),
        ("F", Tag::Sl),
    ],
};

/// Kkma's: endings and auxiliaries by their kind, and foreign letters as `O…`.
pub const KKMA: TagSet = TagSet {
    name: "Kkma",
    tags: "NN NNG NNP NNB NNM NR NP VV VA VX VXV VXA VC VCP VCN MD MDT MDN MA MAG MAC IC JK JKS JKC JKG JKO JKM \
           JKI JKQ JX JC EPH EPT EPP EFN EFQ EFO EFA EFI EFR ECE ECD ECS ET ETN ETD XP XPN XPV XSN XSV XSA XSM \
           XSO XR SF SP SS SE SO SW UN UV UE OL OH ON EMO",

    rows: &[
        ("NN", Tag::Nng),
        ("NNM", Tag::Nnbc),
        ("VXV", Tag::Vx),
        ("VXA", Tag::Vx),
        ("VC", Tag::Vcp),
        ("MD", Tag::Mm),
        ("MDT", Tag::Mm),
        ("MDN", Tag::Mm),
        ("MA", Tag::Mag),
        ("MAC", Tag::Maj),
        ("JK", Tag::Jkb),
        ("JKM", Tag::Jkb),
        ("JKI", Tag::Jkv),
        ("EPH", Tag::Ep),
        ("EPT", Tag::Ep),
        ("EPP", Tag::Ep),
        ("EFN", Tag::Ef),
        ("EFQ", Tag::Ef),
        ("EFO", Tag::Ef),
        ("EFA", Tag::Ef),
        ("EFI", Tag::Ef),
        ("EFR", Tag::Ef),
        ("ECE", Tag::Ec),
        ("ECD", Tag::Ec),
        ("ECS", Tag::Ec),
        ("ET", Tag::Etm),
        ("ETD", Tag::Etm),
        ("XP", Tag::Xpn),
        ("XPV", Tag::Xpn),
        ("XSM", Tag::Mag),
        ("XSO", Tag::Xsn),
        ("OL", Tag::Sl),
        ("OH", Tag::Sh),
        ("ON", Tag::Sn),
        ("EMO", Tag::Sw),
        ("UN", Tag::Nf),
        ("UV", Tag::Nv),
        ("UE", Tag::Na),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_of_every_tool_is_one_of_sejongs() {
        for set in ALL {
            for tag in set.tags.split_whitespace() {
                assert!(set.sejong(tag).is_some(), "{}: {tag}", set.name);
            }
            assert_eq!(set.sejong("no tag"), None);
        }
    }

    #[test]
    fn no_row_is_written_twice_or_for_nothing() {
        for set in ALL {
            for (number, (tag, sejong)) in set.rows.iter().enumerate() {
                let again = set.rows.iter().skip(number + 1).any(|(other, _)| other == tag);
                assert!(!again, "{}: {tag} twice", set.name);
                assert_ne!(tag.parse(), Ok(*sejong), "{}: {tag} is Sejong's", set.name);
                let is_written = set.tags.split_whitespace().any(|written| written == *tag);
                assert!(is_written, "{}: {tag} is not among the tags", set.name);
            }
        }
    }
}
