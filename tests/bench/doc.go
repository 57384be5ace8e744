// Package bench measures what compiling costs, stage by stage, over the same
// ten shaders every time: four programs of tests/shaders and the six compute
// shaders of the Gio renderer that use no images (package tests/suite/renderer).
//
// Every figure is per SPIR-V instruction inside of function bodies
// ([spv.BodyInsts]), warm and in process: the compiler has compiled the shader
// before and reuses its memory. The code is for SIMD16.
//
//	make bench                                        # everything
//	go test -run '^$' -bench Stage/whole ./tests/bench
//	go test -run '^$' -bench CPU ./tests/bench        # CPU of all threads, collector included
//
// Tests assert allocations, never times; what must hold of the code that comes
// out stands in tests/suite/whole/counts_test.go.
package bench
