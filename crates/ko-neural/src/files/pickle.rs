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
//!
//! Memory and time are bounded by the file's size, whatever the file says: what is recalled is shared and not copied, tensors that are
//! the same view of a storage share their numbers, and all others together have at most as many numbers as the file has bytes.

#[cfg(any(test, fuzzing))]
pub(crate) mod sample;

use super::raw::{Element, Raw};
use crate::error::{Error, Result};
use std::{
    collections::{BTreeMap, HashMap},
    io::{Cursor, Read},
    path::Path,
    rc::Rc,
    sync::Arc,
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
    // The members of an archive may lie upon each other, and then unfold to more than the file.
    let mut left = bytes.len() as u64;
    let mut entry = |name: &str| -> Parsed<Vec<u8>> {
        let file = zip.by_name(name).map_err(|e| format!("{name}: {e}"))?;
        // PyTorch stores plainly; a small file could otherwise unfold to any size.
        if file.compression() != zip::CompressionMethod::Stored {
            return Err(format!("{name} is compressed, as PyTorch never writes it"));
        }
        let size = file.size();
        left = left.checked_sub(size).ok_or("the archive's members lie upon each other")?;
        let mut content = Vec::new();
        file.take(size).read_to_end(&mut content).map_err(|e| format!("{name}: {e}"))?;
        Ok(content)
    };
    let value = Machine::new(&entry(&program)?).run()?;
    let mut storages = HashMap::new();
    for key in storage_keys(&value) {
        storages.insert(key.clone(), entry(&format!("{folder}data/{key}"))?);
    }
    collect(&value, bytes.len(), |key| storages.get(key).map(Vec::as_slice))
}

fn legacy(bytes: &[u8]) -> Parsed<BTreeMap<String, Raw>> {
    let mut machine = Machine::new(bytes);
    match machine.run()? {
        Value::Long(magic) if *magic == LEGACY_MAGIC => {}
        _ => return Err("neither a zip archive nor PyTorch's older layout".into()),
    }
    machine.run()?; // protocol version
    machine.run()?; // the writer's integer sizes
    let value = machine.run()?;
    let Value::Sequence(keys) = machine.run()? else {
        return Err("the list of storages is missing".into());
    };
    let widths: HashMap<Rc<str>, usize> = storages(&value)
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
    collect(&value, bytes.len(), |key| contents.get(key).copied())
}

/// What the machine's stack holds.
#[derive(Debug, Clone)]
enum Value {
    Mark,
    None,
    Number(i64),
    Long(Rc<[u8]>),
    Other,
    Text(Rc<str>),
    Name(Rc<str>),
    Sequence(Items<Value>),
    Dictionary(Items<(Value, Value)>),
    Storage(Storage),
    Tensor(Rc<View>),
}

/// A container that is remembered without being copied, and that knows how deep it is nested.
#[derive(Debug, Clone)]
struct Items<T> {
    list: Rc<Vec<T>>,
    depth: usize,
}

/// Deeper than any file of weights, and shallow enough to be dropped without exhausting the stack.
const DEEPEST: usize = 32;

/// A hundred times those of a model with ten thousand tensors.
const MOST_INSTRUCTIONS: usize = 1 << 23;

/// Tensors have few dimensions.
const MOST_DIMENSIONS: usize = 8;

/// The longest name of a tensor or a function, in bytes.
const LONGEST_NAME: usize = 1 << 12;

impl<T: Clone> Items<T> {
    fn new(list: Vec<T>, inner: usize) -> Parsed<Self> {
        if inner >= DEEPEST {
            return Err("values are nested too deep".into());
        }
        Ok(Self { list: Rc::new(list), depth: inner + 1 })
    }

    /// Adds items; `copies` is how many more may be copied because somebody else holds the list, too.
    fn extend(&mut self, items: Vec<T>, inner: usize, copies: &mut usize) -> Parsed<()> {
        let copied = if Rc::strong_count(&self.list) > 1 { self.list.len() } else { 0 };
        *copies = copies.checked_sub(copied).ok_or("values are copied too often")?;
        if inner >= DEEPEST {
            return Err("values are nested too deep".into());
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

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Storage {
    key: Rc<str>,
    /// `None` for kinds of numbers that no weight has.
    element: Option<Element>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// How many more items may be copied: as many as the file has bytes.
    copies: usize,
}

impl<'b> Machine<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, stack: Vec::new(), memo: HashMap::new(), copies: bytes.len() }
    }

    /// Runs to the next STOP; what follows stays to be read.
    fn run(&mut self) -> Parsed<Value> {
        self.stack.clear();
        self.memo.clear();
        for _ in 0..MOST_INSTRUCTIONS {
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
        Err(format!("more than {MOST_INSTRUCTIONS} instructions"))
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
            Value::Long(bytes.into())
        });
        Ok(())
    }

    fn text(&mut self, width: usize) -> Parsed<()> {
        let length = self.little_endian(width)?;
        let bytes = self.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        let text = std::str::from_utf8(bytes).map_err(|_| "a text is not UTF-8")?;
        self.stack.push(Value::Text(text.into()));
        Ok(())
    }

    fn name(&mut self, module: &str, name: &str) -> Parsed<()> {
        if module.len() + name.len() > LONGEST_NAME {
            return Err(format!("a function's name has more than {LONGEST_NAME} bytes"));
        }
        self.stack.push(Value::Name(format!("{module}.{name}").into()));
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
        self.name(&module, &name)
    }

    fn stack_global(&mut self) -> Parsed<()> {
        match (self.pop()?, self.pop()?) {
            (Value::Text(name), Value::Text(module)) => self.name(&module, &name),
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
        let result = match (&*function, arguments.list.as_slice()) {
            ("collections.OrderedDict", _) => Value::Dictionary(Items::new(Vec::new(), 0)?),
            ("torch._utils._rebuild_parameter", [tensor, ..]) => tensor.clone(),
            (
                "torch._utils._rebuild_tensor_v2",
                [Value::Storage(storage), Value::Number(offset), shape, strides, ..],
            ) => Value::Tensor(Rc::new(View {
                storage: storage.clone(),
                offset: usize::try_from(*offset).map_err(|_| "a negative offset")?,
                shape: sizes(shape)?,
                strides: sizes(strides)?,
            })),
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
    if items.list.len() > MOST_DIMENSIONS {
        return Err(format!("a shape of {} dimensions", items.list.len()));
    }
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
        (Value::Text(name), Value::Dictionary(inner)) if &**name == "state_dict" => Some(inner),
        _ => None,
    });
    let named = |entry| match entry {
        &(Value::Text(ref name), Value::Tensor(ref view)) => Some((&**name, &**view)),
        _ => None,
    };
    inner.unwrap_or(entries).list.iter().filter_map(named).collect()
}

fn storages(value: &Value) -> Vec<&Storage> {
    tensors(value).into_iter().map(|(_, view)| &view.storage).collect()
}

fn storage_keys(value: &Value) -> Vec<Rc<str>> {
    let floats = storages(value).into_iter().filter(|storage| storage.element.is_some());
    let mut keys: Vec<_> = floats.map(|storage| storage.key.clone()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The named tensors, decoded; `most` is how many numbers they may have, each view counted once.
fn collect<'b>(
    value: &Value,
    most: usize,
    content: impl Fn(&str) -> Option<&'b [u8]>,
) -> Parsed<BTreeMap<String, Raw>> {
    let mut found = BTreeMap::new();
    let mut known: HashMap<&View, Arc<Vec<f32>>> = HashMap::new();
    let mut left = most;
    for (name, view) in tensors(value) {
        let Some(element) = view.storage.element else { continue };
        if name.len() > LONGEST_NAME {
            return Err(format!("a tensor's name has more than {LONGEST_NAME} bytes"));
        }
        let data = match known.get(view) {
            // Layers that share their weights, under a name each.
            Some(data) => data.clone(),
            None => {
                let bytes = content(&view.storage.key)
                    .ok_or_else(|| format!("tensor `{name}`: its numbers are missing"))?;
                let data = gather(view, element, bytes)
                    .ok_or_else(|| format!("tensor `{name}` reaches beyond its storage"))?;
                left = left.checked_sub(data.len()).ok_or("its tensors lie upon each other")?;
                known.entry(view).or_insert(Arc::new(data)).clone()
            }
        };
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
    let width = element.width();
    let count = view.shape.iter().try_fold(1usize, |all, &size| all.checked_mul(size))?;
    // A stride of 0 can repeat a number, but no weight is larger than its storage.
    if count > bytes.len() / width {
        return None;
    }
    let mut contiguous = 1usize;
    let mut plain = true;
    for (&size, &stride) in view.shape.iter().zip(&view.strides).rev() {
        plain &= size == 1 || stride == contiguous;
        contiguous = contiguous.checked_mul(size)?;
    }
    let at = |place: usize, count: usize| {
        let start = place.checked_mul(width)?;
        bytes.get(start..start.checked_add(count.checked_mul(width)?)?)
    };
    if plain {
        return Some(element.decode(at(view.offset, count)?));
    }
    // Only what the view names is decoded: many small views of one large storage cost what they are.
    let mut index = vec![0usize; view.shape.len()];
    let mut gathered = Vec::with_capacity(count * width);
    for _ in 0..count {
        let place = index
            .iter()
            .zip(&view.strides)
            .try_fold(view.offset, |sum, (&i, &stride)| sum.checked_add(i.checked_mul(stride)?))?;
        gathered.extend_from_slice(at(place, 1)?);
        for (i, &size) in index.iter_mut().zip(&view.shape).rev() {
            *i += 1;
            if *i < size {
                break;
            }
            *i = 0;
        }
    }
    Some(element.decode(&gathered))
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
        // One text of a megabyte, recalled a hundred thousand times; and joined to names as often.
        let mut recalled = b"\x80\x02X\0\0\x10\0".to_vec();
        recalled.extend(vec![b'a'; 1 << 20]);
        recalled.extend(b"q\0");
        let names = [&recalled[..], b"h\0\x93"].concat();
        assert!(reason(&names).contains("a function's name has more than"));
        recalled.extend(b"h\0".repeat(100_000));
        assert!(reason(&recalled).contains("truncated"));
        // A shape of a million sizes, for any number of tensors.
        let mut wide = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\0\0\0\0ctorch\nFloatStorage\nX\0\0\0\0tQK\0(".to_vec();
        wide.extend(b"K\x01".repeat(1 << 20));
        wide.extend(b"t)tR.");
        assert!(reason(&wide).contains("1048576 dimensions"), "{}", reason(&wide));
        assert!(reason(&vec![b'N'; (1 << 23) + 1]).contains("instructions"));
    }

    /// Views of one storage of a million numbers.
    fn views(count: usize, view: impl Fn(u32) -> (u32, u32, u32)) -> Vec<Vec<u8>> {
        let numbers = vec![0.5f32; 1 << 20];
        let names: Vec<String> = (0..count).map(|number| format!("layer.{number}")).collect();
        let views: Vec<_> = (0..count as u32).map(view).collect();
        let sizes: Vec<_> = views.iter().map(|(_, size, stride)| ([*size], [*stride])).collect();
        let named = |at: usize| sample::Named {
            name: &names[at],
            key: "0",
            offset: views[at].0,
            shape: &sizes[at].0,
            strides: &sizes[at].1,
        };
        let named: Vec<_> = (0..count).map(named).collect();
        [sample::legacy, sample::archive].map(|layout| layout(&named, &[("0", &numbers)])).to_vec()
    }

    #[test]
    fn many_tensors_over_one_storage_cost_what_the_file_does() {
        // One view under 5,000 names is decoded once: 20 GB otherwise.
        for bytes in views(5_000, |_| (0, 1 << 20, 1)) {
            let tensors = read(Path::new("weights"), &bytes).unwrap();
            assert_eq!(tensors.len(), 5_000);
            let first = &tensors["layer.0"].data;
            assert!(tensors.values().all(|tensor| Arc::ptr_eq(&tensor.data, first)));
        }
        // Each one number shorter than the one before: no two are the same.
        for bytes in views(5_000, |number| (number, (1 << 20) - number, 1)) {
            assert!(reason(&bytes).contains("lie upon each other"));
        }
        // 20,000 views of two numbers far apart: each costs two numbers, and not the storage.
        for bytes in views(20_000, |number| (number, 2, 1 << 19)) {
            let tensors = read(Path::new("weights"), &bytes).unwrap();
            assert!(tensors.values().all(|tensor| *tensor.data == [0.5, 0.5]));
        }
    }

    #[test]
    fn members_that_lie_upon_each_other_are_refused() {
        let numbers = vec![0.0f32; 1 << 10];
        let keys: Vec<String> = (0..100).map(|key| format!("{key:03}")).collect();
        let named: Vec<_> = keys
            .iter()
            .map(|key| sample::Named { name: key, key, offset: 0, shape: &[1], strides: &[1] })
            .collect();
        let none: Vec<(&str, &[f32])> =
            keys.iter().skip(1).map(|key| (key.as_str(), &[][..])).collect();
        let storages = [&[(keys[0].as_str(), &numbers[..])][..], &none].concat();
        let mut bytes = sample::archive(&named, &storages);
        // Every record of the central directory tells where the first one's member lies, and its sizes and sum.
        let records: Vec<usize> = bytes
            .windows(4)
            .enumerate()
            .filter(|(_, w)| *w == b"PK\x01\x02")
            .map(|(at, _)| at)
            .collect();
        let first = bytes[records[1]..][..46].to_vec();
        for &record in &records[2..] {
            bytes[record + 16..][..12].copy_from_slice(&first[16..28]);
            bytes[record + 42..][..4].copy_from_slice(&first[42..46]);
        }
        assert!(reason(&bytes).contains("lie upon each other"), "{}", reason(&bytes));
    }

    #[test]
    fn sizes_that_overflow_are_beyond_the_storage() {
        let view = sample::Named {
            name: "w",
            key: "0",
            offset: 0,
            shape: &[0, 1 << 31, 1 << 31, 1 << 31],
            strides: &[1, 1, 1, 1],
        };
        assert!(reason(&sample::legacy(&[view], &[("0", &[1.0])])).contains("negative size"));
        let storage = Storage { key: "0".into(), element: Some(Element::F32) };
        let view =
            View { storage, offset: 0, shape: vec![0, usize::MAX, 5], strides: vec![1, 1, 1] };
        assert_eq!(gather(&view, Element::F32, &[0; 8]), None);
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
