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

// TestDivergence lists, for each shader, the values that differ between the
// invocations that compute them together, and the places where one that does
// not is read by invocations for which it does.
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
		{"behind two loops", `
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
	} {
		s, err := text.Parse([]byte(`shader compute "main"
workgroup_size 8 1 1
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

// divergent lists the divergent values, and those that are read so although
// they are not, by their order and the blocks of the text.
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
				read(s.SrcVal(v, i), at)
			}
		}
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			read(s.Cond(n).Val, b)
		}
	}
	return strings.Join(vs, " "), strings.Join(rs, " ")
}
