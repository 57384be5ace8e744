// SPDX-License-Identifier: MIT

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
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

// layout describes where the peer's program finds push constants and the driver's own values, according to the
// driver's final IR.
type layout struct {
	push int // first byte of the push block that is passed on; -1 if none is
	own  *ownPush
	ids  bool // the program reads local ids that the hardware has written to registers, where the machine does that

	inline []inlineValue
}

// inlineValue is a value in the inline data of a program of Gen12.5.
type inlineValue struct {
	at, bytes int
	kind      inlineKind
}

// inlineKind is the meaning of a value in the inline data.
type inlineKind uint8

const (
	pushAddress   inlineKind = iota // 64 bits: the address of push constants
	groupCounts                     // three doublewords
	groupBase                       // three doublewords
	pushConstants                   // the first bytes of the program's push constants
)

var (
	uniformsRow = regexp.MustCompile(`(?m)^uniforms: (\d+)$`)
	rangeRow    = regexp.MustCompile(`(?m)^ +RANGE\d+ \((\d+)B\): (.*)$`)
)

// ownPush has the places of the driver's own values in the push block, and the end of the block.
type ownPush struct{ base, counts, subgroup, end int }

// The driver's own values in 25.0.7 and in 26.2.6. The newer one always passes the block to its end.
var (
	oldPush = ownPush{base: 448, counts: 460, subgroup: 472, end: 480}
	newPush = ownPush{base: 584, counts: 596, subgroup: 612, end: 640}
)

const grfBytes = 32

// beyond lists instructions of the final IR that read data which the judge does not have. Loads from addresses are not
// listed: a program gets its addresses from descriptors, or the run faults.
var beyond = []string{"@bindless", "@load_shader_record"}

// readLayout reads the layout from the driver's final IR and, for the part of the push block that it passes, the head
// of its assembly.
func readLayout(ir, assembly string) (layout, error) {
	l := layout{push: -1, ids: strings.Contains(ir, "@load_local_invocation_id")}
	for _, word := range beyond {
		if strings.Contains(ir, word) {
			return l, fmt.Errorf("its code has %s, whose data is unknown", strings.TrimSpace(word))
		}
	}
	var err error
	if l.inline, err = readInline(ir); err != nil {
		return l, err
	}
	ranges := rangeRow.FindAllStringSubmatch(assembly, -1)
	switch {
	case len(ranges) == 0:
		return l, nil
	case len(ranges) > 1 || !strings.HasPrefix(ranges[0][2], "Vulkan push constants"):
		return l, fmt.Errorf("its push data has ranges of buffers")
	}
	l.push, l.own = firstPush(ir, number(ranges[0][1]))
	if l.push < 0 || l.push%grfBytes != 0 {
		return l, fmt.Errorf("its push data begins at byte %d", l.push)
	}
	return l, nil
}

// The rows of the final IR that load inline data, in 25.0.7 and in 26.2.6.
var (
	oldInlineRow = regexp.MustCompile(`@load_inline_data_intel \(base=(\d+)\)`)
	newInlineRow = regexp.MustCompile(`con (\d+)(?:x\d)? +(%\d+) = @load_inline_data_intel \(%[^=]*\(base=(\d+), range=(\d+)\)`)
)

// readInline returns the values in the inline data that the final IR loads. 25.0.7 loads nothing but the number of
// workgroups; -1 means that they are in memory. 26.2.6 packs the values that the program uses, with push constants first:
// an address has 64 bits, and the first workgroup is added to the number of a workgroup.
func readInline(ir string) (list []inlineValue, err error) {
	for _, m := range oldInlineRow.FindAllStringSubmatch(ir, -1) {
		list = append(list, inlineValue{number(m[1]), 12, groupCounts})
	}
	for _, m := range newInlineRow.FindAllStringSubmatch(ir, -1) {
		v := inlineValue{at: number(m[3]), bytes: number(m[4])}
		name := regexp.QuoteMeta(m[2])
		uses := func(pattern string) bool {
			return regexp.MustCompile(strings.ReplaceAll(pattern, "X", name)).MatchString(ir)
		}
		switch {
		case m[1] == "64":
			v.kind, v.bytes = pushAddress, 8
		case uses(`= ieq X(\.x)?, %\d+ \(0xffffffff\)`):
			v.kind = groupCounts
		case m[4] == "12" && groupRow.MatchString(ir) && uses(`= iadd3? .*X\b`):
			v.kind = groupBase
		case strings.Contains(ir, "decl_var push_const"):
			v.kind = pushConstants
		default:
			return nil, fmt.Errorf("its inline data has %s bytes at %d, whose meaning is unknown", m[4], v.at)
		}
		list = append(list, v)
	}
	for _, v := range list {
		if v.at+v.bytes > grfBytes {
			return nil, fmt.Errorf("its inline data has more than %d bytes", grfBytes)
		}
	}
	return list, nil
}

// pushRow is a load from the part of the push block that is passed on, as the newer driver has it.
var pushRow = regexp.MustCompile(`@load_push_data_intel \(%\d+(?: \([^)]*\))?\) \(base=(\d+), `)

// firstPush returns the first of the size bytes of the push block that are passed on, and the places of the driver's
// values. Offsets in the IR are relative to the passed part. If the IR adds the first workgroup of the dispatch, the
// place of that value gives the result. Otherwise either the program's own constants or the driver's values begin
// there, unless the subgroup's number ends the part.
func firstPush(ir string, size int) (first int, own *ownPush) {
	if rows := pushRow.FindAllStringSubmatch(ir, -1); rows != nil {
		for _, m := range rows {
			switch newPush.end - size + number(m[1]) {
			case newPush.base, newPush.counts, newPush.subgroup:
				return newPush.end - size, &newPush
			}
		}
		return 0, &newPush
	}
	at, based := basePlace(ir)
	switch size := uniformsRow.FindStringSubmatch(ir); {
	case based:
		return oldPush.base - at, &oldPush
	case strings.Contains(ir, "@load_subgroup_id") && size != nil: // it follows everything else that the shader uses
		return oldPush.subgroup - number(size[1]), &oldPush
	case strings.Contains(ir, "decl_var push_const"):
		return 0, &oldPush
	}
	return oldPush.base, &oldPush
}

// The rows of the final IR that load the number of a workgroup and push constants, and that add two components.
var (
	groupRow = regexp.MustCompile(`(%\d+) = @load_workgroup_id`)
	loadRow  = regexp.MustCompile(`(%\d+) = @load_push_constant \(%\d+ \((0x[0-9a-f]+)[^)]*\)\) \(base=(\d+), `)
	sumRow   = regexp.MustCompile(`= iadd (%\d+)(?:\.([xyzw]))?, (%\d+)(?:\.([xyzw]))?\b`)
)

// basePlace returns the place of the dispatch's first workgroup in the passed part of the push block. The driver adds
// its number to the number of a workgroup. ok is false if the IR has no such sum.
func basePlace(ir string) (at int, ok bool) {
	group := groupRow.FindStringSubmatch(ir)
	if group == nil {
		return 0, false
	}
	loads := map[string]int{} // places in the passed part
	for _, m := range loadRow.FindAllStringSubmatch(ir, -1) {
		loads[m[1]] = number(m[2]) + number(m[3])
	}
	for _, m := range sumRow.FindAllStringSubmatch(ir, -1) {
		a, b := m[1:3], m[3:5]
		if a[0] != group[1] {
			a, b = b, a
		}
		if place, known := loads[b[0]]; known && a[0] == group[1] {
			const names = "xyzw" // of components
			return place + 4*(strings.Index(names, b[1])-strings.Index(names, a[1])), true
		}
	}
	return 0, false
}

// number returns the value of a number that a regular expression has matched, or -1 if it does not fit in 32 bits.
func number(text string) int {
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// convention describes how the driver launches compute programs of a kind of machines.
type convention struct {
	abi        *abi.ABI
	descriptor struct{ bytes, address, size int } // a descriptor in a set's buffer: its size and the places of two values
}

// The conventions of 25.0.7. Descriptors of Gen12.5 are surface states, whose auxiliary address the driver uses for the
// size.
var (
	gen11  = &convention{abi.AnvCS, struct{ bytes, address, size int }{16, 0, 8}}
	gen125 = &convention{abi.AnvCSGen125, struct{ bytes, address, size int }{64, 32, 44}}
)

// conventionOf returns the convention of a machine.
func conventionOf(machine *target.Target) *convention {
	if _, ok := machine.ABI.HeaderField(abi.PushAddress); ok {
		return gen125
	}
	return gen11
}

// payload returns a function that fills the registers of a thread of the program.
func (l *layout) payload(c *convention, push []byte) func(*eu.Launch, *eu.GRFs) {
	row := *c.abi
	row.Push = nil
	header := eu.ComputePayload(&row, nil)
	return func(launch *eu.Launch, grf *eu.GRFs) {
		header(launch, grf)
		if _, inMemory := row.HeaderField(abi.PushAddress); inMemory {
			launch.Pushed = l.block(launch, push)
			l.generated(launch, grf, push)
		} else {
			grf.Copy(int(row.UserReg), l.block(launch, push))
		}
	}
}

// block returns the part of the push block that is passed on to a thread.
func (l *layout) block(launch *eu.Launch, push []byte) []byte {
	if l.push < 0 {
		return nil
	}
	whole := make([]byte, l.own.end)
	copy(whole[:l.own.base], push)
	for c, n := range launch.Groups {
		binary.LittleEndian.PutUint32(whole[l.own.counts+4*c:], n) // the first workgroup of the dispatch is 0
	}
	binary.LittleEndian.PutUint32(whole[l.own.subgroup:], uint32(launch.Thread))
	return whole[l.push:]
}

// generated sets the registers after the header that the hardware of Gen12.5 fills: local ids, if the program reads
// them, of the components of sizes above 1, and the inline data.
func (l *layout) generated(launch *eu.Launch, grf *eu.GRFs, push []byte) {
	at := 1
	for c := range launch.LocalSize {
		if !l.ids || launch.LocalSize[c] == 1 {
			continue
		}
		launch.FillLocalIDs(grf, at, c)
		at += (2*launch.SIMD + grf.Size - 1) / grf.Size
	}
	inline := make([]byte, grf.Size)
	for _, v := range l.inline {
		value := inline[v.at:][:v.bytes]
		switch v.kind {
		case pushAddress:
			binary.LittleEndian.PutUint64(value, pushedAt)
		case groupCounts:
			for c, n := range launch.Groups {
				binary.LittleEndian.PutUint32(value[4*c:], n)
			}
		case pushConstants:
			copy(value, push[min(v.at, len(push)):])
		case groupBase: // it is 0
		}
	}
	grf.Copy(at, inline)
}

// pushedAt is the address of push constants that a program finds by an address.
const pushedAt = 1 << 20

// withSets returns the binding table with the buffers that describe a call's descriptor sets, which precede the
// bindings.
func withSets(t *peer.Tables, of *convention, c *runner.Call) []*eu.Surface {
	out := t.Surfaces
	for i, set := range setsOf(c) {
		if t.First >= 0 && i >= t.First {
			break
		}
		if i == len(out) {
			out = append(out, nil)
		}
		if out[i] == nil {
			out[i] = &eu.Surface{Data: of.descriptors(c, set)}
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

// descriptors returns the buffer that describes a set: for each descriptor the 64-bit address of the buffer and its
// 32-bit size.
func (x *convention) descriptors(c *runner.Call, set uint32) []byte {
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
	data := make([]byte, x.descriptor.bytes*len(of))
	for k, i := range of {
		at := data[x.descriptor.bytes*k:]
		binary.LittleEndian.PutUint64(at[x.descriptor.address:], address(i))
		binary.LittleEndian.PutUint32(at[x.descriptor.size:], uint32(len(c.Bindings[i].Data)))
	}
	return data
}

// address returns the address of the buffer of the i-th binding of a call. Addresses are so far apart that an access
// outside of one buffer does not reach another.
func address(i int) uint64 { return uint64(i+1) << 32 }

// mappings returns the 64-bit address space for a call: the driver's code accesses buffers
// by address where there is no message for a binding, as for 64-bit atomics.
func mappings(c *runner.Call) (out []eu.Mapping) {
	for i := range c.Bindings {
		out = append(out, eu.Mapping{Addr: address(i), Data: c.Bindings[i].Data})
	}
	return append(out, eu.Mapping{Addr: pushedAt, Data: c.PushConstants})
}
