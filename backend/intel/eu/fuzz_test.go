// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/texture"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/variants"
)

// runAnything runs a program that may be nonsense. The run must end, by itself or with a *Fault, within the
// step limit.
func runAnything(t *testing.T, p *thread.Program) {
	t.Helper()
	for _, rules := range []thread.HazardRules{thread.HazardsOff, thread.HazardsLenient} {
		data, images := make([]byte, 256), newFuzzImages()
		d := &thread.Dispatch{Program: p, SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{40, 1, 1}, SLMSize: 1024,
			ScratchPerThread: 1024, Surfaces: []*thread.Surface{{Data: data}, nil, {Data: data[:7]}, {Image: images[0]}, {Image: images[1]}, {Image: images[2]}, {Image: images[3]}, {Image: images[4]}},
			Samplers: []*texture.Sampler{linearSampler(), {Unnormalized: true}}, Mappings: []thread.Mapping{{Addr: 0, Data: data}},
			Payload: ComputePayload(abi.JacquardCS, data), Options: thread.Options{Hazards: rules, StepLimit: 500, Slice: 50}}
		s, err := Run(context.Background(), d)
		if err != nil {
			if _, ok := err.(*thread.Fault); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			_ = err.Error()
		}
		if s.Instructions() > 500*3 {
			t.Fatalf("%d instructions", s.Instructions())
		}
		if rules == thread.HazardsOff {
			continue
		}
		for _, kind := range []thread.StageKind{thread.VertexStage, thread.FragmentStage} {
			d.Stage, d.LocalSize, d.Options.Slice = fuzzStage(kind), [3]uint32{16, 1, 1}, 0
			if _, err := Run(context.Background(), d); err != nil {
				if _, ok := err.(*thread.Fault); !ok {
					t.Fatalf("%T: %v", err, err)
				}
			}
		}
	}
	p.Static()
}

// fuzzStage returns a stage with all of its optional parts.
func fuzzStage(kind thread.StageKind) *thread.Stage {
	return &thread.Stage{Kind: kind, VectorMask: kind == thread.FragmentStage, Live: func(int) uint32 { return 0x7FFA },
		URB: thread.NewURB(8, 8), Targets: 2,
		Write:       func(int, int, *thread.TargetWrite) {},
		Interpolate: func(_, lane int, _ *thread.Place) [2]float32 { return [2]float32{float32(lane)} }}
}

// newFuzzImages makes images of various shapes for programs to modify.
func newFuzzImages() (all [5]*texture.Image) {
	for i, m := range []texture.Image{{Dim: irkind.Dim2D, Layers: 2, Samples: 1}, {Dim: irkind.Dim3D, Layers: 1, Samples: 1}, {Dim: irkind.DimCube, Layers: 12, Samples: 1},
		{Dim: irkind.Dim1D, Layers: 1, Samples: 1}, {Dim: irkind.Dim2D, Layers: 1, Samples: 4}} {
		f, err := texture.Named([]string{"R8G8B8A8_UNORM", "R32_UINT", "R32_SFLOAT", "R16G16_SNORM", "R32_SINT"}[i])
		if err != nil {
			panic(err)
		}
		all[i] = texture.NewImage(m.Dim, f, 4, 4, 2, m.Layers, m.Samples, 2)
	}
	return all
}

// imageDescs are descriptors of image messages for surface 0.
var imageDescs = []uint32{0x02115E00, 0x06415000, 0x04035000, 0x0211A700, 0x02018700, 0x02420000, 0x08840000, 0x06424000, 0x06427000, 0x0A4A8000, 0x0242A000,
	0x04429000, 0x0643C000, 0x0443D000, 0x0445A000, 0x0A442000}

// stageDescs are descriptors: three messages each to the URB, to render targets and to the pixel interpolator.
var stageDescs = []uint32{0x02080007, 0x060A8017, 0x04380008, 0x08031400, 0x02031400, 0x10031000, 0x02202000, 0x02203000, 0x02412000}

// FuzzProgram runs the fuzzer's bytes as machine code.
func FuzzProgram(fuzz *testing.F) {
	f := variants.Of(fuzz)
	for _, text := range []string{
		"(W) mov (8|M0) r4.0<1>:uw 0x76543210:v\nadd (16|M0) r10.0<1>:d r8.0<8;8,1>:d r6.0<8;8,1>:d {@1}\n",
		"send.dc1 (16|M0) r14 r12 null 0x0 0x04205E00 {$0}\nsync.nop null {$0.dst}\nmad (16|M0) r18.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r1.0<0>:f\n",
		"mov (8|M0) r12.0<1>:ud r[a0.0,32]<8;8,1>:ud {@1}\nmath.inv (8|M0) r10.0<1>:f r11.0<8;8,1>:f {$1}\n",
		"(W) send.ts (16|M0) null r127 null 0x0 0x02000000 {EOT,@1}\n",
		"send.dc1 (8|M0) r14 r12 null 0x0 0x06415003 {$0}\nsend.dc1 (8|M0) null r12 r20 0x100 0x04035004 {$1}\nsend.dc1 (8|M0) r24 r12 r20 0x40 0x0611A704 {$2}\n",
		"send.smpl (8|M0) r14 r12 null 0x0 0x04420003 {$0}\nsend.smpl (16|M0) r30 r12 r40 0x80 0x04848005 {$1}\nsend.smpl (8|M0) r50 r12 null 0x0 0x06424006 {$2}\nsend.smpl (8|M0) r14 r12 null 0x0 0x084DE003 {$3}\n",
		"(W) mov (1|M0) r126.0<1>:ud 0x40:ud\nsend.urb (8|M0) r30 r126 null 0x0 0x02480008 {@1,$1}\nsend.urb (8|M0) null r126 r122 0x100 0x02080027 {EOT}\n",
		"send.pixi (16|M0) r30 r126 null 0x0 0x02412000 {$1}\nsendc.rc (8|M0) null r124 null 0x0 0x08031400 {EOT}\n",
		"cmp (8|M0) (ge)f0.0 null<1>:d r10.0<8;8,1>:d r2.0<8;8,1>:d\n(f0.0) if (8|M0) L48 L48\nmov (8|M0) r2.0<1>:d 1:w\nL48:\nendif (8|M0) L64\nL64:\nnop\n",
	} {
		code, err := isatext.Assemble(isa.TGL, text)
		if err != nil {
			f.Fatalf("%s: %v", text, err)
		}
		f.Add(code)
	}
	for _, text := range []string{
		"send (16|M0) r14:ud r12:ud 0xC 0x04205E00\nmad (16|M0) r18.0<1>:f r16.0<8;1>:f r14.0<8;1>:f r1.0<0>:f\n",
		"(W) mov (1|M0) a0.2<1>:ud 0x4C:ud\nsends (8|M0) null:ud r10 r4 a0.2 a0.0\n(W) wait (1|M0) n0.0:ud\n",
		"(W) mov (4|M0) r20.0<1>:d 1:w {NoDDClr}\n(W) mov (4|M0) r20.4<1>:d r[a0.0]<1,0>:d {NoDDChk}\n" + end11,
	} {
		code, err := isatext.Assemble(isa.ICL, text)
		if err != nil {
			f.Fatalf("%s: %v", text, err)
		}
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > 1<<12 {
			return
		}
		for _, machine := range []*target.Target{target.TGL, target.ICL} {
			runAnything(t, Load(machine, code))
		}
	})
}

// randomOperand returns a random operand, usually a plausible one.
// randomWaits returns waits, most of which go together.
func randomWaits(r *rand.Rand) fields.SWSB {
	return fields.SWSBDist(r.IntN(8)*r.IntN(2)) | fields.SWSBToken(r.IntN(16), fields.TokenUse(r.IntN(4)*r.IntN(2)))
}

func randomOperand(r *rand.Rand) isa.Operand {
	o := isa.Operand{
		File: isa.File(r.IntN(4)), Type: isa.Type(r.IntN(isa.NumTypes)), Reg: uint8(r.IntN(130)), Sub: uint8(r.IntN(8) * 4),
		VStride: []uint8{0, 1, 2, 4, 8, 16, 32, isa.VStrideVxH}[r.IntN(8)], Width: 1 << r.IntN(5), HStride: []uint8{0, 1, 2, 4}[r.IntN(4)],
		Neg: r.IntN(8) == 0, Abs: r.IntN(8) == 0, Indirect: r.IntN(12) == 0, AddrSub: uint8(r.IntN(16)),
		AddrOff: int16(r.IntN(1024) - 512), Imm: r.Uint64(),
	}
	if r.IntN(3) != 0 {
		o.File, o.VStride = isa.FileGRF, 8
		o.Width, o.HStride = 8, 1
	}
	if o.File == isa.FileARF {
		o.Reg = uint8(r.IntN(16)<<4 | r.IntN(3))
	}
	return o
}

// TestRandomInstructions runs instructions with random fields, which get further than random bytes.
func TestRandomInstructions(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	n := 4000
	if testing.Short() {
		n = 400
	}
	for i := 0; i < n; i++ {
		var p []isa.Inst
		for j := r.IntN(12) + 1; j > 0; j-- {
			in := isa.Inst{
				Op: isa.Op(r.IntN(isa.NumOps)), ExecSize: 1 << r.IntN(6), ChanOff: uint8(r.IntN(8) * 4 * r.IntN(2)), Flag: uint8(r.IntN(4)),
				Math: isa.MathFn(r.IntN(16)), Sync: isa.SyncFn(r.IntN(16)), SFID: isa.SFID(r.IntN(14)), NoMask: r.IntN(2) == 0,
				Sat:     r.IntN(6) == 0,
				AccWrEn: r.IntN(6) == 0, BranchCtrl: r.IntN(8) == 0, SWSB: randomWaits(r), Dst: randomOperand(r),
				JIP: int32(r.IntN(16)-6) * 16, UIP: int32(r.IntN(16)-6) * 16, Desc: r.Uint32(), ExDesc: uint32(r.IntN(4)) << 6,
				DescReg: r.IntN(16) == 0,
			}
			if r.IntN(3) == 0 {
				in.CMod = isa.CMod(r.IntN(10))
			}
			if r.IntN(3) == 0 {
				in.Pred, in.PredInv = isa.Pred(r.IntN(14)), r.IntN(2) == 0
			}
			if r.IntN(2) == 0 {
				in.Desc = []uint32{0x04205E00, 0x02106EFE, 0x04025E00, 0x0210B700, 0x02110400, 0x04030502, 0x02280302, 0x02000004, 0x0219E0FE, 0x022C1000, 0x020F1000, 0x08445CFD, 0x022D0BFF}[r.IntN(13)]
				in.SFID = []isa.SFID{isa.SFIDDC0, isa.SFIDDC1, isa.SFIDGateway}[r.IntN(3)]
			}
			if r.IntN(3) == 0 {
				k := r.IntN(len(imageDescs))
				in.Op, in.ExecSize = isa.OpSend, 8
				in.ChanOff, in.SFID = 0, isa.SFIDSampler
				if k < 5 {
					in.SFID = isa.SFIDDC1
				}
				in.Desc, in.ExDesc = imageDescs[k]|uint32(r.IntN(9)), uint32(r.IntN(6))<<6
				if r.IntN(4) == 0 {
					in.Desc ^= 1 << r.IntN(31)
				}
			}
			if r.IntN(4) == 0 {
				k := r.IntN(len(stageDescs))
				in.Op, in.ExecSize = isa.OpSendc, 8
				in.ChanOff, in.SFID = 0, []isa.SFID{isa.SFIDURB, isa.SFIDRC, isa.SFIDPixInterp}[k/3]
				in.Desc, in.ExDesc, in.EOT = stageDescs[k], uint32(r.IntN(6))<<6, r.IntN(4) == 0
				if r.IntN(4) == 0 {
					in.Desc ^= 1 << r.IntN(31)
				}
			}
			for k := range in.Src {
				in.Src[k] = randomOperand(r)
			}
			p = append(p, in)
		}
		runAnything(t, FromInsts(target.TGL, append(p, endThread())))
		for j := range p {
			p[j].SWSB, p[j].NoDDClr, p[j].NoDDChk = 0, r.IntN(4) == 0, r.IntN(4) == 0
		}
		runAnything(t, FromInsts(guarded(), append(p, endThread())))
	}
}
