// SPDX-License-Identifier: MIT

package main

import (
	"jacquard.example/generated/isa"
	"slices"
)

// machineLives recomputes, from the bytes of machine code, the number of live general registers before each
// instruction. A register is live if one of its bytes may have been written or is part of the payload, and may be
// read before all lanes overwrite it. It shares no code with the allocator, and knows neither its registers nor its
// positions.
type machineLives struct {
	platform isa.Platform
	code     []isa.Inst
	at       []int       // offsets
	next     [][]int     // the possible successors of each instruction
	reads    [][]span    // spans of the register file that are read
	writes   [][]span    //
	waits    [][]int     // the instructions at which lanes may wait meanwhile
	index    map[int]int // instruction by offset
}

// span is a range of bytes of the register file.
type span struct{ from, to int }

const (
	grf       = 32 // bytes of a register
	fileBytes = 128 * grf
)

func livesOf(p isa.Platform, code []byte) *machineLives {
	m := &machineLives{platform: p, index: map[int]int{}}
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			panic(err)
		}
		m.index[at] = len(m.code)
		m.code, m.at = append(m.code, in), append(m.at, at)
		at += int(in.Size)
	}
	for i := range m.code {
		m.access(&m.code[i])
	}
	m.flow()
	m.hold()
	return m
}

// flow finds the possible successors of each instruction for a lane that runs it, and the instructions at which other
// lanes may wait.
func (m *machineLives) flow() {
	m.next, m.waits = make([][]int, len(m.code)), make([][]int, len(m.code))
	target := func(i int, off int32) int {
		to, ok := m.index[m.at[i]+int(off)]
		if !ok {
			to = len(m.code)
		}
		return to
	}
	// wait records that lanes may wait at an instruction while others run the instructions of a range.
	wait := func(from, to, at int) {
		for i := from; i < to; i++ {
			m.waits[i] = append(m.waits[i], at)
		}
	}
	type open struct{ at, other int }
	var ifs []open
	for i := range m.code {
		in := &m.code[i]
		m.next[i] = []int{i + 1}
		switch in.Op {
		case isa.OpIf:
			ifs = append(ifs, open{i, 0})
			m.next[i] = append(m.next[i], target(i, in.JIP))
		case isa.OpElse:
			ifs[len(ifs)-1].other = i
			m.next[i] = []int{target(i, in.UIP)}
		case isa.OpEndif:
			x := ifs[len(ifs)-1]
			ifs = ifs[:len(ifs)-1]
			wait(x.at+1, i, i)
			if x.other != 0 {
				wait(x.at+1, x.other+1, x.other+1)
			}
		case isa.OpWhile:
			top := target(i, in.JIP)
			wait(top, i+1, i+1)
			wait(top, i, i)
			m.next[i] = append(m.next[i], top)
		case isa.OpBreak, isa.OpCont, isa.OpHalt:
			to := target(i, in.UIP)
			if in.Op == isa.OpBreak { // the lanes continue after the while
				to++
			}
			wait(i, to, to)
			m.next[i] = append(m.next[i], to)
		default:
			if in.EOT {
				m.next[i] = nil
			} else if isa.Ops[in.Op].Format == isa.FormatBranch {
				panic("a branch that this test does not know")
			}
		}
	}
}

// access records the registers that an instruction reads and writes.
func (m *machineLives) access(in *isa.Inst) {
	var reads, writes []span
	if f := isa.Ops[in.Op].Format; f == isa.FormatSend || f == isa.FormatSends {
		mlen, rlen, xlen := int(in.Desc>>25&15), int(in.Desc>>20&31), int(in.ExDesc>>6&15)
		whole := func(o *isa.Operand, n int) []span {
			if o.File != isa.FileGRF || n == 0 {
				return nil
			}
			return []span{{int(o.Reg) * grf, (int(o.Reg) + n) * grf}}
		}
		reads = append(whole(&in.Src[0], mlen), whole(&in.Src[1], xlen)...)
		writes = whole(&in.Dst, rlen)
	} else {
		n := int(in.ExecSize)
		for k := range in.Src {
			o := &in.Src[k]
			size := o.Type.Size()
			if o.File != isa.FileGRF || o.Indirect {
				continue
			}
			for lane := range n {
				off := lane * int(o.HStride) * size
				switch {
				case o.Width != 0:
					off = (lane/int(o.Width)*int(o.VStride) + lane%int(o.Width)*int(o.HStride)) * size
				case o.VStride != 0 && o.HStride == 0: // a ternary operand of pairs and so on
					off = lane * size
				}
				from := int(o.Reg)*grf + int(o.Sub) + off
				reads = append(reads, span{from, from + size})
			}
		}
		if o := &in.Dst; o.File == isa.FileGRF && !o.Indirect {
			for lane := range n {
				from := int(o.Reg)*grf + int(o.Sub) + lane*max(int(o.HStride), 1)*o.Type.Size()
				writes = append(writes, span{from, from + o.Type.Size()})
			}
		}
	}
	m.reads, m.writes = append(m.reads, reads), append(m.writes, writes)
}

// hold makes parts of responses that nothing reads live until another part is read: until then, the message may still be
// under way.
func (m *machineLives) hold() {
	for i := range m.code {
		if f := isa.Ops[m.code[i].Op].Format; f != isa.FormatSend && f != isa.FormatSends {
			continue
		}
		for _, s := range m.writes[i] {
			first := len(m.code)
			var unread []int
			for g := s.from / grf; g < s.to/grf; g++ {
				if k := m.firstRead(i+1, g); k < 0 {
					unread = append(unread, g)
				} else {
					first = min(first, k)
				}
			}
			for _, g := range unread {
				if first < len(m.code) {
					m.reads[first] = append(m.reads[first], span{g * grf, (g + 1) * grf})
				}
			}
		}
	}
}

// firstRead returns the first instruction from one on that reads a register, or -1 if a write comes first.
func (m *machineLives) firstRead(from, g int) int {
	in := func(list []span) bool {
		return slices.ContainsFunc(list, func(s span) bool { return s.from < (g+1)*grf && s.to > g*grf })
	}
	for k := from; k < len(m.code); k++ {
		if in(m.reads[k]) {
			return k
		}
		if in(m.writes[k]) {
			return -1
		}
	}
	return -1
}

// registers returns the number of live registers before each instruction. The response of a send is live before the next
// instruction, even if nothing reads it: it arrives later.
func (m *machineLives) registers() []int {
	n := len(m.code)
	first := map[int]bool{} // by register: whether its first access is a read, so that it is part of the payload
	for i := range n {
		for _, s := range m.reads[i] {
			for g := s.from / grf; g <= (s.to-1)/grf; g++ {
				if _, known := first[g]; !known {
					first[g] = true
				}
			}
		}
		for _, s := range m.writes[i] {
			for g := s.from / grf; g <= (s.to-1)/grf; g++ {
				if _, known := first[g]; !known {
					first[g] = false
				}
			}
		}
	}
	set := func(b []bool, list []span, to bool) {
		for _, s := range list {
			for x := max(s.from, 0); x < min(s.to, fileBytes); x++ {
				b[x] = to
			}
		}
	}
	written, live := make([][]bool, n+1), make([][]bool, n+1)
	for i := range n + 1 {
		written[i], live[i] = make([]bool, fileBytes), make([]bool, fileBytes)
	}
	for g, came := range first {
		for x := g * grf; came && x < (g+1)*grf; x++ {
			written[0][x] = true
		}
	}
	for again := true; again; {
		again = false
		for i := range n {
			now := append([]bool(nil), written[i]...)
			set(now, m.writes[i], true)
			for _, to := range m.next[i] {
				for x := range now {
					if now[x] && !written[to][x] {
						written[to][x], again = true, true
					}
				}
			}
		}
	}
	for again := true; again; {
		again = false
		for i := n - 1; i >= 0; i-- {
			now := make([]bool, fileBytes)
			for _, to := range m.next[i] {
				for x := range now {
					now[x] = now[x] || live[to][x]
				}
			}
			if m.code[i].Pred == 0 || m.code[i].Op == isa.OpSel {
				set(now, m.writes[i], false)
			}
			set(now, m.reads[i], true)
			for x := range now {
				if now[x] && !live[i][x] {
					live[i][x], again = true, true
				}
			}
		}
	}
	for i := range n - 1 {
		if m.code[i].Op == isa.OpSend || m.code[i].Op == isa.OpSends {
			set(live[i+1], m.writes[i], true)
		}
	}
	counts := make([]int, n)
	for i := range n {
		for g := range 128 {
			if m.holds(g, i, written[i], live) {
				counts[i]++
			}
		}
	}
	return counts
}

// holds reports whether a register has content that the lanes that run an instruction, or other lanes, still need.
func (m *machineLives) holds(g, i int, written []bool, live [][]bool) bool {
	for x := g * grf; x < (g+1)*grf; x++ {
		if !written[x] {
			continue
		}
		if live[i][x] {
			return true
		}
		for _, at := range m.waits[i] {
			if live[at][x] {
				return true
			}
		}
	}
	return false
}

// writer returns the last instruction in a message's block, before the message, that writes its payload after the
// header.
func (m *machineLives) writer(send int) int {
	data := m.reads[send][len(m.reads[send])-1]
	for i := send - 1; i > 0; i-- {
		for _, s := range m.writes[i] {
			if s.from < data.to && s.to > data.from {
				return i
			}
		}
	}
	return 0
}
