//! WASI's error numbers, as far as the world gives them.

/// Why a call of WASI failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errno {
    BadDescriptor = 8,
    Busy = 10,
    Exists = 20,
    IllegalByteSequence = 25,
    Invalid = 28,
    Io = 29,
    IsDirectory = 31,
    Loop = 32,
    NameTooLong = 37,
    NoEntry = 44,
    NoSpace = 51,
    NotDirectory = 54,
    NotEmpty = 55,
    NotSocket = 57,
    NotSupported = 58,
    NotPermitted = 63,
    NotSeekable = 70,
}
