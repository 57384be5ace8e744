// SPDX-License-Identifier: MIT

// Package archive opens archives as folders of shaders: zip and tar files, also compressed by gzip, and Fossilize
// archives (package core/foz). [Open] takes the name of a file; [Archive.Names] lists the members, and [Archive.Read]
// returns the contents of one. The members of a Fossilize archive are the stages of its pipelines, each with the
// entry point and the specialization that the pipeline gives it.
//
// Archives may be damaged or hostile: a member has at most [MaxMember] bytes, and only the index of an archive is kept
// in memory, except that a tar file that is compressed is decompressed whole, to at most [MaxTar] bytes. Nothing is
// unpacked to disk. Names of members are relative paths without "..", links in archives are left out, and of several
// files with a name the last counts.
package archive

// Budgets, in bytes.
const (
	MaxMember = 64 << 20 // a member
	MaxTar    = 1 << 30  // a tar file after decompression
	MaxIndex  = 1 << 27  // the directory of a zip file
)

// MaxShaders is the number of shaders of a Fossilize archive that can be listed.
const MaxShaders = 1 << 22
