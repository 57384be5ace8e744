// SPDX-License-Identifier: MIT

package tree

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// names are the identifiers of the generated packages that Go code uses: "op.IAdd", "kind.Mode", and the methods that
// are called, ".IAdd".
type names map[string]bool

// scan reads the Go files below a folder, tests excepted.
func (n names) scan(t *testing.T, dir string, skip ...string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(skip, filepath.ToSlash(path)) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.CallExpr:
				if f, ok := x.Fun.(*ast.SelectorExpr); ok {
					n["."+f.Sel.Name] = true
				}
			case *ast.SelectorExpr:
				if p, ok := x.X.(*ast.Ident); ok {
					n[p.Name+"."+x.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// constants returns the names of the typed constants in a package's folder by type, in the order of declaration.
func constants(t *testing.T, dir string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			typ := ""
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if id, ok := v.Type.(*ast.Ident); ok {
					typ = id.Name
				}
				if typ != "" {
					out[typ] = append(out[typ], v.Names[0].Name)
				}
			}
		}
	}
	return out
}

// bySPIRV returns the opcodes that the reader's tables use.
func bySPIRV() map[op.Op]bool {
	used := map[op.Op]bool{}
	plus1 := func(o uint16) {
		if o != 0 {
			used[op.Op(o-1)] = true
		}
	}
	for _, f := range spirvtab.Families {
		for _, o := range f {
			plus1(o)
		}
	}
	for _, p := range spirvtab.Programs {
		plus1(p.Plain)
		for _, x := range p.Nodes {
			if x.Kind == spirvtab.NodeOp && x.Pick == spirvtab.PickFixed {
				used[op.Op(x.Op)] = true
			}
		}
	}
	return used
}

// unusedOpcodes lists the opcodes that no rule, selection row or pass refers to and that are not in used. Opcodes that
// only kernels use are exempt until a reader for kernels exists.
func unusedOpcodes(t *testing.T, n names, used map[op.Op]bool) []string {
	list := constants(t, "../../../generated/op")["Op"]
	if len(list) < int(op.Count) {
		t.Fatalf("%d constants for %d opcodes", len(list), op.Count)
	}
	var out []string
	for i := range op.Op(op.Count) {
		if name := list[i]; !n["op."+name] && !n["."+name] && !used[i] && !i.Info().Kernel {
			out = append(out, i.Info().Name)
		}
	}
	return out
}

// unusedIndices lists the indices that no intrinsic has.
func unusedIndices() []string {
	var out []string
	for ix := range intrinsic.Index(intrinsic.NumIndices) {
		used := false
		for id := range intrinsic.ID(intrinsic.Count) {
			info := id.Info()
			used = used || slices.Contains(info.Ix[:info.NumIx], ix)
		}
		if !used {
			out = append(out, intrinsic.Indices[ix].Name)
		}
	}
	return out
}

// unusedEnums lists the enumerations whose type and values no code refers to.
func unusedEnums(t *testing.T, n names) []string {
	var out []string
	indexed := map[string]bool{}
	for _, ix := range intrinsic.Indices {
		indexed[strings.ReplaceAll(ix.Enum, "_", "")] = true
	}
	for typ, values := range constants(t, "../../../generated/kind") {
		if low := strings.ToLower(typ); indexed[low] || indexed[strings.TrimSuffix(low, "s")] {
			continue
		}
		if !n["kind."+typ] && !slices.ContainsFunc(values, func(v string) bool { return n["kind."+v] }) {
			out = append(out, typ)
		}
	}
	slices.Sort(out)
	return out
}

// unusedIntrinsics lists the intrinsics of compute shaders that no code refers to. Intrinsics of other stages are
// exempt until readers for these stages exist.
func unusedIntrinsics(t *testing.T, n names) []string {
	list := constants(t, "../../../generated/intrinsic")["ID"]
	if len(list) != int(intrinsic.Count)+1 { // Count is one
		t.Fatalf("%d constants for %d intrinsics", len(list), intrinsic.Count)
	}
	var out []string
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if name := list[id]; id.Info().Stages.Has(uint32(kind.StageCompute)) && !n["intrinsic."+name] && !n["."+name] {
			out = append(out, id.Info().Name)
		}
	}
	return out
}

// unusedKinds lists the kinds of instructions that no code creates or tests for.
func unusedKinds(t *testing.T, n names) []string {
	list := constants(t, "../../../generated/kind")["Kind"]
	if len(list) != int(kind.Count)+1 {
		t.Fatalf("%d constants for %d kinds", len(list), kind.Count)
	}
	var out []string
	for k := kind.Invalid + 1; k < kind.Count; k++ {
		if !n["kind."+list[k]] && !n["."+list[k]] {
			out = append(out, kind.Infos[k].Name)
		}
	}
	return out
}

// unusedCapabilities lists the capabilities of targets that no code queries.
func unusedCapabilities(t *testing.T, n names) []string {
	list := constants(t, "../../../generated/target")["Capability"]
	if len(list) < 10 {
		t.Fatalf("%d capabilities", len(list))
	}
	return slices.DeleteFunc(list, func(c string) bool { return n["target."+c] })
}

// at returns the start of an error about a row: its position in the tables, or the
// directory if the row defines several names and does not have this one.
func at(t *testing.T, folder, row string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../../defs", folder, "*.toml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables in defs/%s (%v)", folder, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.TrimSpace(line) == "["+row+"]" {
				return fmt.Sprintf("defs/%s/%s:%d:1: error: [%s]", folder, filepath.Base(f), i+1, row)
			}
		}
	}
	return fmt.Sprintf("defs/%s: error: [%s]", folder, row)
}

// notMade maps kinds that readers and passes do not create to the reason why they exist.
var notMade = map[string]string{
	"parallel_copy": "texts and tools of others may use them; here, phis become stores to and loads of registers",
}

// forOthers maps opcodes that rules only expand to the reason why they exist.
var forOthers = map[op.Op]string{
	op.IAdd3: "targets of later generations add three numbers at once; an option takes it apart for the others",
}

// TestNothingUnused: every opcode, index, enumeration, intrinsic and kind of the
// tables has a use.
func TestNothingUnused(t *testing.T) {
	n := names{}
	n.scan(t, "../../../core")
	n.scan(t, "../../../backend")
	n.scan(t, "../../../generated", "../../../generated/op", "../../../generated/kind", "../../../generated/intrinsic",
		"../../../generated/build", "../../../generated/fold")
	used := bySPIRV()
	for o := range forOthers {
		used[o] = true
	}
	list := unusedOpcodes(t, n, used)
	for _, o := range list {
		t.Errorf("%s nothing uses it: no SPIR-V row, rule, row of instruction selection or pass", at(t, "opcodes", "op."+o))
	}
	for _, id := range unusedIntrinsics(t, n) {
		t.Errorf("%s nothing uses it: no SPIR-V row, row of instruction selection, pass or reader", at(t, "intrinsics", "intrinsic."+id))
	}
	makers := names{}
	makers.scan(t, "../../../core/spirv")
	makers.scan(t, "../../../core/pass")
	makers.scan(t, "../../../backend")
	for _, k := range unusedKinds(t, makers) {
		if notMade[k] == "" {
			t.Errorf("%s the reader, the passes and the back end have no use for it", at(t, "ir", "kind."+k))
		}
	}
	for k := range notMade {
		if !slices.Contains(unusedKinds(t, makers), k) {
			t.Errorf("[kind.%s] is used, and listed as one that is not", k)
		}
	}
	for _, ix := range unusedIndices() {
		t.Errorf("%s no intrinsic has it", at(t, "ir", "index."+ix))
	}
	for _, c := range unusedCapabilities(t, n) {
		t.Errorf("defs/intel/target/capabilities.toml: no code asks for target.%s, and no row of selection", c)
	}
	for _, e := range unusedEnums(t, n) {
		t.Errorf("defs/ir/enums.toml: nothing names %s or a value of it", e)
	}
}

// TestUnusedIsSeen: opcodes and enumerations are listed if the names that use them
// are removed.
func TestUnusedIsSeen(t *testing.T) {
	if list := unusedOpcodes(t, names{}, nil); !slices.Contains(list, "iadd") {
		t.Errorf("nothing uses iadd, which is not listed: %v", list)
	}
	if list := unusedOpcodes(t, names{"op.IAdd": true}, map[op.Op]bool{op.ISub: true}); slices.Contains(list, "iadd") ||
		slices.Contains(list, "isub") {
		t.Errorf("iadd and isub are used and listed: %v", list)
	}
	if list := unusedIntrinsics(t, names{"intrinsic.LoadDeref": true, ".Ballot": true}); !slices.Contains(list, "store_deref") ||
		slices.Contains(list, "load_deref") || slices.Contains(list, "ballot") {
		t.Errorf("load_deref and ballot are used, store_deref is not: %v", list)
	}
	if list := unusedKinds(t, names{"kind.Phi": true}); !slices.Contains(list, "undef") || slices.Contains(list, "phi") {
		t.Errorf("phi is used, undef is not: %v", list)
	}
	if list := unusedCapabilities(t, names{"target.Float64": true}); !slices.Contains(list, "Int64") || slices.Contains(list, "Float64") {
		t.Errorf("Float64 is asked for, Int64 is not: %v", list)
	}
	if got := at(t, "ir", "kind.phi"); !strings.HasPrefix(got, "defs/ir/kinds.toml:") || !strings.HasSuffix(got, ":1: error: [kind.phi]") {
		t.Errorf("[kind.phi] is at %s", got)
	}
	if list := unusedEnums(t, names{}); !slices.Contains(list, "JumpKind") {
		t.Errorf("nothing uses JumpKind, which is not listed: %v", list)
	}
}
