//! The structures of a Parquet file, as the format defines them: what its footer, its pages and its indexes hold.

use super::thrift::{
    Kind::{Byte, Double, Flag, List, Number, Structure, Text},
    Shape,
};

pub(super) const FILE: Shape = Shape {
    name: "file",
    fields: &[
        (1, Number),
        (2, List(&Structure(&COLUMN))),
        (3, Number),
        (4, List(&Structure(&GROUP))),
        (5, List(&Structure(&PAIR))),
        (6, Text),
        (7, List(&Structure(&ORDER))),
        (8, Structure(&CIPHER)),
        (9, Text),
    ],
};
const COLUMN: Shape = Shape {
    name: "column",
    fields: &[
        (1, Number),
        (2, Number),
        (3, Number),
        (4, Text),
        (5, Number),
        (6, Number),
        (7, Number),
        (8, Number),
        (9, Number),
        (10, Structure(&MEANING)),
    ],
};
const NOTHING: Shape = Shape { name: "mark", fields: &[] };
const MEANING: Shape = Shape {
    name: "meaning",
    fields: &[
        (1, Structure(&NOTHING)),
        (2, Structure(&NOTHING)),
        (3, Structure(&NOTHING)),
        (4, Structure(&NOTHING)),
        (5, Structure(&Shape { name: "decimal", fields: &[(1, Number), (2, Number)] })),
        (6, Structure(&NOTHING)),
        (7, Structure(&TIME)),
        (8, Structure(&TIME)),
        (10, Structure(&Shape { name: "integer", fields: &[(1, Byte), (2, Flag)] })),
        (11, Structure(&NOTHING)),
        (12, Structure(&NOTHING)),
        (13, Structure(&NOTHING)),
        (14, Structure(&NOTHING)),
        (15, Structure(&NOTHING)),
        (16, Structure(&Shape { name: "variant", fields: &[(1, Byte)] })),
        (17, Structure(&Shape { name: "geometry", fields: &[(1, Text)] })),
        (18, Structure(&Shape { name: "geography", fields: &[(1, Text), (2, Number)] })),
    ],
};
const TIME: Shape = Shape { name: "time", fields: &[(1, Flag), (2, Structure(&UNIT))] };
const UNIT: Shape = Shape {
    name: "unit",
    fields: &[(1, Structure(&NOTHING)), (2, Structure(&NOTHING)), (3, Structure(&NOTHING))],
};
const GROUP: Shape = Shape {
    name: "row group",
    fields: &[
        (1, List(&Structure(&CHUNK))),
        (2, Number),
        (3, Number),
        (4, List(&Structure(&SORTED))),
        (5, Number),
        (6, Number),
        (7, Number),
    ],
};
const SORTED: Shape = Shape { name: "sorted column", fields: &[(1, Number), (2, Flag), (3, Flag)] };
const PAIR: Shape = Shape { name: "pair", fields: &[(1, Text), (2, Text)] };
const ORDER: Shape =
    Shape { name: "order", fields: &[(1, Structure(&NOTHING)), (2, Structure(&NOTHING))] };
const CIPHER: Shape =
    Shape { name: "cipher", fields: &[(1, Structure(&KEY)), (2, Structure(&KEY))] };
const KEY: Shape = Shape { name: "key", fields: &[(1, Text), (2, Text), (3, Flag)] };
const CHUNK: Shape = Shape {
    name: "chunk",
    fields: &[
        (1, Text),
        (2, Number),
        (3, Structure(&DESCRIPTION)),
        (4, Number),
        (5, Number),
        (6, Number),
        (7, Number),
        (8, Structure(&CHUNK_CIPHER)),
        (9, Text),
    ],
};
const CHUNK_CIPHER: Shape = Shape {
    name: "cipher",
    fields: &[
        (1, Structure(&NOTHING)),
        (2, Structure(&Shape { name: "key", fields: &[(1, List(&Text)), (2, Text)] })),
    ],
};
const DESCRIPTION: Shape = Shape {
    name: "chunk's description",
    fields: &[
        (1, Number),
        (2, List(&Number)),
        (3, List(&Text)),
        (4, Number),
        (5, Number),
        (6, Number),
        (7, Number),
        (8, List(&Structure(&PAIR))),
        (9, Number),
        (10, Number),
        (11, Number),
        (12, Structure(&STATISTICS)),
        (13, List(&Structure(&PAGE_KINDS))),
        (14, Number),
        (15, Number),
        (16, Structure(&SIZES)),
        (17, Structure(&SPACE)),
    ],
};
const PAGE_KINDS: Shape =
    Shape { name: "count of pages", fields: &[(1, Number), (2, Number), (3, Number)] };
const SIZES: Shape =
    Shape { name: "sizes", fields: &[(1, Number), (2, List(&Number)), (3, List(&Number))] };
const SPACE: Shape = Shape {
    name: "space",
    fields: &[
        (
            1,
            Structure(&Shape {
                name: "box",
                fields: &[
                    (1, Double),
                    (2, Double),
                    (3, Double),
                    (4, Double),
                    (5, Double),
                    (6, Double),
                    (7, Double),
                    (8, Double),
                ],
            }),
        ),
        (2, List(&Number)),
    ],
};
const STATISTICS: Shape = Shape {
    name: "statistics",
    fields: &[
        (1, Text),
        (2, Text),
        (3, Number),
        (4, Number),
        (5, Text),
        (6, Text),
        (7, Flag),
        (8, Flag),
        (9, Number),
    ],
};
pub(super) const PAGE: Shape = Shape {
    name: "page",
    fields: &[
        (1, Number),
        (2, Number),
        (3, Number),
        (4, Number),
        (5, Structure(&DATA)),
        (6, Structure(&NOTHING)),
        (7, Structure(&DICTIONARY)),
        (8, Structure(&DATA_2)),
    ],
};
const DATA: Shape = Shape {
    name: "page of data",
    fields: &[(1, Number), (2, Number), (3, Number), (4, Number), (5, Structure(&STATISTICS))],
};
const DICTIONARY: Shape =
    Shape { name: "dictionary", fields: &[(1, Number), (2, Number), (3, Flag)] };
const DATA_2: Shape = Shape {
    name: "page of data, version 2",
    fields: &[
        (1, Number),
        (2, Number),
        (3, Number),
        (4, Number),
        (5, Number),
        (6, Number),
        (7, Flag),
        (8, Structure(&STATISTICS)),
    ],
};
pub(super) const PLACES: Shape = Shape {
    name: "index of places",
    fields: &[(1, List(&Structure(&PAGE_KINDS))), (2, List(&Number))],
};
pub(super) const VALUES: Shape = Shape {
    name: "index of values",
    fields: &[
        (1, List(&Flag)),
        (2, List(&Text)),
        (3, List(&Text)),
        (4, Number),
        (5, List(&Number)),
        (6, List(&Number)),
        (7, List(&Number)),
        (8, List(&Number)),
    ],
};
