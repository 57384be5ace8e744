// SPDX-License-Identifier: MIT

package opencl

import (
	"context"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/sample"
)

// device is a device that ocloc compiles for.
type device struct {
	name string
	on   Machine
}

// devices are the machines whose code the model runs. The payload of their threads starts in the same way.
var devices = []device{
	{"tgllp", Machine{target.TGL, abi.ZebinTGLLP}},
	{"icllp", Machine{target.ICL, abi.ZebinTGLLP}},
	{"skl", Machine{gen9(), abi.ZebinGen9}},
	{"dg2", Machine{gen125(), abi.ZebinGen125}},
}

// gen125 returns a target with the words and pipes of dg2.
func gen125() *target.Target {
	m := *target.TGL
	m.Platform, m.ABI = isa.DG2, abi.ZebinGen125
	m.Has |= target.Pipes
	return &m
}

// gen9 returns the target skl with 64-bit types, which programs compiled for skl do not use.
func gen9() *target.Target {
	m := *target.SKL
	m.Has |= target.Int64 | target.Float64
	return &m
}

// module is a compiled file and its device.
type module struct {
	*zebin.Module
	on Machine
}

// onDevice runs a variant of a test on one device, chosen in turn by the variant's number, and in make soak, on
// the other devices in its share.
func onDevice(t *testing.T, variant int, run func(t *testing.T, d device)) {
	for i, d := range devices {
		if variant%len(devices) == i || sample.Soaking() && sample.In(t.Name(), d.name) {
			t.Run(d.name, func(t *testing.T) { run(t, d) })
		}
	}
}

// onDevices runs a test for each device.
func onDevices(t *testing.T, run func(t *testing.T, d device)) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) { run(t, d) })
	}
}

const sources = "../../../../tests/cl"

// compile runs Intel's offline compiler on an OpenCL source file.
func (d device) compile(t testing.TB, name string, options ...string) *module {
	t.Helper()
	src, err := filepath.Abs(filepath.Join(sources, name+".cl"))
	if err != nil {
		t.Fatal(err)
	}
	return d.read(t, d.ocloc(t, src, ".bin", "-options", strings.Join(append(options, "-cl-std=CL2.0"), " ")))
}

// ocloc compiles a file and returns the output file with the given suffix.
func (d device) ocloc(t testing.TB, src, suffix string, options ...string) []byte {
	t.Helper()
	ocloc, dir := oracle.Need(t, "ocloc"), t.TempDir()
	args := []string{"compile", "--format", "zebin", "-device", d.name, "-file", src, "-output", "kernels", "-out_dir", dir}
	cmd := exec.Command(ocloc, append(args, options...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ocloc: %v\n%s", err, out)
	}
	// The names of output files contain the compiler's own name of the device.
	files, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if len(files) != 1 {
		t.Fatalf("ocloc left %d files *%s", len(files), suffix)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read parses a file written by ocloc.
func (d device) read(t testing.TB, data []byte) *module {
	t.Helper()
	m, err := zebin.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return &module{Module: m, on: d.on}
}

// schedules calls run with the default order of threads, and with threads taking turns.
func schedules(t *testing.T, run func(t *testing.T, opts eu.Options)) {
	for _, o := range []eu.Options{{}, {Slice: 1, Seed: 1}, {Slice: 7, Seed: 2}, {Slice: 100, Seed: 3}} {
		o.Hazards = eu.HazardsLenient
		o.Races = o.Slice == 7
		run(t, o)
	}
}

func launch(t testing.TB, m *module, opts eu.Options, groups, local [3]uint32, args ...Arg) eu.Stats {
	t.Helper()
	return launchKernel(t, m, "", opts, groups, local, args...)
}

func launchKernel(t testing.TB, m *module, name string, opts eu.Options, groups, local [3]uint32, args ...Arg) eu.Stats {
	t.Helper()
	s, err := tryKernel(t, m, name, opts, groups, local, args...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tryKernel launches a kernel and returns the error of the run.
func tryKernel(t testing.TB, m *module, name string, opts eu.Options, groups, local [3]uint32, args ...Arg) (eu.Stats, error) {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.on.New(m.Module, k, groups, local, args...)
	if err != nil {
		t.Fatal(err)
	}
	d.Options = opts
	return eu.Run(context.Background(), d)
}

func floats(v []float32) Buffer {
	b := make(Buffer, 4*len(v))
	for i, f := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(f))
	}
	return b
}

func (b Buffer) f(i int) float32 { return math.Float32frombits(b.u(i)) }
func (b Buffer) u(i int) uint32  { return binary.LittleEndian.Uint32(b[4*i:]) }

func random(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 7))
	v := make([]float32, n)
	for i := range v {
		v[i] = rng.Float32()*4 - 2
	}
	return v
}

// fma returns a·b+c rounded once, by exact arithmetic independent of the model's.
func fma(a, b, c float32) float32 {
	x := new(big.Float).SetPrec(400).SetFloat64(float64(a))
	x.Mul(x, new(big.Float).SetFloat64(float64(b)))
	r, _ := x.Add(x, new(big.Float).SetFloat64(float64(c))).Float32()
	return r
}

func TestSaxpy(t *testing.T) { onDevices(t, testSaxpy) }

func testSaxpy(t *testing.T, d device) { runSaxpy(t, d.compile(t, "saxpy")) }

func runSaxpy(t *testing.T, m *module) {
	schedules(t, func(t *testing.T, opts eu.Options) {
		const n = 300 // the last workgroup of 128 is not full
		x, y := random(n, 1), random(n, 2)
		bx, by := floats(x), floats(y)
		s := launch(t, m, opts, [3]uint32{3, 1, 1}, [3]uint32{128, 1, 1}, Uint32(n), Value(floats([]float32{1.5})), bx, by)
		for i := range y {
			if got, want := by.f(i), fma(1.5, x[i], y[i]); got != want {
				t.Fatalf("y[%d] = %g, want %g", i, got, want)
			}
			if bx.f(i) != x[i] {
				t.Fatalf("x[%d] was changed", i)
			}
		}
		if s.Memory.LoadsOutOfBounds != 0 || s.Memory.StoresOutOfBounds != 0 {
			t.Errorf("out of bounds: %+v", s.Memory)
		}
	})
}

func TestMatmul(t *testing.T) { onDevices(t, testMatmul) }

func testMatmul(t *testing.T, d device) { runMatmul(t, d.compile(t, "matmul")) }

func runMatmul(t *testing.T, m *module) {
	schedules(t, func(t *testing.T, opts eu.Options) {
		const rows, cols, inner = 20, 35, 50 // not multiples of the tile of 16
		a, b := random(rows*inner, 3), random(inner*cols, 4)
		c := floats(make([]float32, rows*cols))
		launch(t, m, opts, [3]uint32{(cols + 15) / 16, (rows + 15) / 16, 1}, [3]uint32{16, 16, 1},
			Uint32(rows), Uint32(cols), Uint32(inner), floats(a), floats(b), c)
		for r := 0; r < rows; r++ {
			for q := 0; q < cols; q++ {
				want := float32(0)
				for k := 0; k < inner; k++ {
					want = fma(a[r*inner+k], b[k*cols+q], want)
				}
				if got := c.f(r*cols + q); got != want {
					t.Fatalf("c[%d][%d] = %g, want %g", r, q, got, want)
				}
			}
		}
	})
}

func TestBitonic(t *testing.T) { onDevices(t, testBitonic) }

func testBitonic(t *testing.T, d device) { runBitonic(t, d.compile(t, "bitonic")) }

func runBitonic(t *testing.T, m *module) {
	schedules(t, func(t *testing.T, opts eu.Options) {
		const groups = 2
		rng := rand.New(rand.NewPCG(5, 6))
		v := make([]uint32, 512*groups)
		data := make(Buffer, 4*len(v))
		for i := range v {
			v[i] = rng.Uint32()
			binary.LittleEndian.PutUint32(data[4*i:], v[i])
		}
		launch(t, m, opts, [3]uint32{groups, 1, 1}, [3]uint32{256, 1, 1}, data)
		for g := 0; g < groups; g++ {
			want := slices.Sorted(slices.Values(v[512*g : 512*g+512]))
			for i, w := range want {
				if got := data.u(512*g + i); got != w {
					t.Fatalf("group %d: element %d is %d, want %d", g, i, got, w)
				}
			}
		}
	})
}

// BenchmarkMatmul runs Intel's code for a product of 64×64 matrices.
func BenchmarkMatmul(b *testing.B) {
	m := devices[0].compile(b, "matmul")
	const n = 64
	x, y, z := floats(random(n*n, 3)), floats(random(n*n, 4)), make(Buffer, 4*n*n)
	b.ResetTimer()
	var lanes uint64
	for i := 0; i < b.N; i++ {
		s := launch(b, m, eu.Options{Hazards: eu.HazardsLenient}, [3]uint32{n / 16, n / 16, 1}, [3]uint32{16, 16, 1}, Uint32(n), Uint32(n), Uint32(n), x, y, z)
		lanes += s.Lanes
	}
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds()/1e6, "Mlanes/s")
}
