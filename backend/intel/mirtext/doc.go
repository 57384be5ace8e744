// SPDX-License-Identifier: MIT

// Package mirtext prints machine IR as text (.mir) and parses it ([Print], [Parse]). Printing, parsing and printing again
// produces the same text, and passes treat parsed machine IR like the original.
//
// The text starts with the version of the format and all data that later passes and a launcher need, including
// the name of the last pass:
//
//	mir 1 compute "main"
//	target tgl
//	simd 16
//	abi jacquard_cs version=2 hash=51c4911b0480cab1
//	after select
//	workgroup_size 128 1 1
//	payload 3
//	push_bytes 8
//	buffers 2
//	binding 0 count=1 set=0 binding=0 ssbo
//	binding 1 count=1 set=0 binding=1 image access=readonly shape=2d format=rgba8
//
// Fields that are 0 are omitted. The parser checks the version and hash of the ABI's row, if present, against its
// own row, and scratch, the number of bytes that a launcher allocates per thread, against private_bytes
// and spill_bytes. A line for every run of equal registers follows, then the code:
//
//	reg v1..v3 bytes=64 lane=4 align=32
//	reg v4 bytes=4 lane=4 align=4 uniform
//	function "main"
//	b0: // lanes to b1, b2
//	  (W) mov(1) v4<1>:ud 0x2:ud
//	  (~f0.0) if(16)
//
// The edges between blocks, and the loop depth of each block, follow from the instructions; they are printed as
// comments. An instruction is
//
//	(W) (~f0.0.any2h) add(16|M16) (ne)f0.0 (sat) v1+64<1>:ud -(abs)v2:d 0x5:d name=value {word,@1,$2.dst}
//
// with (W) if it is unmasked, its predicate, its name (with the function of math, sync and send), the number of
// lanes and the first of them in the mask, condition modifier, saturation, operands, and the attributes of
// mir.Attrs. Before register allocation, predicates and conditions use virtual flag registers, such as v7. An
// operand is a register, a byte offset from its start, a region and a type; _ means no operand. A region is a stride in
// elements, by default 1, or rows <v;w,h>, which are printed as a stride if the lanes are equidistant. After the region,
// a source may have a swizzle, v2<1>.yyyw:f, and a destination a write mask, v1<1>.xz:f. Source locations are not in the
// text.
//
// Machine IR is a language: the text contains all data that later passes and a launcher need, and compiling it starting
// after any pass produces the same bytes. Each field of an instruction is a row of mir.Attrs, or has a fixed position in
// the line.
package mirtext
