// SPDX-License-Identifier: MIT

// Package bench measures the cost of compiling, stage by stage, always over the same ten
// shaders: four programs of tests/shaders and the six compute shaders of the Gio renderer
// that use no images (package tests/suite/renderer).
//
// Every figure is per SPIR-V instruction inside function bodies ([spv.BodyInsts]), warm and
// in process: the compiler has compiled the shader before and reuses its memory. The code is
// SIMD16.
//
//	make bench                                        # everything
//	go test -run '^$' -bench Stage/whole ./tests/bench
//	go test -run '^$' -bench CPU ./tests/bench        # CPU of all threads, collector included
//
// Tests assert allocations, never times; requirements on the generated code are in
// tests/suite/whole/counts_test.go.
package bench
