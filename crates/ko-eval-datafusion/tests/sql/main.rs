//! The functions as a user meets them: in SQL. One program, because each would be linked with all of DataFusion.

mod columns;
mod damaged;
mod exact;
mod many_groups;
mod planning;
mod resampled;
mod rows;
mod table;
