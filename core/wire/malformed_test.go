// SPDX-License-Identifier: MIT

package wire

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// resealed corrects the checksum of a file.
func resealed(file []byte) []byte {
	putChecksum(file)
	return file
}

// TestEveryCheck replaces every byte in the file of a shader that uses everything. Each check of the decoder must fail
// for some of these files, and every file that is read can be written and read again.
func TestEveryCheck(t *testing.T) {
	src, err := os.ReadFile("../text/testdata/sample.jir")
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	s.Info.DenormFlush = 128 // a number of two bytes for a field of one byte
	file := Marshal(s)
	said := map[string]bool{}
	word := regexp.MustCompile(`\d+|"[^"]*"`)
	for at := headerSize; at < len(file); at++ {
		old := file[at]
		for with := range 24 {
			if file[at] = byte(with); with >= 16 {
				file[at] = old + byte(with) - 19 // values near the old one
			}
			back, err := Unmarshal(resealed(file))
			if err != nil {
				said[word.ReplaceAllString(err.Error(), "#")] = true
				continue
			}
			if _, err := Unmarshal(Marshal(back)); err != nil {
				t.Fatalf("byte %d is %#x: what is read cannot be read again: %v", at, file[at], err)
			}
		}
		file[at] = old
	}
	var all strings.Builder
	for m := range said {
		all.WriteString(m + "\n")
	}
	for _, want := range []string{
		`# is not the tag of a node`, `expected an instruction, but the form is that of a record, \w+`,
		`.* has an invalid size, # bits`, `.* has an invalid number of components, #`, `location #, but there are #`, `var names no variable`, `callee names no function`,
		`an absent source has a swizzle`, `a source reads instruction # of #`, `a source reads an instruction without result`,
		`a source reads component # of a value that has #`, `block #, but there are #`, `the file ends where .* is expected`,
		`# .*, but only # bytes are left`, `form #, but there are #`, `variable # has no mode`,
		`expected a \w+, but the form is that of .*`, `denorm_flush of info is #, which is too large`, `zero of var is #, which is too large`, `\w+ is missing; it is a value of \w+`,
		`\w+ is a value of \w+, not of \w+`, `unknown record #`, `.* has no field #`, `.* has the field # twice`, `.*: the field # is of type .*, but of type .* in the file`,
		`.* lacks the field #`, `unknown kind of instruction #`, `unknown opcode #`, `unknown intrinsic #`,
		`instructions of kind .* have no opcode, but the file has #`,
		`.* has # sources, but # in the file`, `unknown enumeration #`, `a value of \w+ has # names`, `unknown value # of \w+`,
	} {
		if !regexp.MustCompile(`(?m)^byte #: ` + want + `$`).MatchString(all.String()) {
			t.Errorf("no damage is reported as %s", want)
		}
	}
	if t.Failed() {
		t.Log(all.String())
	}
}

// TestRefused: the decoder rejects files that the encoder writes for malformed shaders.
func TestRefused(t *testing.T) {
	fresh := func() (*ir.Shader, ir.Builder) {
		s := ir.New()
		f := s.NewFunc("main")
		b := ir.NewBuilder(s)
		b.AtEnd(s.FirstBlock(f))
		return s, b
	}
	for _, c := range []struct {
		name, want string
		make       func(s *ir.Shader, b *ir.Builder)
	}{
		{"size", "undef has an invalid size, 24 bits", func(s *ir.Shader, b *ir.Builder) { s.At(b.Undef(1, 32).Val).Bits = 24 }},
		{"many components", "undef has an invalid number of components, 17", func(s *ir.Shader, b *ir.Builder) { s.At(b.Undef(1, 32).Val).Comps = 17 }},
		{"no components", "undef has an invalid number of components, 0", func(s *ir.Shader, b *ir.Builder) { s.At(b.Undef(1, 32).Val).Comps = 0 }},
		{"after a jump", "undef follows the jump that ends the block", func(s *ir.Shader, b *ir.Builder) {
			b.Jump(kind.JumpReturn)
			b.Undef(1, 32)
		}},
		{"without result", "a source reads an instruction without result", func(s *ir.Shader, b *ir.Builder) {
			x := b.Undef(1, 32)
			v := b.Intrinsic(intrinsic.StoreSSBO, 1, 0, x, x, x)
			s.SetSrc(v, 0, ir.Src{Val: v, Swz: ir.Identity})
		}},
		{"swizzle", "a source reads component 2 of a value that has 2", func(s *ir.Shader, b *ir.Builder) {
			n := b.ALU(op.INeg, b.Undef(1, 32))
			s.SetSrc(n.Val, 0, ir.Src{Val: b.Undef(2, 32).Val, Swz: ir.Broadcast(2)})
		}},
		{"swizzle of a condition", "a source reads component 1 of a value that has 1", func(s *ir.Shader, b *ir.Builder) {
			x := b.Undef(1, 1)
			x.Swz = ir.Broadcast(1)
			s.InsertIf(s.FirstBlock(1), x)
		}},
		{"nodes", "ifs and loops are nested too deeply", func(s *ir.Shader, b *ir.Builder) {
			n := s.FirstBlock(1)
			for range maxNest + 1 {
				n = s.Body(s.InsertLoop(n))
			}
		}},
		{"arrays", "types are nested too deeply", func(s *ir.Shader, b *ir.Builder) {
			t := s.Types.Scalar(ir.TypeInt, 32)
			for range maxNest + 1 {
				t = s.Types.Array(t, 2, 0)
			}
			s.NewVar(ir.VarInfo{Mode: kind.ModeSSBO, Type: t})
		}},
		{"structs", "types are nested too deeply", func(s *ir.Shader, b *ir.Builder) {
			t := s.Types.Scalar(ir.TypeInt, 32)
			for range maxNest + 1 {
				t = s.Types.Struct(ir.TypeInfo{}, []ir.Member{{Type: t}})
			}
			s.NewVar(ir.VarInfo{Mode: kind.ModeSSBO, Type: t})
		}},
	} {
		s, b := fresh()
		c.make(s, &b)
		if _, err := Unmarshal(Marshal(s)); err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	// The maximum depth.
	s, _ := fresh()
	n, typ := s.FirstBlock(1), s.Types.Scalar(ir.TypeInt, 32)
	for range maxNest {
		n = s.Body(s.InsertLoop(n))
	}
	for range maxNest - 2 {
		typ = s.Types.Struct(ir.TypeInfo{}, []ir.Member{{Type: typ}})
	}
	s.NewVar(ir.VarInfo{Mode: kind.ModeSSBO, Type: typ})
	if _, err := Unmarshal(Marshal(s)); err != nil {
		t.Error(err)
	}
}

// TestSourcesFitTheirNumber: a form with more sources than an instruction can have is rejected.
func TestSourcesFitTheirNumber(t *testing.T) {
	s := ir.New()
	s.NewFunc("main")
	s.Info.ConstData = make([]byte, 1<<17)
	e := newEncoder(s)
	e.form("phi", "", 1<<16, fieldsOf(kind.Phi, 0))
	want := fmt.Sprintf("phi has 0 sources, but %d in the file", 1<<16)
	if _, err := Unmarshal(e.file()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// TestTwoEntries gives the second function the form of the first, so that it is an entry point too.
func TestTwoEntries(t *testing.T) {
	s := ir.New()
	s.Func(s.NewFunc("main")).Entry = true
	s.NewFunc("other")
	e := newEncoder(s)
	file := e.file()
	name, entry := field{name: "name", typ: propString}, field{name: "entry", typ: "bool"}
	first, second := byte(e.form(record, "fn", 0, []field{name, entry})), byte(e.form(record, "fn", 0, []field{name}))
	other := byte(e.str("other"))
	with := bytes.Replace(file, []byte{second, other, 0}, []byte{first, other, 1, 0}, 1)
	if _, err := Unmarshal(resealed(with)); err == nil || !strings.Contains(err.Error(), "two functions are the entry point") {
		t.Errorf("%v", err)
	}
}

// TestOneName: only the value of a mask has several names.
func TestOneName(t *testing.T) {
	for n, want := range []string{"a value of stage has 0 names", "", "a value of stage has 2 names"} {
		e := newEncoder(ir.New())
		e.enums[enumValue{&kind.EnumStage, uint32(e.s.Info.Stage)}] = 1
		e.enumOut = append(e.enumOut, byte(e.str("stage")), byte(n))
		for i := range n {
			e.enumOut = append(e.enumOut, byte(e.str(kind.EnumStage.Names[i])))
		}
		if _, err := Unmarshal(e.file()); (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d names: %v", n, err)
		}
	}
}

// TestMissingFieldsHaveDefaults reads intrinsics from a file that seems to have been written before their last indices
// were added.
func TestMissingFieldsHaveDefaults(t *testing.T) {
	seen := 0
	for id := intrinsic.ID(1); id < intrinsic.Count; id++ {
		info := id.Info()
		for have := range int(info.NumIx) {
			s := ir.New()
			b := ir.NewBuilder(s)
			b.AtEnd(s.FirstBlock(s.NewFunc("main")))
			x := b.Undef(16, 32)
			src := make([]ir.Src, info.NumOperands())
			for i := range src {
				src[i] = x
			}
			v := b.Intrinsic(id, 1, 32, src...)
			for i := range int(info.NumIx) {
				s.Words(v)[i] = 1
			}
			in := s.At(v)
			e := newEncoder(s)
			fields := fieldsOf(kind.Intrinsic, uint16(id))[:have]
			e.instrForms[instrKey{in.Kind, in.Op, in.NSrc}] = instrForm{e.form("intrinsic", info.Name, len(src), fields), fields}
			back, err := Unmarshal(e.file())
			if err != nil {
				t.Fatalf("%s with %d indices: %v", id, have, err)
			}
			w := back.At(back.First(back.FirstBlock(1))).Next()
			for i, ix := range info.Ix[:info.NumIx] {
				want := uint32(1)
				if i >= have {
					if want = intrinsic.Indices[ix].Default; want != 0 {
						seen++
					}
				}
				if got := back.Words(w)[i]; got != want {
					t.Errorf("%s with %d indices: %s is %d, want %d", id, have, intrinsic.Indices[ix].Name, got, want)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no index has a default other than 0")
	}
}
