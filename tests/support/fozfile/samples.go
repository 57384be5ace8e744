// SPDX-License-Identifier: MIT

package fozfile

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
)

// Hashes of the pipelines of the samples.
const (
	Lit, LitAgain, Plain, Tessellated  = 0xa1, 0xa2, 0xa3, 0xa4
	Doubled, DoubledAgain, Wide, Eight = 0xb1, 0xb2, 0xb3, 0xb4
)

// module returns a module of the project. file is relative to its root. It panics if there is none.
func module(file string) []byte {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		panic(err)
	}
	return data
}

// Graphics returns the entries of an archive with graphics pipelines, stored compressed with checksums, as Steam's
// layer does it. Two pipelines share both shaders; the third differs in its vertex shader; the fourth has a stage that
// cannot be compiled.
func Graphics() []Entry {
	const (
		set, layout, pass = 0xd1, 0xe1, 0xf1
		vert, frag        = 0xc1, 0xc2
		vertex, fragment  = 1, 16
		tessControl       = 2
	)
	v, f := Stage{Bit: vertex, Module: vert, Entry: "main"}, Stage{Bit: fragment, Module: frag, Entry: "main"}
	w := v
	w.Spec = []Spec{{ID: 9, Size: 4, Bits: 1}} // the module has no such constant
	list := []Entry{
		{Tag: AppInfo, Hash: 1, Payload: []byte(`{"version":6,"applicationInfo":{"applicationName":"sample","apiVersion":4198400},` +
			`"physicalDeviceFeatures":{}}`)},
		{Tag: SetLayout, Hash: set, Payload: SetLayoutPayload(set, `[{"descriptorType":6,"descriptorCount":1,"stageFlags":1,"binding":0},`+
			`{"descriptorType":1,"descriptorCount":4,"stageFlags":16,"binding":1,"immutableSamplers":["0000000000000000"]}]`)},
		{Tag: PipelineLayout, Hash: layout, Payload: LayoutPayload(layout, `[{"stageFlags":17,"size":64,"offset":0}]`, set)},
		{Tag: RenderPass, Hash: pass, Payload: []byte(`{"version":6,"renderPasses":{"00000000000000f1":{"flags":0,` +
			`"attachments":[],"subpasses":[]}}}`)},
		{Tag: Module, Hash: vert, Payload: ModulePayload(vert, module("testdata/example/lit.vert.spv"))},
		{Tag: Module, Hash: frag, Payload: ModulePayload(frag, module("testdata/example/lit.frag.spv"))},
		{Tag: GraphicsPipeline, Hash: Lit, Payload: GraphicsPayload(Lit, layout, pass, v, f)},
		{Tag: GraphicsPipeline, Hash: LitAgain, Payload: GraphicsPayload(LitAgain, layout, 0, v, f)},
		{Tag: GraphicsPipeline, Hash: Plain, Payload: GraphicsPayload(Plain, layout, pass, w, f)},
		{Tag: GraphicsPipeline, Hash: Tessellated, Payload: GraphicsPayload(Tessellated, 0, pass, v,
			Stage{Bit: tessControl, Module: vert, Entry: "main"})},
	}
	for i := range list {
		list[i].Deflate, list[i].Sum = true, true
	}
	return list
}

// Compute returns the entries of an archive with compute pipelines, stored in several ways. Two pipelines specialize a
// module in the same way, the third differently; the fourth requires a size of subgroups. A module is not used.
func Compute() []Entry {
	const (
		set, layout            = 0xd2, 0xe2
		spec, saxpy, unused    = 0xc3, 0xc4, 0xc5
		compute                = 32
		scale, factor, flipped = 1, 3, 4
	)
	code := module("tests/shaders/spec_constants.comp.spv")
	s := Stage{Bit: compute, Module: spec, Entry: "main", Spec: []Spec{{0, 4, 8}, {scale, 4, 5}, {factor, 4, 0x40000000}, {flipped, 4, 1}}}
	w := s
	w.Spec = []Spec{{0, 4, 64}, {scale, 4, 3}}
	e := Stage{Bit: compute, Module: saxpy, Entry: "main", Subgroup: 8}
	return []Entry{
		{Tag: SetLayout, Hash: set, Payload: SetLayoutPayload(set, `[{"descriptorType":7,"descriptorCount":1,`+
			`"stageFlags":2147483647,"binding":0}]`)},
		{Tag: PipelineLayout, Hash: layout, Payload: LayoutPayload(layout, `[]`, 0, set)},
		{Tag: Module, Hash: spec, Payload: ModulePayload(spec, code), Deflate: true, Sum: true},
		{Tag: Module, Hash: saxpy, Payload: ModuleText(saxpy, module("tests/shaders/saxpy.comp.spv")), Deflate: true},
		{Tag: Module, Hash: unused, Payload: ModulePayload(unused, module("tests/shaders/saxpy.comp.spv")), Sum: true},
		{Tag: ComputePipeline, Hash: Doubled, Payload: ComputePayload(Doubled, layout, s), Deflate: true},
		{Tag: ComputePipeline, Hash: DoubledAgain, Payload: ComputePayload(DoubledAgain, 0, s)},
		{Tag: ComputePipeline, Hash: Wide, Payload: ComputePayload(Wide, layout, w), Sum: true},
		{Tag: ComputePipeline, Hash: Eight, Payload: ComputePayload(Eight, layout, e)},
		{Tag: 40, Hash: 7, Payload: []byte("of a later version")},
	}
}

// Bytes returns the bytes that lines of hexadecimal digits denote. Text after # is a comment.
func Bytes(text string) (data []byte) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			for ; len(word) >= 2; word = word[2:] {
				data = append(data, digit(word[0])<<4|digit(word[1]))
			}
			if word != "" {
				panic("a single digit in " + line)
			}
		}
	}
	return data
}

func digit(c byte) byte {
	at := strings.IndexByte("0123456789abcdef", c)
	if at < 0 {
		panic("not a digit: " + string(c))
	}
	return byte(at)
}

//go:embed hand.hex
var hand string

// Hand returns an archive that was written by hand after the documentation: a compute shader and its pipeline. Its last
// entry is incomplete.
func Hand() []byte { return Bytes(hand) }
