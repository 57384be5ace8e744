// SPDX-License-Identifier: MIT

// Package foz reads Fossilize archives (.foz), in which Vulkan layers store the pipelines that applications create.
// [Open] takes the bytes of an archive and indexes its entries; [Archive.Pipeline], [Archive.Module], [Archive.Layout] and
// [Archive.SetLayout] decode them: the stages of a pipeline with entry point, specialization and shader module, the
// words of a module, and the layouts of push constants and descriptors. It knows nothing of SPIR-V or of the compiler.
//
// The format is documented in https://github.com/ValveSoftware/Fossilize: the stream of entries in a comment in
// fossilize_db.cpp ("Fossilize StreamArchive database format version 6"), payloads in README.md ("Serialization
// format"). Versions 5 and 6 are read. Fields of payloads that are not used here are skipped.
//
// Archives may be damaged or hostile. The index takes about as much memory as the headers of entries in the archive.
// An entry is refused unless its decompressed size is plausible for its stored size and at most [MaxPayload], so that
// decoding one takes memory in proportion to the constants below. Errors are of type [*Error] and name the entry and its
// offset.
package foz

// Budgets.
const (
	MaxEntries = 1 << 22  // entries of an archive
	MaxPayload = 64 << 20 // bytes of an entry after decompression
	MaxJSON    = 1 << 20  // bytes of the part of an entry that is JSON
	MaxStages  = 1 << 10  // stages of a pipeline
	MaxModule  = 64 << 20 // bytes of a shader module
)
