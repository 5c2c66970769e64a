//! PyTorch's weight files by hand, small or hostile: for tests and fuzz targets.

use super::LEGACY_MAGIC;
use std::io::{Cursor, Write};

/// A view of a storage under a name.
pub(crate) struct Named<'t> {
    /// The tensor's name.
    pub(crate) name: &'t str,
    /// The storage's key.
    pub(crate) key: &'t str,
    /// Where in the storage it begins.
    pub(crate) offset: u32,
    /// Its sizes.
    pub(crate) shape: &'t [u32],
    /// How far apart neighbours lie.
    pub(crate) strides: &'t [u32],
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.push(b'X');
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

fn sizes(out: &mut Vec<u8>, sizes: &[u32]) {
    out.push(b'(');
    for size in sizes {
        out.push(b'J');
        out.extend(size.to_le_bytes());
    }
    out.push(b't');
}

/// The pickle of a dictionary of tensors of single precision.
fn dictionary(tensors: &[Named<'_>]) -> Vec<u8> {
    let mut out = b"\x80\x02ccollections\nOrderedDict\n)Rq\x00(".to_vec();
    for tensor in tensors {
        text(&mut out, tensor.name);
        out.extend(
            b"ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\n",
        );
        text(&mut out, tensor.key);
        out.extend(b"X\x03\0\0\0cpuK\x01tQJ");
        out.extend(tensor.offset.to_le_bytes());
        sizes(&mut out, tensor.shape);
        sizes(&mut out, tensor.strides);
        out.extend(b"\x89ccollections\nOrderedDict\n)RtR");
    }
    out.extend(b"u.");
    out
}

/// The older layout.
pub(crate) fn legacy(tensors: &[Named<'_>], storages: &[(&str, &[f32])]) -> Vec<u8> {
    let mut out = b"\x80\x02\x8a\x0a".to_vec();
    out.extend(LEGACY_MAGIC);
    out.extend(b".\x80\x02M\xe9\x03.\x80\x02}.");
    out.extend(dictionary(tensors));
    out.extend(b"\x80\x02](");
    storages.iter().for_each(|(key, _)| text(&mut out, key));
    out.extend(b"e.");
    for (_, numbers) in storages {
        out.extend((numbers.len() as u64).to_le_bytes());
        out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    out
}

/// The zip archive.
pub(crate) fn archive(tensors: &[Named<'_>], storages: &[(&str, &[f32])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut member = |name: &str, bytes: &[u8]| {
        // Nothing goes wrong in memory, and a file that lacks something is a sample as well.
        let _ = zip.start_file(name, stored).is_ok_and(|()| zip.write_all(bytes).is_ok());
    };
    member("archive/data.pkl", &dictionary(tensors));
    for (key, numbers) in storages {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        member(&format!("archive/data/{key}"), &bytes);
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}
