// SPDX-License-Identifier: MIT

package renderer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/spv"
)

func TestModules(t *testing.T) {
	dir := Need(t)
	modules, err := Modules(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range append([]string{"kernel4"}, Stages...) {
		words, err := Load(modules[stage])
		if err != nil {
			t.Fatalf("%s: %v", stage, err)
		}
		if err := spv.Check(words); err != nil {
			t.Errorf("%s: %v", stage, err)
		}
	}
	all, err := AllModules(dir)
	if err != nil || len(all) != 25 || len(modules) != 7 {
		t.Errorf("%d modules, %d of them piet's: %v", len(all), len(modules), err)
	}
}

// engines lists the engines that must run the stages; lavapipe is the first.
var engines = []struct {
	name string
	open func(*testing.T) runner.Engine
}{
	{"lavapipe", func(t *testing.T) runner.Engine {
		return &lavapipe.Engine{Device: lavapipe.Need(t), Module: func(s *runner.Shader) ([]uint32, error) { return s.Words, nil }}
	}},
	{"interp", func(t *testing.T) runner.Engine {
		return &runengine.Interp{Module: moduleBytes}
	}},
	{"eu8", openEU(8)},
	{"eu16", openEU(16)},
	{"eu32", openEU(32)},
}

// openEU opens the model of the execution units for machine code of one width.
func openEU(simd int) func(*testing.T) runner.Engine {
	return func(*testing.T) runner.Engine {
		return &runengine.EU{Module: moduleBytes, Options: jacquard.Options{SIMD: simd, Verify: true}}
	}
}

func moduleBytes(_ context.Context, s *runner.Shader) ([]byte, error) {
	return spv.Bytes(s.Words), nil
}

// tolerance returns how far a stage's numbers may be from the expected ones. Where path_coarse cuts a curve that is almost straight,
// it divides differences of almost equal numbers: one rounding less (a fused multiply-add) moves the cut along the curve
// by hundredths of a pixel. The renderer itself aims at a quarter.
func tolerance(stage string) float64 {
	if stage == "path_coarse" {
		return 0.05
	}
	return 1e-4
}

// exceptions lists the stages that do not run on an engine yet, as in
// "eu32/coarse", and why. They are tried anyway, and must be removed from the list
// when they pass.
var exceptions = map[string]string{}

// run executes a stage in the buffers of its input.
func run(t *testing.T, e runner.Engine, file string, in *Input) error {
	t.Helper()
	words, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return e.Dispatch(t.Context(), in.Call(words))
}

// TestStages runs each stage on its input and compares its results with the model's, or with lavapipe's if there is no
// model.
func TestStages(t *testing.T) {
	modules, err := Modules(Need(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			engine := e.open(t)
			for i, in := range Inputs() {
				t.Run(in.Stage, func(t *testing.T) {
					want, err := in.Model()
					if err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = onLavapipe(t, modules[in.Stage], Inputs()[i])
					}
					err = runAndCompare(t, engine, modules[in.Stage], in, want)
					reason := exceptions[e.name+"/"+in.Stage]
					switch {
					case err != nil && reason == "":
						t.Error(err)
					case err == nil && reason != "":
						t.Errorf("runs, but is listed as an exception: %s", reason)
					}
				})
			}
		})
	}
}

func runAndCompare(t *testing.T, e runner.Engine, file string, in *Input, want []Fact) error {
	before := slices.Clone(in.Memory())
	if err := run(t, e, file, in); err != nil {
		return err
	}
	got, err := in.Facts()
	if err != nil {
		return err
	}
	if slices.Equal(before, in.Memory()) {
		return errors.New("the stage wrote nothing")
	}
	return Compare(got, want, tolerance(in.Stage))
}

func onLavapipe(t *testing.T, file string, in *Input) []Fact {
	t.Helper()
	if err := run(t, engines[0].open(t), file, in); err != nil {
		t.Fatal(err)
	}
	facts, err := in.Facts()
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// TestNotTrivial counts the work of the models, so that an input cannot become trivial unnoticed.
func TestNotTrivial(t *testing.T) {
	count := map[string]int{}
	longest := 0 // bytes of a tile's commands
	for _, in := range Inputs() {
		facts, err := in.Model()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if in.Stage == "coarse" {
				longest = max(longest, 12*strings.Count(f.Text, "fill")+12*strings.Count(f.Text, "stroke")+8*strings.Count(f.Text, "color"))
			}
			for _, word := range strings.Fields(f.Text) {
				count[in.Stage+" "+strings.Trim(word, ";:[],")]++
			}
		}
	}
	if longest < commandsSize*3/2 {
		t.Errorf("no tile surely needs a second block of commands: %d bytes", longest)
	}
	for what, least := range map[string]int{
		"elements path": 100, "elements segment": 400, "elements transform": 40, "elements 0x10001": 10,
		"tile_alloc path": 150, "backdrop row": 300, "binning bin": 256,
		"coarse tile": 200, "coarse fill": 200, "coarse solid": 50, "coarse stroke": 50, "coarse color": 200, "coarse image": 30,
		"coarse beginclip": 20, "coarse endclip": 20,
	} {
		if count[what] < least {
			t.Errorf("%s: %d, want at least %d", what, count[what], least)
		}
	}
}

// TestWinding runs path_coarse and then backdrop on its tiles. A tile that no segment touches is wholly inside or outside
// of a path: its backdrop must be the winding number at its center.
func TestWinding(t *testing.T) {
	modules, err := Modules(Need(t))
	if err != nil {
		t.Fatal(err)
	}
	d := engines[0].open(t)
	inputs := Inputs()
	coarse, backdrop := inputs[2], inputs[3]
	if err := run(t, d, modules["path_coarse"], coarse); err != nil {
		t.Fatal(err)
	}
	backdrop.Buffers[0].Data = coarse.Memory()
	if err := run(t, d, modules["backdrop"], backdrop); err != nil {
		t.Fatal(err)
	}
	m, c := memory(backdrop.Memory()), backdrop.config
	if m.failed() != 0 {
		t.Fatal("memory error", m.failed())
	}
	inside, outside, touched := 0, 0, 0
	for i := range backdrop.scene.paths {
		p := &backdrop.scene.paths[i]
		if p.stroke || p.firstStroke || p.tag == annotatedEndClip {
			continue
		}
		x0, y0, x1, y1, tiles := m.pathTiles(c, i)
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				at := tiles + ((y-y0)*(x1-x0)+x-x0)*tileSize
				if m.get(at) != 0 {
					touched++
					continue
				}
				want := p.winding(point{(float32(x) + 0.5) * tilePixels, (float32(y) + 0.5) * tilePixels})
				if y1-y0 == 1 && y0 > 0 {
					want = 0 // backdrop leaves out paths in one row
				}
				if got := int(int32(m.get(at + 4))); got != want {
					t.Fatalf("path %d tile %d %d: backdrop %d, winding number %d", i, x, y, got, want)
				}
				if want != 0 {
					inside++
				} else {
					outside++
				}
			}
		}
	}
	t.Logf("%d tiles with segments, %d inside, %d outside", touched, inside, outside)
	if inside < 50 || outside < 50 || touched < 500 {
		t.Error("too few tiles")
	}
}

// winding returns a path's winding number about q: the number of crossings of the ray to the left, upwards counted as 1 and
// downwards as -1.
func (p *path) winding(q point) int {
	n := 0
	m := matrix{p.scale, p.move}
	for _, c := range p.curves {
		k := c.cubic()
		from := m.apply(k[0])
		const steps = 64
		for i := 1; i <= steps; i++ {
			t := float32(i) / steps
			u := 1 - t
			w := [4]float32{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
			var to point
			for j, v := range k {
				to.x += w[j] * v.x
				to.y += w[j] * v.y
			}
			to = m.apply(to)
			if (from.y <= q.y) != (to.y <= q.y) && from.x+(to.x-from.x)*(q.y-from.y)/(to.y-from.y) < q.x {
				if to.y < from.y {
					n++
				} else {
					n--
				}
			}
			from = to
		}
	}
	return n
}
