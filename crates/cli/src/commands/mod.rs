//! One file a command, and what they share.

mod blame;
pub mod cover;
pub mod doctor;
pub mod dump;
pub mod explain;
pub mod init;
pub mod reach;
pub mod replay;
pub mod report_schema;
mod show;
pub mod solve;
mod stored_report;
