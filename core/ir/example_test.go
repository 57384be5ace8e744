// SPDX-License-Identifier: MIT

package ir_test

import (
	"fmt"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// doubled returns a shader that stores 2·i at offset 4·i of buffer 0, for even i.
func doubled() *ir.Shader {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{64, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	i := b.LoadLocalInvocationIndex(32)
	even := b.IEq(b.IAnd(i, b.Imm(1)), b.Imm(0))
	n := s.InsertIf(s.FirstBlock(f), even)
	b.AtEnd(s.Then(n))
	b.StoreSSBO(b.IMul(i, b.Imm(2)), b.Imm(0), b.IMul(i, b.Imm(4)), 1, 0, 4, 0)
	return s
}

// A shader is built by the constructors of generated/build, which has one for each opcode
// and intrinsic.
func Example_build() {
	s := doubled()
	if err := validate.Shader(s); err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(text.Print(s)))
	// Output:
	// shader compute ""
	// workgroup_size 64 1 1
	// fn 1 "main"() entry {
	//   b0:
	//     %0 = load_local_invocation_index.32
	//     %1 = load_const.32 value=(0x1) // 1
	//     %2 = iand.32 %0, %1
	//     %3 = load_const.32 value=(0x0) // 0
	//     %4 = ieq.1 %2, %3
	//   if %4 {
	//     b1:
	//       %5 = load_const.32 value=(0x2) // 2
	//       %6 = imul.32 %0, %5
	//       %7 = load_const.32 value=(0x0) // 0
	//       %8 = load_const.32 value=(0x4) // 4
	//       %9 = imul.32 %0, %8
	//       store_ssbo.x1 %6, %7, %9 write_mask=1 align_mul=4
	//   } else {
	//     b2:
	//   }
	//   b3:
	// }
}

// Control flow is a tree; a walk over it needs no analysis.
func Example_walk() {
	s := doubled()
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			n := 0
			for range s.Instrs(b) {
				n++
			}
			in := "the function"
			if p := s.Parent(b); s.NodeKind(p) == ir.NodeIf {
				in = "an if"
			}
			fmt.Printf("a block of %d instructions in %s\n", n, in)
		}
	}
	// Output:
	// a block of 5 instructions in the function
	// a block of 6 instructions in an if
	// a block of 0 instructions in an if
	// a block of 0 instructions in the function
}

// A rewrite puts new instructions before the old one, replaces its uses and removes it.
func Example_rewrite() {
	s := doubled()
	b := build.New(s)
	for blk := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(blk) {
			by, known := uint64(0), false
			if s.At(v).IsALU(op.IMul) {
				by, known = s.ConstOf(s.Src(v, 1))
			}
			if !known || by != 2 {
				continue
			}
			x := s.Src(v, 0)
			b.Before(v)
			s.ReplaceUses(v, b.IAdd(x, x))
			s.Remove(v)
		}
	}
	fmt.Print(string(text.Print(s)))
	// Output:
	// shader compute ""
	// workgroup_size 64 1 1
	// fn 1 "main"() entry {
	//   b0:
	//     %0 = load_local_invocation_index.32
	//     %1 = load_const.32 value=(0x1) // 1
	//     %2 = iand.32 %0, %1
	//     %3 = load_const.32 value=(0x0) // 0
	//     %4 = ieq.1 %2, %3
	//   if %4 {
	//     b1:
	//       %5 = load_const.32 value=(0x2) // 2
	//       %6 = iadd.32 %0, %0
	//       %7 = load_const.32 value=(0x0) // 0
	//       %8 = load_const.32 value=(0x4) // 4
	//       %9 = imul.32 %0, %8
	//       store_ssbo.x1 %6, %7, %9 write_mask=1 align_mul=4
	//   } else {
	//     b2:
	//   }
	//   b3:
	// }
}

// Every value knows its users.
func ExampleShader_Uses() {
	s := doubled()
	index := s.First(s.FirstBlock(s.Entry()))
	for u := range s.Uses(index) {
		fmt.Println(text.Instr(s, u.User))
	}
	// Output:
	// %10 = imul.32 %1, %9
	// %7 = imul.32 %1, %6
	// %3 = iand.32 %1, %2
}

// Records of removed instructions are reused, and Reset keeps a shader's memory.
func ExampleShader_Reset() {
	s := doubled()
	before := s.NumValues()
	s.Reset()
	fmt.Println(before, s.NumValues()) // a table of values has an entry for handle 0
	// Output:
	// 12 1
}

// Text is read back as it was printed.
func Example_text() {
	const source = `shader compute "main"
fn 1 "main"() entry {
  b0:
    %0 = load_const.32x2 value=(0x1, 0x2) // 1 2
    %1 = iadd.32 %0.x, %0.y
}
`
	s, err := text.Parse([]byte(source))
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := s.Last(s.FirstBlock(s.Entry()))
	for i := range 2 {
		r := s.Src(sum, i)
		fmt.Println(s.At(r.Val).Kind == kind.LoadConst, r.N, r.Swz.Comp(0), s.Const(r.Val, int(r.Swz.Comp(0))))
	}
	fmt.Print(string(text.Print(s)))
	// Output:
	// true 1 0 1
	// true 1 1 2
	// shader compute "main"
	// fn 1 "main"() entry {
	//   b0:
	//     %0 = load_const.32x2 value=(0x1, 0x2) // 1 2
	//     %1 = iadd.32 %0.x, %0.y
	// }
}
