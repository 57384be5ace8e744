// SPDX-License-Identifier: MIT

package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// TestDivergence lists, for each shader, the values that differ between the invocations that compute them together, and
// the reads of uniform values that are divergent.
func TestDivergence(t *testing.T) {
	for _, c := range []struct{ name, body, values, reads string }{
		{"waterfall", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_workgroup_id.32x3
  loop {
    b1:
      %2 = read_first_invocation.32 %0
      %3 = ieq.1 %2, %0
    if %3 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
    %4 = iadd.32 %2, %1.x
    %5 = iadd.32 %1.x, %1.y
`, "0 3 4", "2@b5"},
		{"left by all at once", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_workgroup_id.32x3
  loop {
    b1:
      %2 = read_first_invocation.32 %0
      %3 = ieq.1 %2, %1.x
    if %3 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
    %4 = iadd.32 %2, %1.x
`, "0", ""},
		{"one trip, left at different places", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_const.32 value=(0x3)
  loop {
    b1:
      %2 = read_first_invocation.32 %0
      %3 = ieq.1 %2, %0
    if %3 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
      jump_break
  }
  b5:
    %4 = phi.32 b2: %2, b4: %1
    %5 = iadd.32 %2, %2
`, "0 3 4", ""},
		{"the same in every trip", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_workgroup_id.32x3
  loop {
    b1:
      %2 = read_first_invocation.32 %0
      %3 = load_num_workgroups.32x3
      %4 = iadd.32 %3.x, %1.x
      %5 = load_const.32 value=(0x3)
      %6 = ieq.1 %2, %0
    if %6 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
    %7 = iadd.32 %4, %5
`, "0 6", ""},
		{"after two loops", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_workgroup_id.32x3
  loop {
    b1:
    loop {
      b2:
        %2 = read_first_invocation.32 %0
        %3 = ieq.1 %2, %1.x
      if %3 {
        b3:
          jump_break
      } else {
        b4:
      }
      b5:
    }
    b6:
      %4 = ieq.1 %2, %0
    if %4 {
      b7:
        jump_break
    } else {
      b8:
    }
    b9:
      %5 = iadd.32 %2, %2
  }
  b10:
    %6 = iadd.32 %2, %2
`, "0 4 6", "2@b10"},
		{"a condition from an inner loop", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = ilt.1 %0, %0
  loop {
    b1:
    loop {
      b2:
        %2 = vote_any.1 %1
      if %1 {
        b3:
          jump_break
      } else {
        b4:
      }
      b5:
    }
    b6:
      %3 = read_first_invocation.32 %0
    if %2 {
      b7:
        jump_break
    } else {
      b8:
    }
    b9:
  }
  b10:
    %4 = iadd.32 %3, %3
`, "0 1 4", "2@b6 3@b10"},
		{"continue, and the next trip", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_const.32 value=(0x0)
    %2 = load_const.32 value=(0x1)
  loop {
    b1:
      %3 = phi.32 b0: %1, b2: %5, b6: %5
      %4 = phi.32 b0: %1, b2: %1, b6: %2
      %5 = iadd.32 %3, %2
      %6 = ilt.1 %0, %5
    if %6 {
      b2:
        jump_continue
    } else {
      b3:
    }
    b4:
      %7 = read_first_invocation.32 %0
      %8 = ieq.1 %7, %2
    if %8 {
      b5:
        jump_break
    } else {
      b7:
    }
    b6:
  }
  b8:
    %9 = phi.32 b5: %7
    %10 = phi.32 b5: %1
`, "0 4 6 9", ""},
		{"memory of an invocation", `
  b0:
    %0 = load_workgroup_id.32x3
    %1 = deref_var.32 modes=function_temp type=u32 var=@1
    %2 = load_deref.32 %1
    %3 = deref_var.32 modes=shared type=u32 var=@2
    %4 = load_deref.32 %3
`, "2", ""},
		{"clusters", `
  b0:
    %0 = load_const.32 value=(0x1)
    %1 = reduce.32 %0 cluster_size=4
    %2 = read_first_invocation.32 %1
`, "1", ""},
		{"after the first trip", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_const.32 value=(0x0)
    %2 = load_workgroup_id.32x3
  loop {
    b1:
      %3 = phi.32 b0: %1, b7: %9
      %4 = iadd.32 %3, %2.x
      %5 = iadd.32 %4, %2.x
      %6 = ieq.1 %5, %2.x
    if %6 {
      b2:
    } else {
      b3:
    }
    b4:
      %7 = phi.32 b2: %1, b3: %2.x
      %8 = ieq.1 %2.x, %2.y
    if %8 {
      b5:
        jump_break
    } else {
      b6:
    }
    b7:
      %9 = iadd.32 %0, %2.x
  }
  b8:
`, "0 3 4 5 6 7 9", ""},
		{"a register after the first trip", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_const.32 value=(0x0)
    %2 = load_workgroup_id.32x3
    store_reg.x1 %1 reg=1 write_mask=1
  loop {
    b1:
      %3 = phi.32 b0: %1, b4: %7
      %4 = load_reg.32 reg=1
      %5 = iadd.32 %4, %1
      store_reg.x1 %3 reg=1 write_mask=1
      %6 = ieq.1 %2.x, %2.y
    if %6 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
      %7 = iadd.32 %0, %2.x
  }
  b5:
`, "0 3 4 5 7", ""},
		{"return after the first trip", `
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_workgroup_id.32x3
  loop {
    b1:
      %2 = read_first_invocation.32 %0
    loop {
      b2:
        %3 = ieq.1 %1.x, %1.y
      if %3 {
        b3:
          jump_return
      } else {
        b4:
      }
      b5:
        %4 = ieq.1 %0, %1.x
      if %4 {
        b6:
          jump_break
      } else {
        b7:
      }
      b8:
    }
    b9:
      %5 = ieq.1 %1.x, %1.z
    if %5 {
      b10:
        jump_break
    } else {
      b11:
    }
    b12:
  }
  b13:
    %6 = iadd.32 %2, %2
`, "0 4 6", "2@b13"},
	} {
		s, err := text.Parse([]byte(`shader compute "main"
workgroup_size 8 1 1
reg 1 32x1
var @1 "p" function_temp u32 fn=1
var @2 "s" shared u32
fn 1 "main"() entry {` + c.body + "}\n"))
		if err == nil {
			err = validate.Shader(s)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		values, reads := divergent(s)
		if values != c.values || reads != c.reads {
			t.Errorf("%s: values %q read %q, want %q and %q", c.name, values, reads, c.values, c.reads)
		}
	}
}

// divergent lists the divergent values, and the divergent reads of uniform values, by position and block in the text.
func divergent(s *ir.Shader) (values, reads string) {
	var g analysis.CFG
	var d analysis.Divergence
	f := s.Entry()
	g.Build(s, f)
	d.Build(s, f, &g)
	name := map[ir.Value]int{}
	for _, b := range g.Blocks {
		for v := range s.Instrs(b) {
			if s.At(v).HasResult() {
				name[v] = len(name)
			}
		}
	}
	var vs, rs []string
	read := func(x ir.Value, at ir.Node) {
		r := fmt.Sprintf("%d@b%d", name[x], g.Index[at])
		if !d.Value(x) && d.Read(x, at) && !slices.Contains(rs, r) {
			rs = append(rs, r)
		}
	}
	for _, b := range g.Blocks {
		for v := range s.Instrs(b) {
			if s.At(v).HasResult() && d.Value(v) {
				vs = append(vs, fmt.Sprint(name[v]))
			}
			for i := range int(s.At(v).NSrc) {
				at := b
				if s.At(v).Kind == kind.Phi {
					at = s.PhiPred(v, i)
				}
				read(s.Src(v, i).Val, at)
			}
		}
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			read(s.Cond(n).Val, b)
		}
	}
	return strings.Join(vs, " "), strings.Join(rs, " ")
}

// TestScopes lists the divergent values, and the blocks that not all invocations execute together, within a subgroup, a
// pair of subgroups and a workgroup.
func TestScopes(t *testing.T) {
	for _, c := range []struct {
		name, body string
		values     [3]string
		apart      [3]string
	}{
		{"where values come from", `
  b0:
    %0 = load_workgroup_id.32x3
    %1 = load_subgroup_id.32
    %2 = load_const.32 value=(0x1)
    %3 = ushr.32 %1, %2
    %4 = read_first_invocation.32 %0.x
    %5 = load_ubo.32 %2, %0.x align_mul=4
    %6 = load_ssbo.32 %2, %0.x access=non_writeable align_mul=4
    %7 = load_ssbo.32 %2, %0.x align_mul=4
    %8 = load_ssbo.32 %2, %0.x access=non_writeable|coherent align_mul=4
    %9 = load_shared.32 %2 align_mul=4
    %10 = shared_atomic.32 %2, %2 atomic_op=iadd
    %11 = load_push_constant.32 %2 align_mul=4
    %12 = load_push_constant.32 %1 align_mul=4
    %13 = undef.32
    %14 = load_const.1 value=(1)
    %15 = ballot.32 %14
    %16 = iand.32 %1, %2
`, [3]string{"10", "1 4 7 8 9 10 12 13 15 16", "1 3 4 7 8 9 10 12 13 15 16"}, [3]string{}},
		{"branches and what follows", `
  b0:
    %0 = load_subgroup_id.32
    %1 = load_workgroup_id.32x3
    %2 = ieq.1 %0, %1.x
    %3 = ieq.1 %1.x, %1.y
  if %2 {
    b1:
      %4 = iadd.32 %1.x, %1.x
  } else {
    b2:
  }
  b3:
    %5 = phi.32 b1: %4, b2: %1.x
    %6 = phi.32 b1: %1.x, b2: %1.x
  if %3 {
    b4:
      %7 = iadd.32 %1.x, %1.x
  } else {
    b5:
  }
  b6:
    %8 = phi.32 b4: %7, b5: %1.x
`, [3]string{"", "0 2 5", "0 2 5"}, [3]string{"", "1 2", "1 2"}},
		{"loops, and what some do not get to", `
  b0:
    %0 = load_subgroup_id.32
    %1 = load_workgroup_id.32x3
    %2 = load_const.32 value=(0x0)
  loop {
    b1:
      %3 = phi.32 b0: %2, b4: %4
      %4 = iadd.32 %3, %1.x
      %5 = ieq.1 %4, %0
    if %5 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
    %6 = iadd.32 %4, %2
    %7 = ieq.1 %0, %2
  if %7 {
    b6:
      jump_return
  } else {
    b7:
  }
  b8:
    %8 = iadd.32 %1.x, %2
`, [3]string{"", "0 5 6 7", "0 5 6 7"}, [3]string{"", "1 2 3 4 6 7 8", "1 2 3 4 6 7 8"}},
		{"registers", `
  b0:
    %0 = load_subgroup_id.32
    %1 = load_workgroup_id.32x3
    %2 = ieq.1 %0, %1.x
    store_reg.x1 %1.x reg=1 write_mask=1
    store_reg.x1 %1.x reg=2 write_mask=1
    store_reg.x1 %0 reg=3 write_mask=1
  if %2 {
    b1:
      store_reg.x1 %1.y reg=2 write_mask=1
  } else {
    b2:
  }
  b3:
    %3 = load_reg.32 reg=1
    %4 = load_reg.32 reg=2
    %5 = load_reg.32 reg=3
`, [3]string{"", "0 2 4 5", "0 2 4 5"}, [3]string{"", "1 2", "1 2"}},
	} {
		s, err := text.Parse([]byte(`shader compute "main"
workgroup_size 64 1 1
reg 1 32x1
reg 2 32x1
reg 3 32x1
fn 1 "main"() entry {` + c.body + "}\n"))
		if err == nil {
			err = validate.Shader(s)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, scope := range []analysis.Scope{analysis.Subgroup, analysis.Pair, analysis.Workgroup} {
			values, apart := within(s, scope)
			if values != c.values[scope] || apart != c.apart[scope] {
				t.Errorf("%s, scope %d: values %q, blocks %q apart; want %q and %q", c.name, scope, values, apart,
					c.values[scope], c.apart[scope])
			}
		}
	}
}

// TestFragmentScopes lists the divergent values of a fragment shader by scope: a subgroup has the flat inputs of one
// primitive.
func TestFragmentScopes(t *testing.T) {
	s, err := text.Parse([]byte(`shader fragment "main"
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_input.32 %0 range=1 value_base=int
    %2 = load_input.32 %1 base=1 range=2 value_base=int location=1
    %3 = load_barycentric_pixel.32x2
    %4 = load_interpolated_input.32 %3, %0 base=3 range=1 location=3
    %5 = load_input.32 %0 base=4 range=1 value_base=int io_builtin=sample_mask
    %6 = f2i32.32 %4
    %7 = load_input.32 %6 base=1 range=2 value_base=int location=1
    %8 = load_input.32 %0 base=5 range=1 value_base=uint io_builtin=primitive_id
}
`))
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range []string{"3 4 5 6 7", "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8"} {
		if values, _ := within(s, analysis.Scope(scope)); values != want {
			t.Errorf("scope %d: values %q; want %q", scope, values, want)
		}
	}
}

// within lists the values that differ within a scope, and the blocks that some of its invocations execute without the
// others.
func within(s *ir.Shader, scope analysis.Scope) (values, apart string) {
	var g analysis.CFG
	var d analysis.Divergence
	g.Build(s, s.Entry())
	d.BuildFor(scope, s, s.Entry(), &g)
	var vs, bs []string
	n := 0
	for k, b := range g.Blocks {
		if !d.Together(b) {
			bs = append(bs, fmt.Sprint(k))
		}
		for v := range s.Instrs(b) {
			if s.At(v).HasResult() {
				if d.Value(v) {
					vs = append(vs, fmt.Sprint(n))
				}
				n++
			}
		}
	}
	return strings.Join(vs, " "), strings.Join(bs, " ")
}
