// SPDX-License-Identifier: MIT

package limits

import (
	"fmt"
	"strings"
)

// Inputs in the project's own text format.

const textHead = "shader compute \"main\"\nworkgroup_size 16 1 1\nbinding 0 0 ssbo count=1 index=0 access=none\n"

// textChain returns a shader of n additions.
func textChain(n int) []byte {
	var b strings.Builder
	b.WriteString(textHead + "fn 1 \"main\"() entry {\nb0:\n%0 = load_subgroup_invocation.32\n%1 = load_const.32 value=(0x0)\n")
	for i := range n {
		fmt.Fprintf(&b, "%%%d = iadd.32 %%%d, %%0\n", i+2, i+1)
	}
	fmt.Fprintf(&b, "store_ssbo.x1 %%%d, %%1, %%1 write_mask=1\n}\n", n+1)
	return []byte(b.String())
}

// textLine returns a shader whose only instruction has n sources in one line.
func textLine(n int) []byte {
	return []byte(textHead + "fn 1 \"main\"() entry {\nb0:\n%0 = load_subgroup_invocation.32\n%1 = iadd.32 " + strings.Repeat("%0, ",
		n) + "%0\n}\n")
}

// textPhi returns a phi of n sources.
func textPhi(n int) []byte {
	return []byte(textHead + "fn 1 \"main\"() entry {\nb0:\n%0 = load_subgroup_invocation.32\nloop {\nb1:\n%1 = phi.32 " +
		strings.Repeat("b0: %0, ", n) + "b1: %0\n}\nb2:\n}\n")
}

func repeated(before, each, after string) func(int) []byte {
	return func(n int) []byte {
		var b strings.Builder
		b.WriteString(before)
		for i := range n {
			if strings.Contains(each, "#") {
				b.WriteString(strings.ReplaceAll(each, "#", fmt.Sprint(i+1)))
			} else {
				b.WriteString(each)
			}
		}
		b.WriteString(after)
		return []byte(b.String())
	}
}

var texts = []input{
	{"text, additions", textChain, ".jir", "opt -o /dev/null", 700000, 0},
	{"text, additions, compiled", textChain, ".jir", "compile -o /dev/null", 700000, 0},
	{"text, additions, viewed", textChain, ".jir", "view -o /dev/null", 700000, 0},
	{"text, one line", textLine, ".jir", "opt -o /dev/null", 5000000, 0},
	{"text, phi", textPhi, ".jir", "opt -o /dev/null", 2000000, 0},
	{"text, nested loops", repeated(textHead+"fn 1 \"main\"() entry {\nb0:\n", "loop {\nb#:\n", ""), ".jir", "opt -o /dev/null", 1000000, 0},
	{"text, nested types", repeated(textHead+"var @1 \"\" shared ", "[2 x ", "u32"), ".jir", "opt -o /dev/null", 4000000, 0},
	{"text, nested types 200", func(int) []byte {
		return []byte(textHead + "var @1 \"\" shared " + strings.Repeat("[2 x ", 200) + "u32, 0" + strings.Repeat("], 0", 199) +
			"]\nfn 1 \"main\"() entry {\nb0:\n}\n")
	}, ".jir", "compile -o /dev/null", 1, 0},
	{"text, variables", repeated(textHead, "var @# \"\" ssbo u32\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 800000, 0},
	{"text, structs", repeated(textHead, "struct S# \"\" {\n u32 \"\"\n}\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 700000, 0},
	{"text, registers", repeated(textHead, "reg # 32x4\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 1300000, 0},
	{"text, bindings", repeated("shader compute \"main\"\n", "binding # 0 ssbo count=100 index=# access=none\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 350000, 0},
	{"text, binding index", repeated("shader compute \"main\"\nworkgroup_size 1 1 1\n", "binding 0 0 ssbo count=4294967295 index=4294967295 access=none\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 1, 0},
	{"text, binding count", repeated("shader compute \"main\"\nworkgroup_size 1 1 1\n", "binding 0 0 ssbo count=4294967295 index=0 access=none\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 1, 0},
	{"text, workgroup", repeated("shader compute \"main\"\nworkgroup_size 4294967295 4294967295 4294967295\nshared_size 4294967295\nscratch_size 4294967295\npush_constant_size 4294967295\n", "", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 1, 0},
	{"text, constant data", repeated(textHead+"const_data ", "00", "\nfn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 9900000, 0},
	{"text, functions", repeated(textHead, "fn # \"main#\"() {\nb#:\n}\n", ""), ".jir", "compile -o /dev/null", 700000, 0},
	{"text, entry points", repeated(textHead, "fn # \"main#\"() entry {\nb#:\n}\n", ""), ".jir", "compile -o /dev/null", 500000, 0},
	{"text, blocks", repeated(textHead+"fn 1 \"main\"() entry {\n", "b#:\n", "}\n"), ".jir", "opt -o /dev/null", 2000000, 0},
	{"text, comments", repeated(textHead, "// nothing at all\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "opt -o /dev/null", 1000000, 0},
	{"text, empty lines", repeated(textHead, "\n", "fn 1 \"main\"() entry {\nb0:\n}\n"), ".jir", "opt -o /dev/null", 19000000, 0},
	{"text, punctuation", repeated(textHead, "{", ""), ".jir", "opt -o /dev/null", 19000000, 0},
	{"text, recursion", repeated(textHead+"fn 1 \"main\"() entry {\nb0:\ncall fn=1\n}\n", "", ""), ".jir", "opt -o /dev/null", 1, 0},
	{"text, name", repeated(textHead+"fn 1 \"", "a", "\"() entry {\nb0:\n}\n"), ".jir", "compile -o /dev/null", 19000000, 0},
}

// zeros returns n bytes of machine code that is all zeros.
func zeros(n int) []byte { return make([]byte, n) }

func random(n int) []byte {
	b := make([]byte, n)
	x := uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	return b
}

var codes = []input{
	{"code, zeros", zeros, ".bin", "dis", 20000000, 0},
	{"code, noise", random, ".bin", "dis", 20000000, 0},
	{"assembly, nops", repeated("", "nop\n", ""), ".asm", "asm -o /dev/null", 5000000, 0},
	{"assembly, labels", repeated("", "L#:\n", "nop\n"), ".asm", "asm -o /dev/null", 2000000, 0},
	{"assembly, branches", repeated("L0:\n", "endif (16|M0) L#\nL#:\n", "nop\n"), ".asm", "asm -o /dev/null", 650000, 0},
	{"assembly, semicolons", repeated("", ";", "\n"), ".asm", "asm -o /dev/null", 19000000, 0},
	{"assembly, comment", repeated("/*", "*", "/\n"), ".asm", "asm -o /dev/null", 19000000, 0},
	{"assembly, open comment", repeated("/*", "/*", ""), ".asm", "asm -o /dev/null", 9000000, 0},
	{"assembly, word", repeated("", "a", "\n"), ".asm", "asm -o /dev/null", 19000000, 0},
	{"assembly, moves", repeated("", "mov (16|M0) r1.0<1>:ud r2.0<8;8,1>:ud\n", ""), ".asm", "asm -o /dev/null", 500000, 0},
	{"assembly, adds", repeated("", "add (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {I@1}\n", ""), ".asm", "asm -o /dev/null", 350000, 0},
}
