// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"jacquard.example"
)

// Compile a compute shader for the default target.
func ExampleCompile() {
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	program, err := jacquard.Compile(context.Background(), module, jacquard.Options{File: "saxpy.comp.spv"})
	var refused *jacquard.Error
	switch {
	case errors.Is(err, jacquard.ErrUnsupported):
		log.Fatal("not supported: ", err)
	case errors.As(err, &refused):
		log.Fatalf("line %d, word %d: %s", refused.Line, refused.Word, refused.Msg)
	case err != nil:
		log.Fatal(err) // a defect of the compiler
	}
	code := &program.Variants[0]
	text, err := program.Assembly(code)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s shader, %d lanes, workgroups of %v\n", program.Stage, code.SIMD, program.ABI.LocalSize)
	fmt.Println(strings.Count(text, "send.dc1"), "messages to memory")
	for entry, r := range program.ABI.Bindings {
		fmt.Printf("entry %d of the binding table: %s buffer of set %d, binding %d\n", entry, r.Kind, r.Set, r.Binding)
	}
	// Output:
	// compute shader, 16 lanes, workgroups of [128 1 1]
	// 3 messages to memory
	// entry 0 of the binding table: storage buffer of set 0, binding 0
	// entry 1 of the binding table: storage buffer of set 0, binding 1
}

// Compile at several widths.
func ExampleCompile_widths() {
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	program, err := jacquard.Compile(context.Background(), module, jacquard.Options{Widths: []int{8, 16, 32}})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range program.Variants {
		fmt.Println(v.SIMD, "lanes,", v.Stats.Spills, "spills")
	}
	// Output:
	// 8 lanes, 0 spills
	// 16 lanes, 0 spills
	// 32 lanes, 0 spills
}

// Place descriptors at the entries of the caller's binding table.
func ExampleLayout() {
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	program, err := jacquard.Compile(context.Background(), module, jacquard.Options{Layout: &jacquard.Layout{
		Entries: []jacquard.Entry{{Set: 0, Binding: 0, Entry: 4}, {Set: 0, Binding: 1, Entry: 2}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	for entry, r := range program.ABI.Bindings {
		if r.Kind != "unused" {
			fmt.Printf("entry %d: set %d, binding %d\n", entry, r.Set, r.Binding)
		}
	}
	// Output:
	// entry 2: set 0, binding 1
	// entry 4: set 0, binding 0
}

// Keep programs in a folder, under the key of their module and options.
func ExampleKey() {
	dir, err := os.MkdirTemp("", "cache")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	compile := func(module []byte, o jacquard.Options) (p *jacquard.Program, cached bool, err error) {
		key := jacquard.Key(module, o)
		file := filepath.Join(dir, key)
		if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &p) == nil {
			return p, true, nil
		}
		p, err = jacquard.Compile(context.Background(), module, o)
		if err != nil || key == "" { // errors are not kept, nor anything without a key
			return p, false, err
		}
		data, err := json.Marshal(p)
		if err != nil {
			return nil, false, err
		}
		part, err := os.CreateTemp(dir, "part") // renamed when it is complete: others may read the folder
		if err != nil {
			return nil, false, err
		}
		_, err = part.Write(data)
		if err = errors.Join(err, part.Close()); err == nil {
			err = os.Rename(part.Name(), file)
		}
		return p, false, err
	}
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range []jacquard.Options{{}, {}, {SIMD: 8}} {
		program, cached, err := compile(module, o)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(program.Variants[0].SIMD, "lanes, from the cache:", cached)
	}
	// Output:
	// 16 lanes, from the cache: false
	// 16 lanes, from the cache: true
	// 8 lanes, from the cache: false
}

// Link the two shaders of a graphics pipeline, so that outputs that the fragment shader does not read are not written.
func ExampleLink() {
	vertex, err := os.ReadFile("testdata/example/lit.vert.spv")
	if err != nil {
		log.Fatal(err)
	}
	fragment, err := os.ReadFile("testdata/example/lit.frag.spv")
	if err != nil {
		log.Fatal(err)
	}
	p, err := jacquard.Link(context.Background(), vertex, fragment, jacquard.Options{}, jacquard.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Interface.Dead, "components are not written")
	for _, in := range p.Fragment.ABI.Inputs {
		fmt.Printf("slot %d: %s %d\n", in.Slot, in.Is, in.Location)
	}
	// Output:
	// 2 components are not written
	// slot 0: location 0
}

// Ask what instructions are for and what they cost.
func ExampleOptions_explain() {
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	program, err := jacquard.Compile(context.Background(), module, jacquard.Options{Explain: true})
	if err != nil {
		log.Fatal(err)
	}
	code := &program.Variants[0]
	cycles := 0
	for _, line := range code.Lines {
		cycles += (line.Issue + line.Wait) * line.Times
	}
	fmt.Println("the lines' cycles are the estimate:", cycles == code.Stats.Cycles)
	for _, line := range code.Lines {
		if strings.Contains(line.IR, "store_ssbo") {
			fmt.Println("the store is selected by row", line.Row)
		}
	}
	// Output:
	// the lines' cycles are the estimate: true
	// the store is selected by row store_ssbo
}

// Write a file that Intel's Level Zero and OpenCL runtimes load.
func ExampleProgram_Zebin() {
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	program, err := jacquard.Compile(context.Background(), module, jacquard.Options{Zebin: true})
	if err != nil {
		log.Fatal(err)
	}
	file, err := program.Zebin()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", file[:4])
	for index, a := range program.ZebinArguments() {
		fmt.Println(index, a.Kind)
	}
	// Output:
	// "\x7fELF"
	// 0 storage
	// 1 storage
	// 2 base_group
	// 3 push_constants
}

// Watch the passes.
func ExampleOptions_trace() {
	module, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		log.Fatal(err)
	}
	_, err = jacquard.Compile(context.Background(), module, jacquard.Options{Trace: func(s *jacquard.Step) {
		if s.Pass == "select" || s.Pass == "allocate" {
			text := s.Text() // must be called before Trace returns
			fmt.Printf("%s at %d lanes; virtual registers: %v\n", s.Pass, s.SIMD, strings.Contains(string(text), "v1"))
		}
	}})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// select at 16 lanes; virtual registers: true
	// allocate at 16 lanes; virtual registers: false
}
