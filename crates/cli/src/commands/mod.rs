//! One file a command.

pub mod doctor;
pub mod dump;
pub mod init;
pub mod replay;
