package intel_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/target"
)

// swizzling is a random program of products and sums with swizzles and write masks, as
// text after select and as what its lanes compute.
type swizzling struct {
	*rand.Rand
	text   strings.Builder
	width  int
	blocks int
	vals   [][]float32 // by register of floats and lane
	flag   uint32
	active uint32
}

// Registers of a program: floats from v1 on, and after those what makes them. The first
// few hold small numbers and are not written, so that no value becomes infinite.
const (
	smallRegs = 4
	deadReg   = 499 // nothing reads it
	lanesReg  = 500
	wideReg   = 501
	atReg     = 502
	nextReg   = 503
	flagReg   = 504
)

func (p *swizzling) line(format string, args ...any) {
	fmt.Fprintf(&p.text, "  "+format+"\n", args...)
}

func (p *swizzling) block() {
	fmt.Fprintf(&p.text, "b%d:\n", p.blocks)
	p.blocks++
}

// endif ends an if, in a block of its own.
func (p *swizzling) endif() {
	p.block()
	p.line("endif(%d)", p.width)
	p.block()
}

// program makes one with n registers of floats and some instructions.
func (p *swizzling) program(n, instructions int) {
	w := p.width
	fmt.Fprintf(&p.text, "mir 1 compute \"main\"\ntarget skl\nsimd %d\nabi jacquard_cs_gen9\nafter select\nworkgroup_size %d 1 1\npayload 3\nbuffers 1\nbinding 0 count=1 set=0 binding=0 ssbo\n", w, w)
	fmt.Fprintf(&p.text, "reg v1..v499 bytes=%d lane=4 align=32\n", 4*w)
	fmt.Fprintf(&p.text, "reg v500 bytes=%d lane=2 align=32\nreg v501..v503 bytes=%d lane=4 align=32\nreg v504 bytes=4 lane=4 align=4 uniform nospill flag\n", max(2*w, 32), 4*w)
	p.text.WriteString("function \"main\"\n")
	p.block()
	p.line("(W) mov(8) v%d<1>:uw 0x76543210:v", lanesReg)
	for at := 8; at < w; at *= 2 {
		p.line("(W) add(%d) v%d+%d<1>:uw v%d:uw 0x%x:uw", at, lanesReg, 2*at, lanesReg, at)
	}
	p.line("mov(%d) v%d<1>:ud v%d:uw", w, wideReg, lanesReg)
	p.line("shl(%d) v%d<1>:ud v%d:ud 0x2:ud", w, atReg, wideReg)
	p.active = uint32(uint64(1)<<w - 1)
	p.vals = make([][]float32, n+1)
	for r := 1; r <= n; r++ {
		p.vals[r] = make([]float32, w)
		p.line("mov(%d) v%d<1>:f v%d:ud", w, r, wideReg)
		bias := float32(3 * r)
		if r <= smallRegs {
			p.line("and(%d) v%d<1>:ud v%d:ud 0x%x:ud", w, nextReg, wideReg, r)
			p.line("mov(%d) v%d<1>:f v%d:ud", w, r, nextReg)
			bias = -1
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
	p.compare()
	depth := 0
	for range instructions {
		switch k := p.IntN(24); {
		case k == 0 && depth == 0:
			p.line("(v%d) if(%d)", flagReg, w)
			p.block()
			depth, p.active = 1, p.active&p.flag
		case k == 1 && depth == 1:
			p.endif()
			depth, p.active = 0, uint32(uint64(1)<<w-1)
		case k == 2:
			p.compare()
		case k < 6:
			p.copy()
		default:
			p.mad()
		}
	}
	if depth == 1 {
		p.endif()
	}
	regs := w / 8
	for r := 1; r <= n; r++ {
		p.line("add(%d) v%d<1>:ud v%d:ud 0x%x:ud", w, nextReg, atReg, 4*w*(r-1))
		p.line("msg.untyped_write(%d) null:ud address=v%d:ud data=v%d:ud surface=0x0:ud space=buffer comps=1 len=%d xlen=%d", w, nextReg, r, regs, regs)
	}
	p.line("(W) msg.end_thread(8) null:ud {EOT}")
}

// written picks one of the registers that the program writes.
func (p *swizzling) written() int { return smallRegs + 1 + p.IntN(len(p.vals)-smallRegs-1) }

// lanes calls do for the lanes that run.
func (p *swizzling) lanes(do func(lane int)) {
	for i := range p.width {
		if p.active>>i&1 != 0 {
			do(i)
		}
	}
}

// compare sets the flag of all lanes that run. In an if the others keep theirs.
func (p *swizzling) compare() {
	a, b := p.written(), p.written()
	p.line("cmp(%d) (lt)v%d null:f v%d:f v%d:f", p.width, flagReg, a, b)
	p.lanes(func(i int) { p.set(i, p.vals[a][i] < p.vals[b][i]) })
}

func (p *swizzling) set(lane int, bit bool) {
	p.flag &^= 1 << lane
	if bit {
		p.flag |= 1 << lane
	}
}

// copy copies a register, in the lanes that run.
func (p *swizzling) copy() {
	from, to := p.written(), p.written()
	p.line("mov(%d) v%d<1>:f v%d:f", p.width, to, from)
	p.lanes(func(i int) { p.vals[to][i] = p.vals[from][i] })
}

// mad adds a product to a sum, with some of a swizzle of each source, a write mask, a
// predicate and a condition.
func (p *swizzling) mad() {
	regs := [3]int{p.written(), p.written(), 1 + p.IntN(smallRegs)}
	dst := p.written()
	if p.IntN(8) == 0 {
		dst = deadReg
	}
	var swizzles [3]fields.Swizzle
	var mask fields.WriteMask
	pred, cond, after := "", "", ""
	if p.IntN(2) == 0 {
		mask = fields.WriteMask(p.IntN(16))
		if mask != 0 {
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
		pred = fmt.Sprintf("(v%d) ", flagReg)
	}
	if compares {
		cond = fmt.Sprintf("(gt)v%d ", flagReg)
	}
	p.line("%smad(%d) %sv%d<1>%s:f %s %s %s", pred, p.width, cond, dst, after, src[0], src[1], src[2])
	old := p.flag
	out := make([]float32, p.width)
	if dst != deadReg {
		copy(out, p.vals[dst])
	}
	p.lanes(func(i int) {
		if !mask.Writes(i) || predicated && old>>i&1 == 0 {
			return
		}
		of := func(k int) float64 { return float64(p.vals[regs[k]][swizzles[k].Lane(i)]) }
		out[i] = float32(of(0) + of(1)*of(2))
		if compares {
			p.set(i, out[i] > 0)
		}
	})
	if dst != deadReg {
		p.vals[dst] = out
	}
}

// TestSwizzles: random programs with swizzles and write masks, some with more values
// than there are registers, leave on the model what their lanes compute one by one.
func TestSwizzles(t *testing.T) {
	machine := target.SKL
	for _, width := range machine.Widths {
		spilled := 0
		for seed := range uint64(40) {
			p := &swizzling{Rand: rand.New(rand.NewPCG(seed, 9)), width: width}
			n := 12 + int(seed%4)*45
			p.program(n, 60)
			text := p.text.String()
			u, err := mirtext.Parse([]byte(text), func(u *mir.Unit) error {
				u.Func.MarkSingle()
				return intel.CheckUnit(u, machine)
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
