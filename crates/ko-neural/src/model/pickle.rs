//! PyTorch's weight files read as data: nothing that a pickle asks to run is ever run.
//!
//! A pickle is a program for a stack machine; what makes it dangerous is the instruction that calls
//! any Python function. This reader knows the few instructions that build dictionaries, tuples and
//! numbers, and three calls that it answers itself (`OrderedDict`, `_rebuild_tensor_v2`,
//! `_rebuild_parameter`). Everything else is an error that names the instruction or the function.
//!
//! Both layouts are read: the zip archive (PyTorch 1.6 and later: `*/data.pkl` and `*/data/KEY`) and
//! the older stream (four pickles, then the storages). Numbers become `f32`; tensors of integers,
//! which no encoder's weights are, are passed over.

use super::weights::{Element, Raw};
use crate::error::{Error, Result};
use std::{
    collections::{BTreeMap, HashMap},
    io::{Cursor, Read},
    path::Path,
    rc::Rc,
};

/// The older layout's first pickle: the number 0x1950a86a20f9469cfc6c.
const LEGACY_MAGIC: [u8; 10] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];

/// The tensors of a weight file by name.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, Raw>> {
    if bytes.starts_with(b"PK") { archive(bytes) } else { legacy(bytes) }
        .map_err(|reason| Error::bad(path, reason))
}

type Parsed<T> = Result<T, String>;

fn archive(bytes: &[u8]) -> Parsed<BTreeMap<String, Raw>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let program = zip
        .file_names()
        .filter_map(Result::ok)
        .find(|name| name.ends_with("/data.pkl"))
        .map(std::borrow::Cow::into_owned)
        .ok_or("the archive has no data.pkl")?;
    let folder = program.trim_end_matches("data.pkl").to_owned();
    let mut entry = |name: &str| -> Parsed<Vec<u8>> {
        let mut file = zip.by_name(name).map_err(|e| format!("{name}: {e}"))?;
        // PyTorch stores plainly; a small file could otherwise unfold to any size.
        if file.compression() != zip::CompressionMethod::Stored {
            return Err(format!("{name} is compressed, as PyTorch never writes it"));
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(|e| format!("{name}: {e}"))?;
        Ok(content)
    };
    let value = Machine::new(&entry(&program)?).run()?;
    let mut storages = HashMap::new();
    for key in storage_keys(&value) {
        storages.insert(key.clone(), entry(&format!("{folder}data/{key}"))?);
    }
    collect(&value, |key| storages.get(key).map(Vec::as_slice))
}

fn legacy(bytes: &[u8]) -> Parsed<BTreeMap<String, Raw>> {
    let mut machine = Machine::new(bytes);
    match machine.run()? {
        Value::Long(magic) if magic == LEGACY_MAGIC => {}
        _ => return Err("neither a zip archive nor PyTorch's older layout".into()),
    }
    machine.run()?; // protocol version
    machine.run()?; // the writer's integer sizes
    let value = machine.run()?;
    let Value::Sequence(keys) = machine.run()? else {
        return Err("the list of storages is missing".into());
    };
    let widths: HashMap<String, usize> = storages(&value)
        .into_iter()
        .map(|storage| (storage.key.clone(), storage.element.map_or(8, Element::width)))
        .collect();
    let mut contents = HashMap::new();
    for key in keys.list.iter() {
        let Value::Text(key) = key else { return Err("a storage's key is not a text".into()) };
        let count = machine.u64()?;
        let width = widths.get(key).copied().ok_or_else(|| format!("unknown storage {key}"))?;
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(width));
        contents.insert(key.clone(), machine.take(length.unwrap_or(usize::MAX))?);
    }
    collect(&value, |key| contents.get(key).copied())
}

/// What the machine's stack holds.
#[derive(Debug, Clone)]
enum Value {
    Mark,
    None,
    Number(i64),
    Long(Vec<u8>),
    Other,
    Text(String),
    Name(String),
    Sequence(Items<Value>),
    Dictionary(Items<(Value, Value)>),
    Storage(Storage),
    Tensor(View),
}

/// A container that is remembered without being copied, and that knows how deep it is nested.
#[derive(Debug, Clone)]
struct Items<T> {
    list: Rc<Vec<T>>,
    depth: usize,
}

/// Deeper than any file of weights, and shallow enough to be dropped without exhausting the stack.
const DEEPEST: usize = 32;

/// How many items may be copied because a remembered container grows.
const MOST_COPIES: usize = 1 << 20;

impl<T: Clone> Items<T> {
    fn new(list: Vec<T>, inner: usize) -> Parsed<Self> {
        if inner >= DEEPEST {
            return Err("values are nested too deep".into());
        }
        Ok(Self { list: Rc::new(list), depth: inner + 1 })
    }

    /// Adds items; `copies` counts what had to be copied because somebody else holds the list, too.
    fn extend(&mut self, items: Vec<T>, inner: usize, copies: &mut usize) -> Parsed<()> {
        if Rc::strong_count(&self.list) > 1 {
            *copies += self.list.len();
        }
        if inner >= DEEPEST || *copies > MOST_COPIES {
            return Err("values are nested too deep or copied too often".into());
        }
        Rc::make_mut(&mut self.list).extend(items);
        self.depth = self.depth.max(inner + 1);
        Ok(())
    }
}

impl Value {
    fn depth(&self) -> usize {
        match self {
            Self::Sequence(items) => items.depth,
            Self::Dictionary(items) => items.depth,
            _ => 0,
        }
    }
}

/// The depth of the deepest.
fn deepest(values: &[Value]) -> usize {
    values.iter().map(Value::depth).max().unwrap_or(0)
}

#[derive(Debug, Clone)]
struct Storage {
    key: String,
    /// `None` for kinds of numbers that no weight has.
    element: Option<Element>,
}

#[derive(Debug, Clone)]
struct View {
    storage: Storage,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

struct Machine<'b> {
    bytes: &'b [u8],
    stack: Vec<Value>,
    memo: HashMap<u32, Value>,
    copies: usize,
}

impl<'b> Machine<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, stack: Vec::new(), memo: HashMap::new(), copies: 0 }
    }

    /// Runs to the next STOP; what follows stays to be read.
    fn run(&mut self) -> Parsed<Value> {
        self.stack.clear();
        self.memo.clear();
        loop {
            let code = self.u8()?;
            match code {
                b'.' => return self.pop(),
                0x80 => drop(self.take(1)?), // PROTO
                0x95 => drop(self.take(8)?), // FRAME
                b'(' => self.stack.push(Value::Mark),
                b'N' => self.stack.push(Value::None),
                0x88 | 0x89 => self.stack.push(Value::Other), // True, False
                b'G' => {
                    self.take(8)?; // a float: no part of a tensor's description
                    self.stack.push(Value::Other);
                }
                b'K' => self.number(1)?,
                b'M' => self.number(2)?,
                b'J' => self.number(4)?,
                0x8a => self.long()?,
                b'X' => self.text(4)?,
                0x8c => self.text(1)?,
                b'c' => self.global()?,
                0x93 => self.stack_global()?,
                b')' | b']' => self.sequence(Vec::new())?,
                b'}' => self.stack.push(Value::Dictionary(Items::new(Vec::new(), 0)?)),
                0x85..=0x87 => self.tuple(usize::from(code - 0x84))?,
                b't' | b'l' => {
                    let items = self.above_mark()?;
                    self.sequence(items)?;
                }
                b'a' => {
                    let item = self.pop()?;
                    self.append(vec![item])?;
                }
                b'e' => {
                    let items = self.above_mark()?;
                    self.append(items)?;
                }
                b's' => {
                    let value = self.pop()?;
                    let key = self.pop()?;
                    self.set(vec![key, value])?;
                }
                b'u' => {
                    let items = self.above_mark()?;
                    self.set(items)?;
                }
                b'q' => {
                    let slot = u32::from(self.u8()?);
                    self.remember(slot)?;
                }
                b'r' => {
                    let slot = self.u32()?;
                    self.remember(slot)?;
                }
                0x94 => self.remember(u32::try_from(self.memo.len()).unwrap_or(u32::MAX))?,
                b'h' => {
                    let slot = u32::from(self.u8()?);
                    self.recall(slot)?;
                }
                b'j' => {
                    let slot = self.u32()?;
                    self.recall(slot)?;
                }
                b'Q' => self.persistent()?,
                b'R' => self.call()?,
                b'b' => drop(self.pop()?), // BUILD: attributes such as `_metadata`
                _ => return Err(format!("instruction 0x{code:02x} has no place among weights")),
            }
        }
    }

    fn take(&mut self, count: usize) -> Parsed<&'b [u8]> {
        let (head, tail) = self.bytes.split_at_checked(count).ok_or("the file is truncated")?;
        self.bytes = tail;
        Ok(head)
    }

    fn little_endian(&mut self, width: usize) -> Parsed<u64> {
        Ok(self.take(width)?.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }

    fn u8(&mut self) -> Parsed<u8> {
        self.little_endian(1).map(|value| value as u8)
    }

    fn u32(&mut self) -> Parsed<u32> {
        self.little_endian(4).map(|value| value as u32)
    }

    fn u64(&mut self) -> Parsed<u64> {
        self.little_endian(8)
    }

    fn pop(&mut self) -> Parsed<Value> {
        self.stack.pop().ok_or_else(|| "an instruction finds too few values".into())
    }

    fn number(&mut self, width: usize) -> Parsed<()> {
        let value = self.little_endian(width)?;
        // Only the four-byte form is signed.
        let value = if width == 4 { i64::from(value as u32 as i32) } else { value as i64 };
        self.stack.push(Value::Number(value));
        Ok(())
    }

    fn long(&mut self) -> Parsed<()> {
        let width = usize::from(self.u8()?);
        let bytes = self.take(width)?;
        self.stack.push(if width <= 7 {
            Value::Number(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | i64::from(byte)))
        } else {
            Value::Long(bytes.to_vec())
        });
        Ok(())
    }

    fn text(&mut self, width: usize) -> Parsed<()> {
        let length = self.little_endian(width)?;
        let bytes = self.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        let text = std::str::from_utf8(bytes).map_err(|_| "a text is not UTF-8")?;
        self.stack.push(Value::Text(text.to_owned()));
        Ok(())
    }

    fn line(&mut self) -> Parsed<String> {
        let length = self.bytes.iter().position(|&b| b == b'\n').ok_or("the file is truncated")?;
        let line = String::from_utf8_lossy(self.take(length)?).into_owned();
        self.take(1)?;
        Ok(line)
    }

    fn global(&mut self) -> Parsed<()> {
        let (module, name) = (self.line()?, self.line()?);
        self.stack.push(Value::Name(format!("{module}.{name}")));
        Ok(())
    }

    fn stack_global(&mut self) -> Parsed<()> {
        match (self.pop()?, self.pop()?) {
            (Value::Text(name), Value::Text(module)) => {
                self.stack.push(Value::Name(format!("{module}.{name}")));
                Ok(())
            }
            _ => Err("a name is not a text".into()),
        }
    }

    fn above_mark(&mut self) -> Parsed<Vec<Value>> {
        let mark = self.stack.iter().rposition(|value| matches!(value, Value::Mark));
        let items = self.stack.split_off(mark.ok_or("a mark is missing")?);
        Ok(items.into_iter().skip(1).collect())
    }

    fn tuple(&mut self, count: usize) -> Parsed<()> {
        let start = self.stack.len().checked_sub(count);
        let items = self.stack.split_off(start.ok_or("an instruction finds too few values")?);
        self.sequence(items)
    }

    fn sequence(&mut self, items: Vec<Value>) -> Parsed<()> {
        let inner = deepest(&items);
        self.stack.push(Value::Sequence(Items::new(items, inner)?));
        Ok(())
    }

    fn append(&mut self, items: Vec<Value>) -> Parsed<()> {
        match self.stack.last_mut() {
            Some(Value::Sequence(list)) => {
                let inner = deepest(&items);
                list.extend(items, inner, &mut self.copies)
            }
            _ => Err("items are added to what is no list".into()),
        }
    }

    fn set(&mut self, items: Vec<Value>) -> Parsed<()> {
        let Some(Value::Dictionary(entries)) = self.stack.last_mut() else {
            return Err("entries are added to what is no dictionary".into());
        };
        let inner = deepest(&items);
        let mut items = items.into_iter();
        let pairs = std::iter::from_fn(|| Some((items.next()?, items.next()?))).collect();
        entries.extend(pairs, inner, &mut self.copies)
    }

    fn remember(&mut self, slot: u32) -> Parsed<()> {
        let value = self.stack.last().ok_or("nothing to remember")?.clone();
        self.memo.insert(slot, value);
        Ok(())
    }

    fn recall(&mut self, slot: u32) -> Parsed<()> {
        let value = self.memo.get(&slot).ok_or("a value is recalled before it is known")?;
        self.stack.push(value.clone());
        Ok(())
    }

    /// `("storage", kind, key, device, length, …)`: where a tensor's numbers lie.
    fn persistent(&mut self) -> Parsed<()> {
        let Value::Sequence(parts) = self.pop()? else {
            return Err("a storage is not described by a tuple".into());
        };
        match parts.list.as_slice() {
            [Value::Text(_), Value::Name(kind), Value::Text(key), ..] => {
                let element = Element::from_storage(kind);
                self.stack.push(Value::Storage(Storage { key: key.clone(), element }));
                Ok(())
            }
            _ => Err("a storage is not described as PyTorch does".into()),
        }
    }

    fn call(&mut self) -> Parsed<()> {
        let arguments = self.pop()?;
        let function = self.pop()?;
        let (Value::Name(function), Value::Sequence(arguments)) = (function, arguments) else {
            return Err("a call of what is no function".into());
        };
        let result = match (function.as_str(), arguments.list.as_slice()) {
            ("collections.OrderedDict", _) => Value::Dictionary(Items::new(Vec::new(), 0)?),
            ("torch._utils._rebuild_parameter", [tensor, ..]) => tensor.clone(),
            (
                "torch._utils._rebuild_tensor_v2",
                [Value::Storage(storage), Value::Number(offset), shape, strides, ..],
            ) => Value::Tensor(View {
                storage: storage.clone(),
                offset: usize::try_from(*offset).map_err(|_| "a negative offset")?,
                shape: sizes(shape)?,
                strides: sizes(strides)?,
            }),
            _ => {
                return Err(format!("it asks to run `{function}`, which is never done"));
            }
        };
        self.stack.push(result);
        Ok(())
    }
}

fn sizes(value: &Value) -> Parsed<Vec<usize>> {
    let Value::Sequence(items) = value else { return Err("a shape is not a tuple".into()) };
    items
        .list
        .iter()
        .map(|item| match item {
            Value::Number(n) => usize::try_from(*n).map_err(|_| "a negative size".into()),
            _ => Err("a size is not a number".into()),
        })
        .collect()
}

/// The named tensors, whether they are the whole value or its `state_dict`.
fn tensors(value: &Value) -> Vec<(&str, &View)> {
    let Value::Dictionary(entries) = value else { return Vec::new() };
    let inner = entries.list.iter().find_map(|entry| match entry {
        (Value::Text(name), Value::Dictionary(inner)) if name == "state_dict" => Some(inner),
        _ => None,
    });
    let named = |entry| match entry {
        &(Value::Text(ref name), Value::Tensor(ref view)) => Some((name.as_str(), view)),
        _ => None,
    };
    inner.unwrap_or(entries).list.iter().filter_map(named).collect()
}

fn storages(value: &Value) -> Vec<&Storage> {
    tensors(value).into_iter().map(|(_, view)| &view.storage).collect()
}

fn storage_keys(value: &Value) -> Vec<String> {
    let floats = storages(value).into_iter().filter(|storage| storage.element.is_some());
    let mut keys: Vec<_> = floats.map(|storage| storage.key.clone()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn collect<'b>(
    value: &Value,
    content: impl Fn(&str) -> Option<&'b [u8]>,
) -> Parsed<BTreeMap<String, Raw>> {
    let mut found = BTreeMap::new();
    for (name, view) in tensors(value) {
        let Some(element) = view.storage.element else { continue };
        let bytes = content(&view.storage.key)
            .ok_or_else(|| format!("tensor `{name}`: its numbers are missing"))?;
        let data = gather(view, element, bytes)
            .ok_or_else(|| format!("tensor `{name}` reaches beyond its storage"))?;
        found.insert(name.to_owned(), Raw { shape: view.shape.clone(), data });
    }
    if found.is_empty() {
        return Err("it holds no named tensors".into());
    }
    Ok(found)
}

/// A view's numbers, row after row, whatever its strides.
fn gather(view: &View, element: Element, bytes: &[u8]) -> Option<Vec<f32>> {
    if view.shape.len() != view.strides.len() {
        return None;
    }
    let count = view.shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size))?;
    let available = bytes.len() / element.width();
    // A stride of 0 can repeat a number, but no weight is larger than its storage.
    if count > available {
        return None;
    }
    let mut contiguous = 1usize;
    let mut plain = true;
    for (&size, &stride) in view.shape.iter().zip(&view.strides).rev() {
        plain &= size == 1 || stride == contiguous;
        contiguous *= size;
    }
    if plain {
        let start = view.offset.checked_mul(element.width())?;
        let length = count.checked_mul(element.width())?;
        return Some(element.decode(bytes.get(start..start.checked_add(length)?)?));
    }
    let numbers = element.decode(bytes);
    let mut index = vec![0usize; view.shape.len()];
    let mut data = Vec::with_capacity(count);
    for _ in 0..count {
        let place = index
            .iter()
            .zip(&view.strides)
            .try_fold(view.offset, |sum, (&i, &stride)| sum.checked_add(i.checked_mul(stride)?))?;
        data.push(*numbers.get(place)?);
        for (i, &size) in index.iter_mut().zip(&view.shape).rev() {
            *i += 1;
            if *i < size {
                break;
            }
            *i = 0;
        }
    }
    Some(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reason(bytes: &[u8]) -> String {
        read(Path::new("weights"), bytes).unwrap_err().to_string()
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_error_and_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            prop_assert!(read(Path::new("weights"), &bytes).is_err());
        }
    }

    #[test]
    fn bombs_do_not_go_off() {
        let mut nested = b"\x80\x02N".to_vec();
        nested.extend([0x85; 100_000]);
        assert!(reason(&nested).contains("too deep"));
        // A list that is remembered before every item that it gets.
        let mut copied = b"\x80\x02]".to_vec();
        for slot in 0..2_000u32 {
            copied.push(b'r');
            copied.extend(slot.to_le_bytes());
            copied.extend(b"Na");
        }
        assert!(reason(&copied).contains("copied too often"));
    }

    #[test]
    fn strides_and_offsets_are_followed() {
        let storage = Storage { key: "0".into(), element: Some(Element::F32) };
        let bytes: Vec<u8> = (0..6u8).flat_map(|x| f32::from(x).to_le_bytes()).collect();
        let view = |offset, shape: &[usize], strides: &[usize]| View {
            storage: storage.clone(),
            offset,
            shape: shape.to_vec(),
            strides: strides.to_vec(),
        };
        let numbers = |view: &View| gather(view, Element::F32, &bytes);
        assert_eq!(numbers(&view(1, &[2, 2], &[2, 1])), Some(vec![1.0, 2.0, 3.0, 4.0]));
        let turned = view(0, &[3, 2], &[1, 3]);
        assert_eq!(numbers(&turned), Some(vec![0.0, 3.0, 1.0, 4.0, 2.0, 5.0]));
        assert_eq!(numbers(&view(5, &[2], &[1])), None);
        assert_eq!(numbers(&view(0, &[usize::MAX, 2], &[2, 1])), None);
    }
}
