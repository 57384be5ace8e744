// SPDX-License-Identifier: MIT

package peer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
)

// The rows of the final IR that describe descriptors with their table entries, table entries that texture accesses take
// from elsewhere, and sums.
var (
	resourceRow = regexp.MustCompile(`(%\d+) = @resource_intel \(%\d+(?: \([^)]*\))?, (%\d+)(?: \((?:0x([0-9a-f]+)|[^)]*)\))?, (%\d+)(?: \((?:0x([0-9a-f]+)|[^)]*)\))?, .*?desc_set=(\d+), binding=(-1|\d+), resource_intel=([a-z0-9]*)`)
	textureRow  = regexp.MustCompile(`(%\d+) \((texture|sampler)_offset\)`)
	firstRow    = regexp.MustCompile(`(%\d+) = @read_first_invocation \((%\d+)\)`)
	sumRow      = regexp.MustCompile(`(%\d+) = iadd (%\d+), %\d+ \(0x([0-9a-f]+)\)`)
)

// sums are the values that are the sum of another value and a constant.
type sums map[string]struct {
	of  string
	add int
}

func readSums(ir string) sums {
	out := sums{}
	for _, m := range sumRow.FindAllStringSubmatch(ir, -1) {
		x := out[m[1]]
		x.of, x.add = m[2], hex(m[3])
		out[m[1]] = x
	}
	for _, m := range firstRow.FindAllStringSubmatch(ir, -1) {
		x := out[m[1]]
		x.of = m[2]
		out[m[1]] = x
	}
	return out
}

// constant returns the sum of the constants that have been added to make a value.
func (s sums) constant(value string) (n int) {
	for range len(s) + 1 {
		x, ok := s[value]
		if !ok {
			break
		}
		value, n = x.of, n+x.add
	}
	return n
}

// Tables are the binding table of a program and its table of samplers.
type Tables struct {
	Surfaces []*eu.Surface
	Samplers []*texture.Sampler
	// First is the lowest entry of the binding table that the final IR names for a binding. In front of it are the
	// buffers in which the driver describes sets.
	First int
}

// Tables returns the tables of a program for the bindings of a call.
func (b *Binary) Tables(bindings []runner.Binding) (*Tables, error) {
	if n := len(resourceRow.FindAllString(b.IR, -1)); n != strings.Count(b.IR, "@resource_intel") {
		return &Tables{}, fmt.Errorf("its final IR has a descriptor that is not understood")
	}
	g, c := &Tables{First: -1}, bindings
	if !b.hasDescriptors() && b.byKind {
		return g, b.bindByKind(g, c)
	}
	return g, g.bind(b, c)
}

// bind writes bindings to the entries that a program uses.
func (g *Tables) bind(b *Binary, c []runner.Binding) error {
	values, named := readSums(b.IR), map[string]bool{}
	known := map[slot]bool{}
	for _, m := range resourceRow.FindAllStringSubmatch(b.IR, -1) {
		if m[7] == "-1" { // the buffer that describes a set
			named[m[1]] = true
			continue
		}
		set, binding, sampler := uint32(number(m[6])), uint32(number(m[7])), m[8] == "sampler"
		named[m[1]], known[slot{set, binding, sampler}] = true, true
		switch {
		case m[3] != "" && m[5] != "":
			g.put(hex(m[3]), bound(c, set, binding, uint32(hex(m[5]))), sampler)
		case m[3] != "": // the first entry of the array
			g.bindArray(hex(m[3]), c, set, binding, sampler)
		case m[5] != "":
			return fmt.Errorf("the table entry of a constant element of an array is computed")
		default: // the first entry, and the element, are summands
			g.bindArray(values.constant(m[2])-values.constant(m[4]), c, set, binding, sampler)
		}
	}
	done := map[string]bool{}
	for _, m := range textureRow.FindAllStringSubmatch(b.IR, -1) {
		if named[m[1]] || done[m[1]] {
			continue
		}
		done[m[1]] = true
		sampler := m[2] == "sampler"
		x, err := b.onlyArray(c, known, sampler)
		if err != nil {
			return err
		}
		g.bindArray(values.constant(m[1]), c, x.set, x.binding, sampler)
	}
	return nil
}

// slot is a descriptor that has entries in a table.
type slot struct {
	set, binding uint32
	sampler      bool
}

// onlyArray returns the array of descriptors meant by accesses that name none: the only one, among the arrays of images
// or samplers, that no other access names.
func (b *Binary) onlyArray(c []runner.Binding, known map[slot]bool, sampler bool) (found slot, err error) {
	n := 0
	for _, d := range b.layout {
		x := slot{d.Set, d.Binding, sampler}
		r := bound(c, d.Set, d.Binding, 0)
		if d.Count == 1 || known[x] || r == nil || sampler && r.Sampler == nil || !sampler && r.Texture == nil && r.Image == nil {
			continue
		}
		found = x
		n++
	}
	if n != 1 {
		return found, fmt.Errorf("its code computes indices into the binding table, and %d arrays could be meant, want 1", n)
	}
	return found, nil
}

// bindArray puts an array of descriptors into consecutive entries of a table.
func (g *Tables) bindArray(at int, c []runner.Binding, set, binding uint32, sampler bool) {
	for i := range c {
		if b := &c[i]; b.Set == set && b.Binding == binding && at >= 0 {
			g.put(at+int(b.Element), b, sampler)
		}
	}
}

// put writes a binding to an entry of the binding table, or of the table of samplers.
func (g *Tables) put(at int, b *runner.Binding, sampler bool) {
	switch {
	case b == nil:
	case sampler:
		g.Samplers = append(g.Samplers, make([]*texture.Sampler, max(at+1-len(g.Samplers), 0))...)
		g.Samplers[at] = b.Sampler
	default:
		g.Surfaces = append(g.Surfaces, make([]*eu.Surface, max(at+1-len(g.Surfaces), 0))...)
		g.Surfaces[at] = &eu.Surface{Data: b.Data}
		image := b.Texture
		if image == nil && b.Image != nil {
			image = b.Image.Texture(b.Data, b.BaseLevel)
		}
		switch {
		case image != nil && b.Kind == runner.StorageImage:
			g.Surfaces[at] = thread.StorageSurface(image)
		case image != nil:
			g.Surfaces[at] = &eu.Surface{Image: image}
		}
		if g.First < 0 || at < g.First {
			g.First = at
		}
	}
}

// hex parses hexadecimal digits that a regular expression has matched. Numbers of more than 16 bits, which are not
// entries of a table, become 0.
func hex(s string) int {
	n, err := strconv.ParseUint(s, 16, 16)
	if err != nil {
		return 0
	}
	return int(n)
}
