// SPDX-License-Identifier: MIT

package pass_test

import (
	"errors"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
)

// TestSettledPassIsSkipped checks that a pass that changed nothing is skipped until another pass has changed the shader.
func TestSettledPassIsSkipped(t *testing.T) {
	var ran []string
	row := func(name string, changes int) *pass.Pass {
		left := changes
		return &pass.Pass{Name: name, Run: func(*pass.Context) bool {
			ran = append(ran, name)
			left--
			return left >= 0
		}}
	}
	quiet, other := row("quiet", 0), row("other", 0)
	once := func() *pass.Pass { return row("once", 1) }
	same := *quiet // another pass with the same name
	for _, x := range []struct {
		pipeline pass.Pipeline
		want     []string
	}{
		{pass.Pipeline{quiet, other, quiet}, []string{"quiet", "other"}},
		{pass.Pipeline{quiet, once(), quiet, other, quiet}, []string{"quiet", "once", "quiet", "other"}},
		{pass.Pipeline{quiet, &same}, []string{"quiet", "quiet"}},
		{pass.Pipeline{pass.Loop{once(), quiet}}, []string{"once", "quiet", "once"}},
		{pass.Pipeline{pass.Loop{quiet, row("twice", 2)}}, []string{"quiet", "twice", "quiet", "twice", "quiet", "twice"}},
		{pass.Pipeline{pass.Loop{quiet, other}, quiet}, []string{"quiet", "other"}},
		{ // an inner loop ends before the outer one continues
			pass.Pipeline{pass.Loop{quiet, pass.Loop{other, row("inner", 1)}, row("outer", 1)}, quiet},
			[]string{"quiet", "other", "inner", "other", "inner", "outer", "quiet", "other", "inner", "outer"},
		},
	} {
		s := ir.New()
		s.Func(s.NewFunc("main")).Entry = true
		c := pass.New(s)
		ran = nil
		if err := c.Run(x.pipeline, nil); err != nil || !slices.Equal(ran, x.want) {
			t.Errorf("%v, %v; want %v", ran, err, x.want)
		}
		ran = nil // no pass is settled when a pipeline starts
		if err := c.Run(pass.Pipeline{quiet}, nil); err != nil || len(ran) != 1 {
			t.Errorf("in another pipeline: %v, %v", ran, err)
		}
	}
}

// TestLoopsEnd checks that a loop whose passes undo each other ends, that the trace is called with that loop, and that
// Once finds the passes that still change the shader.
func TestLoopsEnd(t *testing.T) {
	runs := 0
	row := func(name string, changes func() bool) *pass.Pass {
		return &pass.Pass{Name: name, Run: func(*pass.Context) bool { runs++; return changes() }}
	}
	always, never := func() bool { return true }, func() bool { return false }
	fifty := func() bool { return runs < 50 }
	endless := errors.New("endless")
	for _, x := range []struct {
		group pass.Loop
		names []string
	}{
		{pass.Loop{row("a", always), row("b", never), row("c", always)}, []string{"a", "c"}},
		{pass.Loop{row("a", never), pass.Loop{row("b", always)}}, []string{"b"}},
		{pass.Loop{row("a", fifty), row("b", never)}, nil},
	} {
		s := ir.New()
		s.Func(s.NewFunc("main")).Entry = true
		for _, traced := range []bool{false, true} {
			var got []string
			var tr *pass.Trace
			c := pass.New(s)
			if traced {
				tr = &pass.Trace{Unsettled: func(l pass.Loop) (err error) {
					if got, err = c.Once(l); err != nil {
						return err
					}
					return endless
				}}
			}
			runs = 0
			err := c.Run(pass.Pipeline{x.group}, tr)
			want := x.names != nil && traced
			if errors.Is(err, endless) != want || err != nil && !want || traced && !slices.Equal(got, x.names) {
				t.Errorf("%v: %v, %v; want %v", pass.Pipeline(x.group).Names(), got, err, x.names)
			}
		}
	}
}
