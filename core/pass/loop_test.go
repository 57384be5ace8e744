package pass_test

import (
	"errors"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
)

// TestLoopsEnd: a loop whose passes undo each other ends, and a trace is told which ones
// they are.
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
			if traced {
				tr = &pass.Trace{Unsettled: func(names []string) error {
					got = names
					return endless
				}}
			}
			runs = 0
			err := pass.New(s).Run([]pass.Pass{{Loop: x.group}}, tr)
			if want := x.names != nil && traced; errors.Is(err, endless) != want || err != nil && !want || traced && !slices.Equal(got, x.names) {
				t.Errorf("%v: %v, %v; want %v", pass.Names(x.group), got, err, x.names)
			}
		}
	}
}
