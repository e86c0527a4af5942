//! The program that was written for version 0.1.
include!("../../../../testdata/kept/0.1/client.rs");
