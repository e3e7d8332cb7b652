//! Attacks on real sessions in a real Chromium: hostile pages, and a caller that obeys every one of them. What the servers saw
//! decides, never what anybody says. Each attack has a twin that must succeed.

mod a_answers;
mod a_pages;
mod a_places;
mod a_ways_out;
mod b_by_itself;
mod b_controls;
mod b_files;
mod b_first;
mod b_harmless;
mod b_unseen;
mod by_model;
mod c_covered;
mod c_questions;
mod c_yes;
mod cases;
mod d_orders;
mod d_texts;
mod d_wants;
mod e_data;
mod hosts;
mod obedient;
mod orders;
mod rows;
mod stage;
mod table;
mod witness;

use crate::vendor;
