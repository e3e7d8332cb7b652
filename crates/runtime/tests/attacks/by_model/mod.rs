//! The same attacks through the loop: whole errands whose model obeys every page, plans what it wants and praises it as the judge. What
//! the servers saw decides here too, and what the vendor's books hold of what the model was told.

mod data;
mod errand;
mod model;
mod places;
mod prompt;
mod questions;
mod rows;
mod texts;
mod twins;
mod went;
