package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/modules"
)

// Workload is an entry point of a compute module with made-up inputs.
type Workload struct {
	ID     string // the hash of the module and the entry point, as in frozen.txt
	Module *modules.Module
	in     *inputs
	entry  string
}

// Workloads returns the compute entry points of the given modules that access only
// buffers, push constants and shared memory, each once, in the order of their ids.
func Workloads(ctx context.Context, list []modules.Module) (out []*Workload) {
	for i := range list {
		m := &list[i]
		if m.Invalid != "" {
			continue
		}
		hash := sha256.Sum256(m.SPIRV)
		for _, e := range modules.Entries(m.SPIRV) {
			if modules.Models[e.Model] != "compute" || ctx.Err() != nil {
				continue
			}
			w := &Workload{ID: hex.EncodeToString(hash[:6]) + " " + e.Name, Module: m, entry: e.Name}
			err := guard(func() error {
				s, err := spirv.Read(m.SPIRV, spirv.Options{Stage: kind.StageCompute, Entry: e.Name})
				if err == nil && !byAddress(s) {
					w.in = newInputs(s, tame, 0)
				}
				return err
			})
			if err == nil && w.in != nil && len(w.in.images) == 0 && len(w.in.outputs) > 0 {
				out = append(out, w)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Workload) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(out, func(a, b *Workload) bool { return a.ID == b.ID })
}

// Unfit returns the reason why the shader's results cannot be compared, or "" if they can: the interpreter does not run
// the shader, the shader accesses memory that does not exist, or its results depend on behavior that SPIR-V leaves
// undefined.
func (w *Workload) Unfit(ctx context.Context) (why string) {
	err := guard(func() error {
		s, err := spirv.Read(w.Module.SPIRV, spirv.Options{Stage: kind.StageCompute, Entry: w.entry})
		if err != nil {
			return err
		}
		usual := variant{groups: 2, width: 16}
		want, stats, err := w.in.runAs(ctx, s, usual)
		if err != nil {
			return err
		}
		if stats.Outside > 0 {
			why = "it reads or writes outside of an array or a buffer"
			return nil
		}
		seeded, loose, backwards := usual, usual, usual
		seeded.seed, loose.loose, backwards.backwards = 0x1234567, 1, true
		for _, v := range []variant{seeded, loose, backwards} {
			out, _, err := w.in.runAs(ctx, s, v)
			if err != nil {
				return err
			}
			if out.differs(want) != nil {
				why = "what it leaves is not defined, or depends on the order of its invocations"
			}
		}
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return why
}

// HasSharedAtomics64 reports whether the shader has atomics on 64 bits of workgroup memory
// (Vulkan's feature shaderSharedInt64Atomics).
func (w *Workload) HasSharedAtomics64() bool {
	s, err := spirv.Read(w.Module.SPIRV, spirv.Options{Stage: kind.StageCompute, Entry: w.entry})
	if err != nil {
		return false
	}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				in := s.At(v)
				if in.Kind != kind.Intrinsic || in.Bits != 64 {
					continue
				}
				if id := in.Intrinsic(); id == intrinsic.DerefAtomic || id == intrinsic.DerefAtomicSwap {
					if s.Modes(s.Src(v, 0).Val)&kind.ModeShared != 0 {
						return true
					}
				}
			}
		}
	}
	return false
}

// Call returns a dispatch of two workgroups on inputs of its own.
func (w *Workload) Call() *runner.Call { return w.in.clone().call(w.entry, 2) }
