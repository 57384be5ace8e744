package pass_test

import (
	"errors"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// TestDue: what has nothing to do in a loop does not run.
func TestDue(t *testing.T) {
	var ran []string
	row := func(name string, changes int, p pass.Pass) pass.Pass {
		p.Name, p.Run = name, func(*pass.Context) bool {
			ran = append(ran, name)
			changes--
			return changes >= 0
		}
		return p
	}
	for _, x := range []struct {
		group []pass.Pass
		want  []string
	}{
		{[]pass.Pass{row("a", 1, pass.Pass{}), row("b", 0, pass.Pass{})}, []string{"a", "b", "a"}},
		{[]pass.Pass{row("a", 1, pass.Pass{Settles: true}), row("b", 0, pass.Pass{})}, []string{"a", "b"}},
		{[]pass.Pass{row("a", 0, pass.Pass{}), row("b", 1, pass.Pass{Settles: true})}, []string{"a", "b", "a"}},
		{[]pass.Pass{row("a", 0, pass.Pass{Ignores: pass.Removed}), row("b", 2, pass.Pass{Changes: pass.Removed})}, []string{"a", "b", "b", "b"}},
		{[]pass.Pass{row("a", 0, pass.Pass{Ignores: pass.Removed}), row("b", 1, pass.Pass{Changes: pass.Removed | pass.Flow, Settles: true})}, []string{"a", "b", "a"}},
		{ // a nested group: what has not run since counts when the group runs again
			[]pass.Pass{
				row("a", 1, pass.Pass{Changes: pass.Removed, Settles: true}),
				{Loop: []pass.Pass{row("b", 0, pass.Pass{Ignores: pass.Computed}), row("c", 1, pass.Pass{Settles: true, Ignores: pass.Removed})}},
				row("d", 1, pass.Pass{Changes: pass.Computed, Ignores: pass.Removed, Settles: true}),
			},
			[]string{"a", "b", "c", "b", "d", "a", "c"},
		},
		{[]pass.Pass{row("a", 0, pass.Pass{Only: ir.Kinds(kind.Phi)}), row("b", 0, pass.Pass{})}, []string{"b"}},
	} {
		s := ir.New()
		s.SetEntry(s.NewFunc("main"))
		ran = nil
		if err := pass.New(s).Run([]pass.Pass{{Loop: x.group}}, nil); err != nil || !slices.Equal(ran, x.want) {
			t.Errorf("%v, %v; want %v", ran, err, x.want)
		}
	}
}

// TestNumber: a pass that several rows run has nothing to do if nothing that it depends on has changed since
// one of them ran.
func TestNumber(t *testing.T) {
	var ran []string
	row := func(name string, changes bool, p pass.Pass) pass.Pass {
		p.Name, p.Run = name, func(*pass.Context) bool {
			ran = append(ran, name)
			return changes
		}
		return p
	}
	a := row("a", false, pass.Pass{Number: 1, Ignores: pass.Removed})
	b := row("b", true, pass.Pass{Number: 2, Changes: pass.Computed, Settles: true})
	c := row("c", true, pass.Pass{Number: 7, Changes: pass.Removed})
	quiet, all := row("quiet", false, pass.Pass{}), row("all", true, pass.Pass{})
	loop := func(rows ...pass.Pass) pass.Pass { return pass.Pass{Loop: rows} }
	for _, x := range []struct{ rows, want []string }{
		{[]string{"a", "a", "quiet", "a"}, []string{"a", "quiet"}},
		{[]string{"a", "b", "a", "b"}, []string{"a", "b", "a"}},
		{[]string{"b", "all", "b", "quiet", "b"}, []string{"b", "all", "b", "quiet"}},
		{[]string{"a", "c", "a", "c"}, []string{"a", "c", "c"}},
		{[]string{"a", "loop a", "all", "loop a", "a"}, []string{"a", "all", "a"}},
	} {
		var rows []pass.Pass
		for _, name := range x.rows {
			rows = append(rows, map[string]pass.Pass{"a": a, "b": b, "c": c, "quiet": quiet, "all": all, "loop a": loop(a)}[name])
		}
		s := ir.New()
		s.SetEntry(s.NewFunc("main"))
		c := pass.New(s)
		for range 2 { // pipelines know nothing of one another
			ran = nil
			if err := c.Run(rows, nil); err != nil || !slices.Equal(ran, x.want) {
				t.Errorf("%v: %v, %v; want %v", x.rows, ran, err, x.want)
			}
		}
	}
}

// TestLoopsEnd: a loop whose passes undo each other ends, and a trace is told which loop it
// is, whose passes that still do something Once finds.
func TestLoopsEnd(t *testing.T) {
	runs := 0
	row := func(name string, changes func() bool) pass.Pass {
		return pass.Pass{Name: name, Run: func(*pass.Context) bool { runs++; return changes() }}
	}
	always, never := func() bool { return true }, func() bool { return false }
	fifty := func() bool { return runs < 50 }
	endless := errors.New("endless")
	for _, x := range []struct {
		group []pass.Pass
		names []string
	}{
		{[]pass.Pass{row("a", always), row("b", never), row("c", always)}, []string{"a", "c"}},
		{[]pass.Pass{row("a", never), {Loop: []pass.Pass{row("b", always)}}}, []string{"b"}},
		{[]pass.Pass{row("a", fifty), row("b", never)}, nil},
	} {
		s := ir.New()
		s.SetEntry(s.NewFunc("main"))
		for _, traced := range []bool{false, true} {
			var got []string
			var tr *pass.Trace
			c := pass.New(s)
			if traced {
				tr = &pass.Trace{Unsettled: func(rows []pass.Pass) (err error) {
					if got, err = c.Once(rows); err != nil {
						return err
					}
					return endless
				}}
			}
			runs = 0
			err := c.Run([]pass.Pass{{Loop: x.group}}, tr)
			if want := x.names != nil && traced; errors.Is(err, endless) != want || err != nil && !want || traced && !slices.Equal(got, x.names) {
				t.Errorf("%v: %v, %v; want %v", pass.Names(x.group), got, err, x.names)
			}
		}
	}
}
