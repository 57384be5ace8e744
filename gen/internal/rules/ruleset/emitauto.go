// SPDX-License-Identifier: MIT

package ruleset

import (
	"encoding/binary"
	"fmt"
	"math"

	"jacquard.example/gen/internal/rules"
)

// packAutomaton returns the automaton's tables, encoded as match.NewAutomaton reads them,
// and the size of each.
func packAutomaton(t *rules.Table, a *automaton) (packed []byte, sizes []int, err error) {
	opNumber := make([]int, len(t.Ops.Ops))
	index := map[string]int{}
	for i, o := range t.Ops.Ops {
		index[o.Name] = i
	}
	classes := newClasses(a)
	var trans []int
	var desc []byte
	for i, x := range a.ops {
		opNumber[index[x.op.Name]] = i + 1
		n := len(x.op.Srcs)
		var classAt, step [4]int
		var width [4]int
		exec := 0
		for k := range n {
			classAt[k] = classes.at(x.class[k])
			width[k] = len(x.classes[k])
			if exec == 0 && x.op.Srcs[k].Bits == 0 {
				exec = k + 1
			}
		}
		for k := range n {
			step[k] = len(trans)
			switch {
			case k == 0 && n == 1:
				trans = append(trans, x.final...)
			case k == n-1:
				for _, acc := range x.step[k] {
					trans = append(trans, x.final[acc])
				}
			case k > 0:
				trans = append(trans, x.step[k]...)
			}
		}
		desc = append(desc, byte(n), byte(exec))
		for k := range classAt {
			desc = binary.LittleEndian.AppendUint32(desc, uint32(classAt[k]))
			desc = binary.LittleEndian.AppendUint32(desc, uint32(step[k]))
			desc = binary.LittleEndian.AppendUint16(desc, uint16(width[k]))
		}
	}
	cand := a.candidates()
	heads, lists := []int{}, []int{}
	for _, c := range cand {
		heads = append(heads, len(lists))
		lists = append(lists, c...)
	}
	heads = append(heads, len(lists))
	if len(lists) > math.MaxUint16 {
		return nil, nil, fmt.Errorf("the states have %d candidates in total; the tables hold at most %d", len(lists), math.MaxUint16)
	}
	for _, part := range []string{le16(opNumber), le16(classes.group), string(classes.rows), le16(trans), le16(append(heads, lists...)), string(desc)} {
		packed = append(packed, part...)
		sizes = append(sizes, len(part))
	}
	return packed, sizes, nil
}

// classes holds the classes of states by operand. States that have the same class
// at every operand form one group, with one entry.
type classes struct {
	group []int // by state
	first []int // by group: a state of it
	rows  []byte
	seen  map[string]int // operands that distinguish the same states share a row
}

func newClasses(a *automaton) *classes {
	c := &classes{seen: map[string]int{}}
	number := map[string]int{}
	for s := range a.states {
		var column []byte
		for _, x := range a.ops {
			for k := range x.op.Srcs {
				column = append(column, byte(x.class[k][s]))
			}
		}
		g, ok := number[string(column)]
		if !ok {
			g = len(c.first)
			number[string(column)] = g
			c.first = append(c.first, s)
		}
		c.group = append(c.group, g)
	}
	return c
}

// at returns the start of the row of an operand's classes by group.
func (c *classes) at(class []int) int {
	row := make([]byte, len(c.first))
	for g, s := range c.first {
		row[g] = byte(class[s])
	}
	at, ok := c.seen[string(row)]
	if !ok {
		at = len(c.rows)
		c.seen[string(row)] = at
		c.rows = append(c.rows, row...)
	}
	return at
}
