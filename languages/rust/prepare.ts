/** Set-up for Rust: gathers the few files of the toolchain that a compile step needs. */
import { gather, prepare } from '../shared/prepared.ts';
import { findRust } from '../shared/rust-toolchain.ts';

prepare(findRust, (folder, { root, files }) => gather(root, files, folder));
