// SPDX-License-Identifier: MIT

package modulemutants

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

const maxModule = 6 << 10 // bytes: mutations of small modules hit more

// originals returns the test shaders that are small.
func originals(t testing.TB) (names []string, modules []*Module) {
	t.Helper()
	files, err := filepath.Glob("../../shaders/*.spv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no shaders: %v", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f)
		// pow(0, 0) is undefined; so is the order of atomic additions, which
		// decides how the sum is rounded.
		open := strings.HasPrefix(name, "float_exp_log") || strings.HasPrefix(name, "op_atomic_float_add")
		if len(b) <= maxModule && !open {
			names, modules = append(names, name), append(modules, Parse(b))
		}
	}
	return names, modules
}

// verdict is the outcome of a mutant.
type verdict uint8

const (
	refused verdict = iota
	endless         // reached the step limit, or cannot be run
	chance          // its result depends on undefined values, or it accesses memory out of bounds
	dropped         // a pass refused it with an error
	same
)

const maxSteps = 1 << 13

// try reads a mutant. If the reader accepts it, its IR must be well formed and leave the same bytes before and after
// all passes.
func try(ctx context.Context, module []byte) (v verdict, why string, err error) {
	err = guarded(func() (err error) {
		v, why, err = examine(ctx, module)
		return err
	})
	return v, why, err
}

// examine is like try, for a module on which nothing panics.
func examine(ctx context.Context, module []byte) (v verdict, why string, err error) {
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		var e *spirv.Error
		if !errors.As(err, &e) {
			return refused, "", fmt.Errorf("the refusal is a %T: %w", err, err)
		}
		return refused, e.Msg, nil
	}
	if err := validate.Shader(s); err != nil {
		return refused, "", fmt.Errorf("what was read: %w", err)
	}
	if exact(s) {
		return chance, "", nil
	}
	before, _, err := run(ctx, s, 1, maxSteps, false)
	if err != nil {
		return endless, err.Error(), nil
	}
	for _, seed := range seeds {
		if other, outside, err := run(ctx, s, seed, maxSteps, false); err != nil || outside || !equal(before, other) {
			return chance, "", nil
		}
	}
	if other, _, err := run(ctx, s, 1, maxSteps, true); err != nil || !equal(before, other) {
		return chance, "", nil // depends on the order of the invocations
	}
	if other, err := runAlone(ctx, s); err != nil || !equal(before, other) {
		return chance, "", nil // depends on the order of the stores of several invocations
	}
	c := pass.New(s)
	plain := *target.TGL
	plain.Rewrite = option.Set{} // no lowering of divisions, whose last bits Vulkan leaves open
	c.Options = pass.Options{Target: &plain}
	if err := c.Run(pipeline.Compute, nil); err != nil {
		return dropped, err.Error(), nil
	}
	if err := validate.Shader(s); err != nil {
		return refused, "", fmt.Errorf("after all passes: %w", err)
	}
	after, _, err := run(ctx, s, 1, 256*maxSteps, false) // lowering turns one instruction into many
	if err != nil {
		return refused, "", fmt.Errorf("after all passes: %w", err)
	}
	if !equal(before, after) {
		return refused, "", errors.New("after all passes it writes something else")
	}
	return same, "", nil
}

// exact removes all permissions to change the results of float arithmetic, so that bytes can be compared. It reports
// whether there are undefined values.
func exact(s *ir.Shader) (undefined bool) {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				switch in := s.At(v); in.Kind {
				case kind.ALU:
					in.Float = 0
				case kind.Undef:
					undefined = true
				}
			}
		}
	}
	return undefined
}

// seeds are the seeds for undefined values: a result that is the same under all of them hardly depends on undefined
// values. The last one makes undefined memory zero.
var seeds = []uint64{2, 3, 4, zeroSeed()}

// zeroSeed solves seed * 0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d = 0, from
// which the interpreter draws.
func zeroSeed() uint64 {
	k, c := uint64(0x9e3779b97f4a7c15), uint64(0x2545f4914f6cdd1d)
	inverse := k // each step doubles the bits that are right, three at first
	for range 5 {
		inverse *= 2 - k*inverse
	}
	return -c * inverse
}

const bufferWords = 256

func run(ctx context.Context, s *ir.Shader, seed, steps uint64, backwards bool) (buffers [][]byte, outside bool, err error) {
	return runCall(ctx, s, interp.Call{Width: 16, MaxSteps: steps, Seed: seed, Backwards: backwards})
}

// runAlone runs a shader with subgroups of one invocation, so that each runs as far as possible before the next one
// starts.
func runAlone(ctx context.Context, s *ir.Shader) (buffers [][]byte, err error) {
	buffers, _, err = runCall(ctx, s, interp.Call{Width: 1, MaxSteps: 16 * maxSteps, Seed: 1})
	return buffers, err
}

func runCall(ctx context.Context, s *ir.Shader, call interp.Call) (buffers [][]byte, outside bool, err error) {
	call.Groups, call.Push = [3]uint32{1, 1, 1}, data(0, 64)
	var out [][]byte
	add := func(set, binding uint32) {
		for _, b := range call.Buffers {
			if b.Set == set && b.Binding == binding {
				return
			}
		}
		d := data(uint64(len(out)+1), bufferWords)
		out = append(out, d)
		call.Buffers = append(call.Buffers, interp.Buffer{Set: set, Binding: binding, Data: d})
	}
	for x := range s.Vars(kind.ModeSSBO | kind.ModeUBO) {
		add(s.Var(x).Set, s.Var(x).Binding)
	}
	stats, err := interp.Run(ctx, s, &call)
	return out, stats.Outside > 0, err
}

func data(seed uint64, words int) []byte {
	rng := rand.New(rand.NewPCG(seed, 7))
	out := make([]byte, 0, 4*words)
	for range words {
		w := rng.Uint32N(32)
		if rng.IntN(4) == 0 {
			w = math.Float32bits(1 + rng.Float32())
		}
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

func equal(a, b [][]byte) bool {
	for i := range a {
		if string(a[i]) == string(b[i]) {
			continue
		}
		for at := 0; at < len(a[i]); at += 4 {
			x, y := binary.LittleEndian.Uint32(a[i][at:]), binary.LittleEndian.Uint32(b[i][at:])
			if x != y && !close(math.Float32frombits(x), math.Float32frombits(y)) {
				return false
			}
		}
	}
	return len(a) == len(b)
}

// close allows for divisions, which become multiplications with a reciprocal:
// Vulkan lets the last bits differ.
func close(x, y float32) bool {
	return x != x && y != y || math.Abs(float64(x-y)) <= 1e-6*math.Abs(float64(y)) && math.Abs(float64(y)) > 1e-30
}

// mutants calls f for n mutants, the same each time.
func mutants(t testing.TB, n int, seed uint64, f func(name string, module []byte)) {
	names, modules := originals(t)
	for i := range n {
		k := i % len(modules)
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		f(fmt.Sprintf("%s mutant %d/%d", names[k], seed, i), modules[k].Mutant(rng))
	}
}

const maxBytes = 512 << 20 // memory that one mutant may allocate

// TestMutants: no change of a module causes a panic or unbounded work, and the IR of accepted modules computes the same
// before and after all passes.
func TestMutants(t *testing.T) {
	n, seed := 10000, uint64(1)
	if s := os.Getenv("MODULES"); s != "" {
		fmt.Sscan(s, &n, &seed)
	}
	var count [same + 1]int
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	last := m.TotalAlloc
	most := uint64(0)
	bad := 0
	mutants(t, n, seed, func(name string, module []byte) {
		v, _, err := try(t.Context(), module)
		if err != nil {
			if bad++; bad <= 20 {
				t.Errorf("%s: %v", name, err)
				if dir := os.Getenv("KEEP"); dir != "" {
					os.WriteFile(filepath.Join(dir, strings.NewReplacer(" ", "_", "/", "_").Replace(name)+".spv"), module, 0o644)
				}
			}
			return
		}
		count[v]++
		runtime.ReadMemStats(&m)
		most = max(most, m.TotalAlloc-last)
		if m.TotalAlloc-last > maxBytes {
			t.Errorf("%s: %d MiB are allocated", name, (m.TotalAlloc-last)>>20)
		}
		last = m.TotalAlloc
	})
	t.Logf("of %d mutants %d are refused, %d end nowhere, %d depend on what is undefined, %d are refused by a pass, %d are the "+
		"same after all passes; at most %d KiB",
		n, count[refused], count[endless], count[chance], count[dropped], count[same], most>>10)
	if count[same] < n/10 || count[refused] < n/10 {
		t.Error("the mutations are too wild or too tame")
	}
}

// unchecked reports a refusal that SPIR-V requires but spirv-val does not check: the predicate of OpSubgroupAnyKHR and
// its like is a bool, and no pointer; and a workgroup is no larger than a machine allows.
func unchecked(why string) bool {
	return strings.HasSuffix(why, "is a pointer, not a value") || strings.HasPrefix(why, "the size of a workgroup is ")
}

// TestValidMutants checks that a mutant that spirv-val accepts is read or contains an unsupported feature.
func TestValidMutants(t *testing.T) {
	oracle.Need(t, "spirv-val")
	valid, said := 0, 0
	mutants(t, 400, 2, func(name string, module []byte) {
		if oracle.Validate(t, module, "") != nil {
			return
		}
		valid++
		if v, why, err := try(t.Context(), module); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if v == refused {
			if said++; !strings.Contains(why, "not supported") && !unchecked(why) {
				t.Errorf("%s: refused: %s", name, why)
			}
		}
	})
	t.Logf("%d valid mutants, %d refused by name", valid, said)
}
