//! One file a command.

pub mod doctor;
pub mod dump;
pub mod replay;
