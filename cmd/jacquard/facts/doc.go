// SPDX-License-Identifier: MIT

// Package facts prints what the generated tables say about opcodes, intrinsics and source languages, for the subcommand
// info. [InfoOpcodes], [InfoIntrinsics] and [InfoLanguages] take the invocation and the name that selects a row; they
// compile nothing, and read no files but the tables in the program.
package facts
