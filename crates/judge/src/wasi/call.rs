//! A call of WASI: its function, its arguments, and what is in memory for it.

use coax_execute::Value;
use std::fmt;

/// The bytes of the memory that a call has.
pub(super) const MEMORY: usize = 1 << 16;
/// Where results go.
pub(super) const RESULT: u32 = 64;
/// Where a list of buffers is.
const LIST: u32 = 256;
/// Where paths are.
const PATHS: [u32; 2] = [1024, 8192];
/// Where buffers are.
pub(super) const BUFFER: u32 = 16384;

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: &'static str,
    pub(super) args: Vec<Value>,
    contents: Vec<(u32, Vec<u8>)>,
}

impl Call {
    pub(super) fn new(name: &'static str) -> Self {
        Call { name, args: Vec::new(), contents: Vec::new() }
    }

    /// The next argument.
    pub(super) fn int(mut self, value: u32) -> Self {
        self.args.push(Value::I32(value as i32));
        self
    }

    pub(super) fn long(mut self, value: u64) -> Self {
        self.args.push(Value::I64(value as i64));
        self
    }

    /// The next two arguments: where a path is and how long.
    pub(super) fn path(self, path: &str) -> Self {
        self.bytes_as_path(path.as_bytes())
    }

    pub(super) fn bytes_as_path(mut self, path: &[u8]) -> Self {
        let taken = self.contents.iter().filter(|(address, _)| PATHS.contains(address)).count();
        self.contents.push((PATHS[taken], path.to_vec()));
        self.int(PATHS[taken]).int(path.len() as u32)
    }

    /// The next argument: where the result goes.
    pub(super) fn result(self) -> Self {
        self.int(RESULT)
    }

    /// The next two arguments: a list of buffers, with these contents or as long as these.
    pub(super) fn buffers(mut self, buffers: &[&[u8]]) -> Self {
        let (mut list, mut at) = (Vec::new(), BUFFER);
        for bytes in buffers {
            list.extend(at.to_le_bytes());
            list.extend((bytes.len() as u32).to_le_bytes());
            self.contents.push((at, bytes.to_vec()));
            at += bytes.len() as u32;
        }
        self.contents.push((LIST, list));
        self.int(LIST).int(buffers.len() as u32)
    }

    /// Bytes in memory that arguments lead to.
    pub(super) fn with(mut self, address: u32, bytes: Vec<u8>) -> Self {
        self.contents.push((address, bytes));
        self
    }

    /// An argument as a number.
    pub(super) fn arg(&self, index: usize) -> u64 {
        match self.args.get(index) {
            Some(Value::I32(value)) => u64::from(*value as u32),
            Some(Value::I64(value)) => *value as u64,
            _ => 0,
        }
    }

    /// The memory before the call. What is in no use has a value that nobody writes by chance.
    pub(super) fn memory(&self) -> Vec<u8> {
        let mut memory = vec![0xa5; MEMORY];
        for (address, bytes) in &self.contents {
            let start = *address as usize;
            memory[start..start + bytes.len()].copy_from_slice(bytes);
        }
        memory
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for index in 0..self.args.len() {
            let address = self.arg(index);
            let text = self.contents.iter().find(|(at, _)| PATHS.contains(at) && u64::from(*at) == address);
            let separator = if index == 0 { "" } else { ", " };
            match text {
                Some((_, bytes)) if bytes.len() <= 100 => {
                    write!(f, "{separator}{:?}", String::from_utf8_lossy(bytes))?
                }
                _ => write!(f, "{separator}{address:#x}")?,
            }
        }
        f.write_str(")")
    }
}
