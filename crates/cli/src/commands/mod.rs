//! One file a command.

pub mod dump;
pub mod replay;
