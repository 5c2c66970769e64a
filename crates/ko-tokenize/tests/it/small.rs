//! A dictionary of a few words in the form that MeCab compiles, written by us: what tests may damage.

use std::{collections::BTreeMap, fs, ops::RangeInclusive, path::Path};

/// Surface, left and right id, part-of-speech number, cost, features.
type Row = (&'static str, u16, u16, u16, i16, &'static str);

const WORDS: &[Row] = &[
    ("나", 1, 1, 1, 1000, "NP,*,F,나,*,*,*,*"),
    ("나", 2, 2, 1, 3000, "NNG,*,F,나,*,*,*,*"),
    ("나는", 3, 4, 1, 2500, "VV+ETM,*,T,나는,Inflect,VV,ETM,날/VV/*+는/ETM/*"),
    ("는", 4, 4, 2, 500, "JX,*,T,는,*,*,*,*"),
    ("밥", 2, 2, 1, 1200, "NNG,*,T,밥,*,*,*,*"),
    ("을", 4, 4, 2, 400, "JKO,*,T,을,*,*,*,*"),
    ("했", 3, 3, 1, 900, "VV+EP,*,T,했,Inflect,VV,EP,하/VV/*+았/EP/*"),
    ("먹", 3, 3, 1, 800, "VV,*,T,먹,*,*,*,*"),
    ("었", 5, 5, 2, 300, "EP,*,T,었,*,*,*,*"),
    ("다", 5, 6, 2, 300, "EF,*,F,다,*,*,*,*"),
    (".", 6, 6, 3, 100, "SF,*,*,*,*,*,*,*"),
    ("새 ", 2, 2, 1, 2000, "MM,*,F,새,*,*,*,*"),
    ("😀", 6, 6, 3, 100, "SY,*,*,*,*,*,*,*"),
];

const UNKNOWN: &[Row] = &[
    ("DEFAULT", 6, 6, 3, 3000, "SY,*,*,*,*,*,*,*"),
    ("HANGUL", 2, 2, 1, 4000, "UNKNOWN,*,*,*,*,*,*,*"),
    ("ALPHA", 6, 6, 3, 2000, "SL,*,*,*,*,*,*,*"),
    ("ALPHA", 2, 2, 1, 2600, "NNG,*,*,*,*,*,*,*"),
    ("SPACE", 6, 6, 3, 2500, "SP,*,*,*,*,*,*,*"),
];

/// Name, code points, and whether unknown words are always tried, grouped, and how long they are.
type Category = (&'static str, &'static [RangeInclusive<u32>], u32, u32, u32);

const CATEGORIES: &[Category] = &[
    ("DEFAULT", &[], 0, 1, 0),
    ("SPACE", &[0x20..=0x20, 0x09..=0x0d], 0, 1, 0),
    ("HANGUL", &[0xac00..=0xd7a3], 0, 1, 2),
    ("ALPHA", &[0x41..=0x5a, 0x61..=0x7a], 1, 1, 0),
];

const IDS: u16 = 8;

/// Texts that meet every part of the dictionary.
pub(crate) const TEXTS: &[&str] = &[
    "나는 밥을 먹었다.",
    "나는밥을했다. 새 밥 는",
    "새로운 ABC를 했다 😀 漢字 🎉",
    " \t나\n",
    "",
    "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허 xyzXYZ",
];

/// Writes `sys.dic`, `unk.dic`, `matrix.bin`, `char.bin` and `dicrc`.
pub(crate) fn write(folder: &Path) {
    let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    put("sys.dic", &lexicon(WORDS));
    put("unk.dic", &lexicon(UNKNOWN));
    put("matrix.bin", &matrix());
    put("char.bin", &characters());
    put("dicrc", b"cost-factor = 800\nleft-space-penalty-factor = 2,3000,3,500\n");
}

fn lexicon(rows: &[Row]) -> Vec<u8> {
    let mut by_surface: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_surface.entry(row.0).or_default().push(row);
    }
    let (mut tokens, mut features, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (surface, rows) in by_surface {
        values.push((surface, tokens.len() / 16 * 256 + rows.len()));
        for (_, left, right, pos, cost, text) in rows {
            for number in [*left, *right, *pos, cost.cast_unsigned()] {
                tokens.extend(number.to_le_bytes());
            }
            tokens.extend((features.len() as u32).to_le_bytes());
            tokens.extend(0u32.to_le_bytes());
            features.extend(text.bytes().chain([0]));
        }
    }
    let array = double_array(&values);
    let parts = [array.len(), tokens.len(), features.len(), 0].map(|n| n as u32);
    let size = 72 + (parts[0] + parts[1] + parts[2]);
    let ids = u32::from(IDS);
    let mut file = Vec::new();
    for number in [size ^ 0xef71_8f77, 102, 0, rows.len() as u32, ids, ids].iter().chain(&parts) {
        file.extend(number.to_le_bytes());
    }
    let mut charset = b"UTF-8".to_vec();
    charset.resize(32, 0);
    [file, charset, array, tokens, features].concat()
}

/// MeCab's double array, without any thrift: every place of the tree has room of its own.
fn double_array(values: &[(&str, usize)]) -> Vec<u8> {
    let mut places: BTreeMap<&[u8], u32> = BTreeMap::new();
    for (surface, _) in values {
        for end in 0..=surface.len() {
            let next = 1 + 257 * places.len() as u32;
            places.entry(&surface.as_bytes()[..end]).or_insert(next);
        }
    }
    let mut units = vec![[0u32; 2]; 257 * (places.len() + 1) + 1];
    for (key, base) in &places {
        match key.split_last() {
            None => units[0][0] = *base,
            Some((byte, before)) => {
                units[(places[before] + u32::from(*byte) + 1) as usize] = [*base, places[before]];
            }
        }
    }
    for (surface, value) in values {
        let base = places[surface.as_bytes()];
        units[base as usize] = [(-(*value as i32) - 1).cast_unsigned(), base];
    }
    units.iter().flatten().flat_map(|number| number.to_le_bytes()).collect()
}

fn matrix() -> Vec<u8> {
    let mut file = [IDS.to_le_bytes(), IDS.to_le_bytes()].concat();
    for left in 0..i32::from(IDS) {
        for right in 0..i32::from(IDS) {
            // Ids 6 and 7 connect alike, so that there is something to merge.
            let (left, right) = (left.min(6), right.min(6));
            file.extend(((left * 37 + right * 101) as i16 % 400 - 200).to_le_bytes());
        }
    }
    file
}

fn characters() -> Vec<u8> {
    let mut file = (CATEGORIES.len() as u32).to_le_bytes().to_vec();
    for (name, ..) in CATEGORIES {
        let mut name = name.as_bytes().to_vec();
        name.resize(32, 0);
        file.extend(name);
    }
    for code in 0..0xffff {
        let holds = |ranges: &[RangeInclusive<u32>]| ranges.iter().any(|r| r.contains(&code));
        let category = CATEGORIES.iter().position(|(_, ranges, ..)| holds(ranges)).unwrap_or(0);
        let (_, _, invoke, group, length) = CATEGORIES[category];
        let info =
            1 << category | (category as u32) << 18 | length << 26 | group << 30 | invoke << 31;
        file.extend(info.to_le_bytes());
    }
    file
}
