// SPDX-License-Identifier: MIT

// Command judge runs machine code of this compiler and of a peer on the model of the execution units, on the same
// inputs, and compares their costs: instructions executed, messages, bytes moved, cycles of threads alone on an
// execution unit and of as many as it has (see eu.Account). Results of both must agree with the interpreter, bit for
// bit or, for floats, within a tolerance; shaders that are left out are listed with the reason. Runs are limited by the
// number of instructions, not by time.
//
//	JACQUARD_PEER='sh run.sh bpo' go run ./tests/judge [-target tgl] [-set samples,renderer,corpus] [-n 200] [-o FILE]
//
// A set is one of these, or a folder of .spv files. Inputs of shaders of the corpus and of folders are searched for by
// package tests/support/synth: threads pass their bounds checks and loops run with them. Of a generator's variants
// of one source, the corpus has at most three.
//
// The peer is Mesa's Vulkan driver for Intel's GPUs, which needs no GPU to compile; package tests/support/peer
// documents the environment variable. The command fails if it is not set. A report has figures of one version of the
// peer, which it names.
//
// Every figure is given under three tables of latencies: the target's, and two copies of it with the memory latency
// halved and doubled. A claim should hold under all of them. For other costs that are not measured, the report has the
// means at both ends of a range.
//
// With -draws it judges vertex and fragment shaders: both compilers' programs draw on the model with the same fixed
// functions, and their pictures must agree with the interpreter's. Vertex threads have eight lanes, fragment threads
// eight and sixteen. Besides the samples, n shaders of the corpus of each stage are judged with draws that package
// tests/support/synth generates.
//
// With -vertices it judges vertex shaders of a machine whose vertices have four lanes. The peer's program and the interpreter
// must agree on every output of every vertex, ours on the picture. Both programs must write the same locations: Mesa gets
// no fragment shader, and must not gain by outputs that it drops.
//
// With -vertices and -covered it counts the vertex shaders of scripts and of the corpus that the peer compiles, that our
// compiler compiles, and whose vertices are those of the interpreter, and lists the others with the reasons.
//
// With -widths it compares the resident cycles of the width that our compiler chooses with those of all widths, and with
// the peer's program of the width that it chooses. Results are not compared.
//
// With -ablation it runs our code alone, without each optional pass in turn.
//
// With -compile it measures compile time instead: the CPU time of both compilers in process, warm, for the only compute
// entry point of each module at one width. A time is the least of several; the totals, the geometric mean and the worst
// of the ratios are reported. With -draws as well it does so for vertex and fragment shaders, each alone, at the widths
// at which they are judged.
//
// A table has the means by class: by messages per thread of the peer's code, since a thread that leaves at a bounds check
// costs both compilers little, and for shaders that loops dominate. Its last row, of threads that send at least four
// messages, is the figure of merit. The report has how many shaders cannot be judged, and why.
//
// The report lists the shaders that take more than 1.2 times the peer's cycles, with the reasons that reasons.txt
// knows. It ends with the rank correlation of the estimate that the compiler makes of its code (package perf) with the
// cycles of its threads alone.
package main
