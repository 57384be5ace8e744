// Command judge runs machine code of this compiler and of a peer on the model of the
// execution units, on the same inputs, and compares what they cost: instructions executed,
// messages, bytes moved, cycles of threads alone on an execution unit and of as many as it
// has (see eu.Account). Results of both must agree with the interpreter, bit for bit or, for
// floats, within a tolerance; what is left out is listed with the reason.
//
//	JACQUARD_PEER='sh run.sh bpo' go run ./tests/judge [-set samples,renderer,corpus] [-n 200] [-o FILE]
//
// The peer is Mesa's Vulkan driver for Intel's GPUs, which needs no GPU to compile. The
// environment variable is the command that runs it, to which the judge appends the device, a
// program and its flags: "tgl vkpeer -n 1 -s 16 -e ENTRY -d DIR FILE.spv". It must write the
// driver's statistics as a line of JSON, its final IR into DIR, and the machine code into
// the folder that INTEL_SHADER_BIN_DUMP_PATH names. Without the variable there is nothing to
// judge.
//
// Every figure is given under three tables of latencies: the target's, and the same with the
// time until memory responds halved and doubled. A claim should hold under all of them.
//
// With -ablation it runs our code alone, without each optional pass in turn.
//
// With -compile it measures instead what compiling takes: the CPU time of both compilers in
// process, warm, for the only compute entry point of each module at one width. A time is the
// least of several; the totals, the geometric mean and the worst of the ratios are reported.
//
// The report lists the shaders that take more than 1.2 times the peer's cycles, with the
// reasons that reasons.txt knows. It ends with the rank correlation of the estimate that the
// compiler makes of its code (package perf) with the cycles of its threads alone.
package main
