// SPDX-License-Identifier: MIT

package selector

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/stages"
)

// reached records the rows that are chosen for shaders after all passes.
type reached struct {
	x    sel.Selector
	rows map[string]bool
}

// shader selects a shader of the reader for a machine. A shader that does not compile, such as one with 64-bit floats,
// reaches no row.
func (r *reached) shader(s *ir.Shader, t *target.Target) {
	c := pass.New(s)
	c.Options.Target = t
	if pipeline.ForTarget(c, nil) != nil {
		return
	}
	for _, says := range []answers{{yes: false}, {yes: true}} {
		if r.x.T = says; r.x.Prepare(&sel.Rows, s, s.Entry(), t) != nil {
			return
		}
		for b := range s.Blocks(s.Entry()) {
			r.rows[r.x.ChosenIf(s.NextNode(b))] = true
			for v := range s.Instrs(b) {
				r.rows[r.x.Chosen(v)] = true
			}
		}
	}
}

// answers is a back end that gives the same answers for every instruction.
type answers struct {
	sel.Target // methods that emit
	yes        bool
}

func (x answers) IsUniform(ir.Value) bool  { return x.yes }
func (x answers) FirstLevel(ir.Value) bool { return x.yes }
func (x answers) FarOffset(ir.Value) bool  { return x.yes }
func (x answers) Converts(ir.Value) bool   { return true }

// operation builds the operation that a row's pattern matches, with operands loaded from a buffer.
func (r *reached) operation(row *row) {
	p := &built{program: newProgram(), constants: true}
	p.S.Info.WorkgroupSize = [3]uint32{8, 1, 1}
	place := uint32(0)
	p.leaf = func(bits uint8) ir.Src {
		place += 4
		if bits == 1 {
			return p.ALU(op.ILt, p.leaf(32), p.leaf(32))
		}
		return p.S.All(p.Intrinsic(intrinsic.LoadSSBO, 1, bits, p.Imm(0), p.Imm(place)))
	}
	v, ok := p.node(row.tree, 0, op.NoBase, -1, nil)
	if !ok {
		return
	}
	if p.S.At(v.Val).Bits == 1 {
		v = p.ALU(op.BCsel, v, p.leaf(32), p.leaf(32))
	}
	p.store(v)
	r.shader(p.S, row.machine)
}

// intrinsics visits every intrinsic without sources that has a result.
func (r *reached) intrinsics() {
	for id := intrinsic.ID(1); int(id) < len(intrinsic.Table); id++ {
		if info := id.Info(); info.NumSrc == 0 && info.HasDest && info.Target == 0 {
			p := newProgram()
			p.S.Info.WorkgroupSize = [3]uint32{8, 1, 1}
			p.store(p.S.All(p.Intrinsic(id, max(info.DestComps, 1), 32)).Comp(0))
			r.shader(p.S, p.machine)
		}
	}
}

// TestRowsAreReached: every row of the selector is chosen, after all passes, for some shader of the tests, for an
// instance of the row's pattern, or for some intrinsic. A row whose pattern no pass leaves in a shader is dead.
func TestRowsAreReached(t *testing.T) {
	r := reached{rows: map[string]bool{}}
	for _, sh := range shaders.All() {
		module, err := os.ReadFile(filepath.Join("../../shaders", sh.ModuleFile()))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range target.All {
			s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				t.Fatal(err)
			}
			r.shader(s, m)
		}
	}
	for _, sh := range stages.Shaders(t) {
		for _, m := range slices.Concat(target.All, target.Partial) {
			s, err := spirv.Read(sh.Module, spirv.Options{Stage: sh.Stage})
			if err != nil {
				t.Fatal(sh.Name, err)
			}
			r.shader(s, m)
		}
	}
	var texts []string
	for _, dir := range []string{"testdata", "../whole/testdata/passes", "../../../core/pass/filetests/testdata/*"} {
		some, err := filepath.Glob(filepath.Join(dir, "*.jir"))
		if err != nil || len(some) == 0 {
			t.Fatal("no programs in ", dir, err)
		}
		texts = append(texts, some...)
	}
	for _, name := range texts {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range slices.Concat(target.All, target.Partial) {
			s, err := text.Parse(src)
			if err != nil {
				t.Fatal(name, err)
			}
			r.shader(s, m)
		}
	}
	fromShaders := len(r.rows)
	for _, row := range rows(t) {
		r.operation(&row)
	}
	r.intrinsics()
	t.Logf("%d rows by shaders, %d together, of %d", fromShaders, len(r.rows), len(sel.Names))
	var dead []string
	for _, name := range sel.Names {
		if !r.rows[name] && !slices.Contains(dead, name) {
			dead = append(dead, name)
		}
	}
	for _, name := range dead {
		t.Errorf("[select.%s] is reached by nothing", name)
	}
}
