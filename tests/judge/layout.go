package main

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/abi"
)

// layout tells where the peer's program finds the resources that it accesses, read from the driver's final IR.
type layout struct {
	first map[slot]int // entry of the binding table of a binding's first element
	least int          // the lowest of them: before it are descriptor buffers
	push  int          // first byte of the push block that is passed on; -1: none is
}

// slot is a binding.
type slot struct{ set, binding uint32 }

var (
	// resourceRow is a descriptor: its entry of the binding table, its index in an array.
	resourceRow = regexp.MustCompile(`@resource_intel \(%\d+(?: \([^)]*\))?, %(\d+)(?: \([^)]*\))?, %(\d+)(?: \([^)]*\))?, %\d+(?: \([^)]*\))?\) \(desc_set=(\d+), binding=(\d+)`)
	constRow    = regexp.MustCompile(`%(\d+) = load_const \((0x[0-9a-f]+)(?: = [^)]*)?\)`)
	sumRow      = regexp.MustCompile(`%(\d+) = iadd %(\d+)(?: \([^)]*\))?, %(\d+)(?: \([^)]*\))?\n`)
	uniformsRow = regexp.MustCompile(`(?m)^uniforms: (\d+)$`)
	rangeRow    = regexp.MustCompile(`(?m)^ +RANGE\d+ \((\d+)B\): (.*)$`)
)

// The driver's own part of the push block: base group, group counts, subgroup id.
const (
	driverPush   = 448
	subgroupPush = 472
	grfBytes     = 32
)

// beyond lists instructions of the final IR that read data which the judge does not have. Loads from addresses are not
// listed: a program gets its addresses from descriptors, or the run faults.
var beyond = []string{"@load_reloc_const_intel", "@image_", "@bindless", "@load_shader_record", " (sampler_", " tex "}

// readLayout reads the driver's final IR, and from the head of its assembly which part of
// the push block it passes.
func readLayout(ir, assembly string) (layout, error) {
	l := layout{first: map[slot]int{}, push: -1}
	for _, word := range beyond {
		if strings.Contains(ir, word) {
			return l, fmt.Errorf("its code has %s, whose data is unknown", strings.TrimSpace(word))
		}
	}
	rows := resourceRow.FindAllStringSubmatch(ir, -1)
	if len(rows) != strings.Count(ir, "@resource_intel") {
		return l, fmt.Errorf("its IR has descriptors that cannot be read")
	}
	consts := map[string]int{}
	for _, m := range constRow.FindAllStringSubmatch(ir, -1) {
		consts[m[1]] = number(m[2])
	}
	sums := map[string][2]string{}
	for _, m := range sumRow.FindAllStringSubmatch(ir, -1) {
		sums[m[1]] = [2]string{m[2], m[3]}
	}
	// The entry is the array's first plus the index.
	for _, m := range rows {
		entry, index := m[1], m[2]
		at, known := consts[entry]
		if known {
			k, constant := consts[index]
			known = constant
			at -= k
		} else if sum := sums[entry]; sum[0] == index {
			at, known = consts[sum[1]]
		} else if sum[1] == index {
			at, known = consts[sum[0]]
		}
		if !known {
			return l, fmt.Errorf("its code computes entries of the binding table")
		}
		s := slot{uint32(number(m[3])), uint32(number(m[4]))}
		if old, ok := l.first[s]; ok && old != at {
			return l, fmt.Errorf("set %d binding %d begins at entries %d and %d of the binding table", s.set, s.binding, old, at)
		}
		if l.first[s] = at; l.least == 0 || at < l.least {
			l.least = at
		}
	}
	ranges := rangeRow.FindAllStringSubmatch(assembly, -1)
	switch {
	case len(ranges) == 0:
		return l, nil
	case len(ranges) > 1 || !strings.HasPrefix(ranges[0][2], "Vulkan push constants"):
		return l, fmt.Errorf("its push data has ranges of buffers")
	}
	// Offsets in the IR are relative to the passed part. The subgroup id follows everything else of the block that the
	// shader uses.
	switch size := uniformsRow.FindStringSubmatch(ir); {
	case strings.Contains(ir, "@load_subgroup_id") && size != nil:
		l.push = subgroupPush - number(size[1])
	case strings.Contains(ir, "decl_var push_const"):
		l.push = 0
	default:
		l.push = driverPush
	}
	if l.push < 0 || l.push%grfBytes != 0 {
		return l, fmt.Errorf("its push data begins at byte %d", l.push)
	}
	return l, nil
}

// number returns the value of a number that a regular expression has matched.
func number(text string) int {
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// payload fills the registers of the program's threads.
func (l *layout) payload(push []byte) func(*eu.Launch, *eu.GRFs) {
	row := *abi.AnvCS
	if l.push < 0 {
		row.Push = nil
		return eu.ComputePayload(&row, nil)
	}
	user := push[min(l.push, len(push)):]
	row.PushReg -= uint8(l.push / grfBytes)
	return eu.ComputePayload(&row, user)
}

// surfaces returns the binding table for a call.
func (l *layout) surfaces(c *runner.Call) (out []*eu.Surface) {
	for i := range c.Bindings {
		b := &c.Bindings[i]
		first, ok := l.first[slot{b.Set, b.Binding}]
		if !ok {
			continue
		}
		at := first + int(b.Element)
		for len(out) <= at {
			out = append(out, nil)
		}
		out[at] = &eu.Surface{Data: b.Data}
	}
	for i, set := range setsOf(c) {
		if i < l.least && i < len(out) && out[i] == nil {
			out[i] = &eu.Surface{Data: descriptors(c, set)}
		}
	}
	return out
}

// setsOf returns the descriptor sets of a call in order.
func setsOf(c *runner.Call) (sets []uint32) {
	for _, b := range c.Bindings {
		sets = append(sets, b.Set)
	}
	slices.Sort(sets)
	return slices.Compact(sets)
}

// descriptors returns the buffer that describes a set: 16 bytes for each descriptor, of
// which the first two dwords are the buffer's address and the third is its size.
func descriptors(c *runner.Call, set uint32) []byte {
	var of []int
	for i := range c.Bindings {
		if c.Bindings[i].Set == set {
			of = append(of, i)
		}
	}
	slices.SortFunc(of, func(i, j int) int {
		a, b := &c.Bindings[i], &c.Bindings[j]
		return int(a.Binding)<<16 + int(a.Element) - int(b.Binding)<<16 - int(b.Element)
	})
	data := make([]byte, 16*len(of))
	for k, i := range of {
		binary.LittleEndian.PutUint64(data[16*k:], address(i))
		binary.LittleEndian.PutUint32(data[16*k+8:], uint32(len(c.Bindings[i].Data)))
	}
	return data
}

// address returns the address of the buffer of the i-th binding of a call. They are so far
// apart that an access outside of one buffer does not reach another.
func address(i int) uint64 { return uint64(i+1) << 32 }

// mappings returns the 64-bit address space for a call: the driver's code accesses buffers
// by address where there is no message for a binding, as for 64-bit atomics.
func mappings(c *runner.Call) (out []eu.Mapping) {
	for i := range c.Bindings {
		out = append(out, eu.Mapping{Addr: address(i), Data: c.Bindings[i].Data})
	}
	return out
}
