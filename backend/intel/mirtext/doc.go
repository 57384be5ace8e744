// Package mirtext writes machine IR as text (.mir) and reads it back. Printing,
// reading and printing again gives the same text, and passes make the same of
// what was read as of what was printed.
//
// The text starts with what later passes and a launcher have to know, from the
// version of the format on, and the pass after which it was written:
//
//	mir 1 compute "main"
//	target tgl
//	simd 16
//	abi jacquard_cs version=1 hash=63f9013ece600b24
//	after select
//	workgroup_size 128 1 1
//	payload 3
//	push_bytes 8
//	buffers 2
//	binding 0 count=1 set=0 binding=0 ssbo
//
// Numbers that are 0 are left out. Version and hash of the ABI's row are compared with
// those of the compiler that reads the text, where it has them; scratch, the bytes that a
// launcher gives a thread, with what private_bytes and spill_bytes come to. A line for every run of equal registers
// follows, then the code:
//
//	reg v1..v3 bytes=64 lane=4 align=32
//	reg v4 bytes=4 lane=4 align=4 uniform
//	function "main"
//	b0: // lanes to b1, b2
//	  (W) mov(1) v4<1>:ud 0x2:ud
//	  (~f0.0) if(16)
//
// The edges between blocks, and the loops around each, follow from the
// instructions; they are printed as comments. An instruction is
//
//	(W) (~f0.0.any2h) add(16|M16) (ne)f0.0 (sat) v1+64<1>:ud -(abs)v2:d 0x5:d name=value {word,@1,$2.dst}
//
// with (W) for one without mask, its predicate, its name (with the function of
// math, sync and send), lanes and the first of them in the mask, condition
// modifier, saturation, operands, and what mir.Attrs has rows for. Before registers
// are allocated, predicates and conditions are of virtual flag registers, such as
// v7. An operand is a register, a number of bytes from its start, a region and a type;
// _ stands for no operand. A region is a stride in elements, 1 where none is written, or
// rows <v;w,h>, which are printed as a stride if all lanes have one. After the region of
// a source there may be a swizzle, v2<1>.yyyw:f, and after that of a destination a write
// mask, v1<1>.xz:f. Places in the source are not in the text.
//
// Machine IR is a language: the text says all that later passes and a launcher have to
// know, and compiling it from any pass on gives the same bytes. A field of an
// instruction is a row of mir.Attrs, or has a place of its own in the line.
package mirtext
