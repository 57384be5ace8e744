// SPDX-License-Identifier: MIT

package intel_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/target"
)

// swizzling is a random program of products and sums with swizzles and write masks, as machine IR after
// selection and as Go functions that compute its lanes.
type swizzling struct {
	*rand.Rand
	text   strings.Builder
	width  int
	stored int // number of registers that are stored at the end, starting at v1
	regs   int // number of registers, including those after them that a single instruction writes
	blocks int
	code   *[]func() // steps of the lanes in the innermost if or loop
	temps  []int     // registers written by a single instruction that all lanes have executed
	full   bool      // all lanes execute the following code, at least once

	vals   [][]float32 // by register and lane
	flags  [flagRegs]uint32
	active uint32
}

// Registers of a program: floats starting at v1, and then auxiliary ones. The first few hold small numbers and are never
// written, so that no value becomes infinite.
const (
	smallRegs  = 4
	flagRegs   = 3
	deadReg    = 499 // never read
	lanesReg   = 500
	wideReg    = 501
	atReg      = 502
	nextReg    = 503
	flagReg    = 504
	uniformReg = flagReg + flagRegs
)

func (p *swizzling) line(format string, args ...any) {
	fmt.Fprintf(&p.text, "  "+format+"\n", args...)
}

func (p *swizzling) block() {
	fmt.Fprintf(&p.text, "b%d:\n", p.blocks)
	p.blocks++
}

// does adds the lanes' computation of the instruction whose line was added last.
func (p *swizzling) does(step func()) { *p.code = append(*p.code, step) }

// within collects the steps of the body of an if or loop.
func (p *swizzling) within(body func()) (steps []func()) {
	code, full, temps := p.code, p.full, p.temps
	p.code = &steps
	body()
	p.code, p.full, p.temps = code, full, temps
	return steps
}

func runAll(steps []func()) {
	for _, step := range steps {
		step()
	}
}

func (p *swizzling) all() uint32 { return uint32(uint64(1)<<p.width - 1) }

// program builds a program with n float registers and some instructions, and computes their final contents.
func (p *swizzling) program(n, instructions int) {
	w := p.width
	fmt.Fprintf(&p.text, "mir 1 compute \"main\"\ntarget skl\nsimd %d\nabi jacquard_cs_gen9\nafter select\n"+
		"workgroup_size %d 1 1\npayload 3\nbuffers 1\nbinding 0 count=1 set=0 binding=0 ssbo\n", w, w)
	fmt.Fprintf(&p.text, "reg v1..v%d bytes=%d lane=4 align=32\n", deadReg, 4*w)
	fmt.Fprintf(&p.text, "reg v%d bytes=%d lane=2 align=32\nreg v%d..v%d bytes=%d lane=4 align=32\n", lanesReg, max(2*w, 32),
		wideReg, nextReg, 4*w)
	fmt.Fprintf(&p.text, "reg v%d..v%d bytes=4 lane=4 align=4 uniform nospill flag\n", flagReg, uniformReg-1)
	fmt.Fprintf(&p.text, "reg v%d bytes=32 lane=32 align=32 uniform\n", uniformReg)
	p.text.WriteString("function \"main\"\n")
	p.block()
	p.line("(W) mov(8) v%d<1>:uw 0x76543210:v", lanesReg)
	for at := 8; at < w; at *= 2 {
		p.line("(W) add(%d) v%d+%d<1>:uw v%d:uw 0x%x:uw", at, lanesReg, 2*at, lanesReg, at)
	}
	p.line("mov(%d) v%d<1>:ud v%d:uw", w, wideReg, lanesReg)
	p.line("shl(%d) v%d<1>:ud v%d:ud 0x2:ud", w, atReg, wideReg)
	var steps []func()
	p.code, p.full, p.active = &steps, true, p.all()
	p.stored, p.regs = n, n
	p.vals = make([][]float32, deadReg+1)
	for r := range p.vals {
		p.vals[r] = make([]float32, w)
	}
	for r := 1; r <= n; r++ {
		bias := float32(3 * r)
		if r <= smallRegs {
			p.line("and(%d) v%d<1>:ud v%d:ud 0x%x:ud", w, nextReg, wideReg, r)
			p.line("mov(%d) v%d<1>:f v%d:ud", w, r, nextReg)
			bias = -1
		} else {
			p.line("mov(%d) v%d<1>:f v%d:ud", w, r, wideReg)
		}
		p.line("add(%d) v%d<1>:f v%d:f 0x%x:f", w, r, r, math.Float32bits(bias))
		for i := range w {
			lane := i
			if r <= smallRegs {
				lane &= r
			}
			p.vals[r][i] = float32(lane) + bias
		}
	}
	for f := range flagRegs {
		p.compare(f)
	}
	p.instructions(instructions, 0)
	runAll(steps)
	regs := w / 8
	for r := 1; r <= n; r++ {
		p.line("add(%d) v%d<1>:ud v%d:ud 0x%x:ud", w, nextReg, atReg, 4*w*(r-1))
		p.line("msg.untyped_write(%d) null:ud address=v%d:ud data=v%d:ud surface=0x0:ud space=buffer comps=1 len=%d xlen=%d", w,
			nextReg, r, regs, regs)
	}
	p.line("(W) msg.end_thread(8) null:ud {EOT}")
}

// instructions adds n instructions at a nesting depth of ifs and loops.
func (p *swizzling) instructions(n, depth int) {
	for range n {
		switch k := p.IntN(24); {
		case k == 0 && depth < 2:
			p.branch(depth)
		case k == 1 && depth == 0:
			p.loop()
		case k == 2:
			p.compare(p.IntN(flagRegs))
		case k == 3:
			p.uniform()
		case k < 7:
			p.copy()
		case k < 10 && p.full && p.regs < deadReg-8:
			p.temp()
		default:
			p.mad()
		}
	}
}

// branch adds an if.
func (p *swizzling) branch(depth int) {
	f := p.IntN(flagRegs)
	p.line("(v%d) if(%d)", flagReg+f, p.width)
	p.block()
	body := p.within(func() {
		p.full = false
		p.instructions(5, depth+1)
	})
	p.block()
	p.line("endif(%d)", p.width)
	p.block()
	p.does(func() {
		was := p.active
		p.active &= p.flags[f]
		runAll(body)
		p.active = was
	})
}

// loop adds a loop that lanes leave in different iterations.
func (p *swizzling) loop() {
	w, f, small := p.width, p.IntN(flagRegs), 1+p.IntN(smallRegs)
	trip, limit := p.regs+1, p.regs+2
	p.regs += 2
	p.line("mov(%d) v%d<1>:f 0x0:f", w, trip)
	p.line("add(%d) v%d<1>:f v%d:f 0x40000000:f", w, limit, small)
	p.block()
	p.line("loop(%d)", w)
	body := p.within(func() {
		p.instructions(4, 1)
		p.line("add(%d) v%d<1>:f v%d:f 0x3f800000:f", w, trip, trip)
		p.line("cmp(%d) (ge)v%d null:f v%d:f v%d:f", w, flagReg+f, trip, limit)
		p.line("(v%d) break(%d)", flagReg+f, w)
		p.block()
		p.does(func() {
			p.lanes(func(i int) {
				p.vals[trip][i]++
				p.set(f, i, p.vals[trip][i] >= p.vals[small][i]+2)
			})
			p.active &^= p.flags[f]
		})
		p.full = false
		p.instructions(3, 1)
	})
	p.block()
	p.line("while(%d)", w)
	p.block()
	p.does(func() {
		was := p.active
		for clear(p.vals[trip]); p.active != 0; {
			runAll(body)
		}
		p.active = was
	})
}

// written picks one of the registers that the program writes and stores.
func (p *swizzling) written() int { return smallRegs + 1 + p.IntN(p.stored-smallRegs) }

// any picks a readable register.
func (p *swizzling) any() int {
	if len(p.temps) > 0 && p.IntN(2) == 0 {
		return p.temps[p.IntN(len(p.temps))]
	}
	return p.written()
}

// lanes calls do for the active lanes.
func (p *swizzling) lanes(do func(lane int)) {
	for i := range p.width {
		if p.active>>i&1 != 0 {
			do(i)
		}
	}
}

// compare sets a flag in the active lanes.
func (p *swizzling) compare(f int) {
	a, b := p.any(), p.any()
	p.line("cmp(%d) (lt)v%d null:f v%d:f v%d:f", p.width, flagReg+f, a, b)
	p.does(func() {
		p.lanes(func(i int) { p.set(f, i, p.vals[a][i] < p.vals[b][i]) })
	})
}

func (p *swizzling) set(f, lane int, bit bool) {
	p.flags[f] &^= 1 << lane
	if bit {
		p.flags[f] |= 1 << lane
	}
}

// copy copies a register in the active lanes.
func (p *swizzling) copy() {
	from, to := p.any(), p.written()
	if p.full && p.IntN(2) == 0 {
		p.regs++
		to = p.regs
		p.temps = append(p.temps, to)
	}
	p.line("mov(%d) v%d<1>:f v%d:f", p.width, to, from)
	p.does(func() {
		p.lanes(func(i int) { p.vals[to][i] = p.vals[from][i] })
	})
}

// temp adds a sum that is written to a new register, so that it can be rematerialized.
func (p *swizzling) temp() {
	a, b := 1+p.IntN(smallRegs), 1+p.IntN(smallRegs)
	p.regs++
	to := p.regs
	p.temps = append(p.temps, to)
	p.line("add(%d) v%d<1>:f v%d:f v%d:f", p.width, to, a, b)
	p.does(func() {
		p.lanes(func(i int) { p.vals[to][i] = p.vals[a][i] + p.vals[b][i] })
	})
}

// uniform writes a register without a mask just before its only use.
func (p *swizzling) uniform() {
	x, to := float32(p.IntN(9)), p.written()
	p.line("(W) mov(8) v%d<1>:f 0x%x:f", uniformReg, math.Float32bits(x))
	p.line("add(%d) v%d<1>:f v%d:f v%d+4<0>:f", p.width, to, to, uniformReg)
	p.does(func() {
		p.lanes(func(i int) { p.vals[to][i] += x })
	})
}

// mad adds a multiply-add, with a random subset of source swizzles, a write mask, a predicate and a condition.
func (p *swizzling) mad() {
	w, f := p.width, p.IntN(flagRegs)
	regs := [3]int{p.any(), p.any(), 1 + p.IntN(smallRegs)}
	dst := p.written()
	if p.IntN(8) == 0 {
		dst = deadReg
	}
	var swizzles [3]fields.Swizzle
	var mask fields.WriteMask
	pred, cond, after := "", "", ""
	if p.IntN(2) == 0 {
		if mask = fields.WriteMask(p.IntN(16)); mask != 0 {
			after = "." + mask.String()
		}
	}
	var src [3]string
	for k := range src {
		src[k] = fmt.Sprintf("v%d:f", regs[k])
		if p.IntN(2) == 0 {
			swizzles[k] = fields.Swizzle(p.IntN(256))
			src[k] = fmt.Sprintf("v%d<1>.%s:f", regs[k], swizzles[k])
		}
	}
	predicated, compares := p.IntN(4) == 0, p.IntN(4) == 0
	if predicated {
		pred = fmt.Sprintf("(v%d) ", flagReg+f)
	}
	if compares {
		cond = fmt.Sprintf("(gt)v%d ", flagReg+f)
	}
	p.line("%smad(%d) %sv%d<1>%s:f %s %s %s", pred, w, cond, dst, after, src[0], src[1], src[2])
	p.does(func() {
		old, out := p.flags[f], slices.Clone(p.vals[dst])
		p.lanes(func(i int) {
			if !mask.Writes(i) || predicated && old>>i&1 == 0 {
				return
			}
			of := func(k int) float64 { return float64(p.vals[regs[k]][swizzles[k].Lane(i)]) }
			out[i] = float32(math.FMA(of(1), of(2), of(0)))
			if compares {
				p.set(f, i, out[i] > 0)
			}
		})
		p.vals[dst] = out
	})
}

// TestSwizzles runs random programs with swizzles and write masks on the model, some with more values than
// registers, and compares the results with a lane-by-lane computation.
func TestSwizzles(t *testing.T) {
	machine := target.SKL
	for _, width := range machine.Widths {
		spilled := 0
		for seed := range uint64(60) {
			p := &swizzling{Rand: rand.New(rand.NewPCG(seed, 9)), width: width}
			n := 12 + int(seed%4)*45
			p.program(n, 60)
			text := p.text.String()
			u, err := mirtext.Parse([]byte(text), func(u *mir.Unit) error {
				u.Func.MarkSingle()
				if err := intel.CheckUnit(u, machine); err != nil {
					return err
				}
				return intel.CheckReads(u, nil)
			})
			if err != nil {
				t.Fatalf("SIMD%d, seed %d: %v\n%s", width, seed, err, text)
			}
			bin, err := new(intel.Compiler).Resume(u, intel.Options{Target: machine, SIMD: width, Buffers: 1, Verify: true})
			if err != nil {
				t.Fatalf("SIMD%d, seed %d: %v\n%s", width, seed, err, text)
			}
			spilled += bin.Stats.Spills
			out := make([]byte, 4*width*n)
			if _, err := eu.Run(context.Background(), &eu.Dispatch{
				Program: eu.Load(machine, bin.Code), SIMD: width, Groups: [3]uint32{1, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
				Surfaces: []*eu.Surface{{Data: out}}, ScratchPerThread: int(bin.ABI.ScratchBytes),
				Payload: eu.ComputePayload(machine.ABI, nil), Options: eu.Options{Addresses: true},
			}); err != nil {
				t.Fatalf("SIMD%d, seed %d: %v\n%s", width, seed, err, text)
			}
			for r := 1; r <= n; r++ {
				for i := range width {
					got := math.Float32frombits(binary.LittleEndian.Uint32(out[4*(width*(r-1)+i):]))
					if got != p.vals[r][i] {
						t.Fatalf("SIMD%d, seed %d: lane %d of v%d is %v, want %v\n%s", width, seed, i, r, got, p.vals[r][i], text)
					}
				}
			}
		}
		if spilled == 0 {
			t.Errorf("SIMD%d: nothing was spilled", width)
		}
	}
}
