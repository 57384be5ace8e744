// SPDX-License-Identifier: MIT

package selectgen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/table"
)

// Where describes the machines to which a row applies: machines that have some capabilities and lack others.
type Where struct {
	Needs, Without []string
}

// All reports whether a row applies to every machine.
func (w *Where) All() bool { return len(w.Needs)+len(w.Without) == 0 }

// On reports whether a row applies to a machine with these capabilities.
func (w *Where) On(has []string) bool {
	return !slices.ContainsFunc(w.Needs, func(n string) bool { return !slices.Contains(has, n) }) && !overlap(w.Without, has)
}

// Code returns w as a value of target.Where.
func (w *Where) Code() string {
	var fields []string
	for _, f := range []struct {
		name string
		list []string
	}{{"Has", w.Needs}, {"Lacks", w.Without}} {
		var caps []string
		for _, n := range f.list {
			caps = append(caps, "target."+irtab.Camel(n))
		}
		if caps != nil {
			fields = append(fields, f.name+": "+strings.Join(caps, " | "))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// apart reports whether no machine is in both.
func (w *Where) apart(o *Where) bool {
	return overlap(w.Needs, o.Without) || overlap(w.Without, o.Needs)
}

// within reports whether all machines in w are also in o.
func (w *Where) within(o *Where) bool {
	return subset(o.Needs, w.Needs) && subset(o.Without, w.Without)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(n string) bool { return slices.Contains(b, n) })
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(n string) bool { return !slices.Contains(b, n) })
}

// where reads the conditions of a row.
func (l *loader) where(r *table.Row[rowDef]) (key string, err error) {
	for _, k := range []struct {
		key   string
		names []string
	}{{"needs", r.Val.Needs}, {"without", r.Val.Without}} {
		for i, n := range k.names {
			switch {
			case !slices.Contains(l.caps, n):
				return k.key, errors.New(diag.Unknown("capability", n, slices.Values(l.caps)))
			case slices.Contains(k.names[:i], n):
				return k.key, fmt.Errorf("%q is listed twice", n)
			case k.key == "without" && slices.Contains(r.Val.Needs, n):
				return k.key, fmt.Errorf("%q is also in needs", n)
			}
		}
	}
	return "", nil
}

// lacking rejects rows for a target whose machine lacks an instruction that they emit.
func (l *loader) lacking() {
	said := map[diag.Pos]bool{}
	for _, x := range l.rows {
		for _, in := range x.emit {
			what := in.name
			if in.math != "" {
				what = "math." + in.math
			}
			var on []string
			for _, t := range l.targets {
				if x.where.On(t.Has) && !l.has(in, t.Platform) {
					on = append(on, t.Name)
				}
			}
			if on != nil && !said[x.pos] { // once for a template
				said[x.pos] = true
				l.errs.Addf(x.pos, "select."+x.name, "%q: there is no %s on %s; restrict the row's machines with needs or without",
					in.text, what, strings.Join(on, ", "))
			}
		}
	}
}

// has reports whether a platform has an instruction.
func (l *loader) has(in *instr, platform string) bool {
	m, math := l.machine.Maths[in.math]
	return slices.Contains(in.op.On, platform) && (!math || slices.Contains(m.On, platform))
}
