// SPDX-License-Identifier: MIT

package wire_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/wire"
)

// instrs counts instructions.
func instrs(s *ir.Shader) (n int) {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for range s.Instrs(b) {
				n++
			}
		}
	}
	return n
}

func BenchmarkMarshal(b *testing.B) {
	s := sample(b)
	for b.Loop() {
		wire.Marshal(s)
	}
	b.ReportMetric(float64(len(wire.Marshal(s)))/float64(instrs(s)), "bytes/instr")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*instrs(s)), "ns/instr")
}

func BenchmarkUnmarshal(b *testing.B) {
	s := sample(b)
	file := wire.Marshal(s)
	for b.Loop() {
		if _, err := wire.Unmarshal(file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*instrs(s)), "ns/instr")
	b.ReportMetric(float64(len(text.Print(s)))/float64(len(file)), "text/binary")
}
