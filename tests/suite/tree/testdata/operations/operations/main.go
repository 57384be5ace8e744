// Command operations runs the shaders of its folder, which use operations that are new rows, on
// the interpreter and on the models of all targets, and prints where results are wrong.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"jacquard.example"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

const lanes = 16

// script is a shader with the contents of its buffer before and after.
type script struct {
	name       string
	image      bool
	model      bool // only the model can run the shader
	start, end []uint32
}

// product returns the products of 2i + 3: of all lanes, of those up to each one, of those below.
func product() (out []uint32) {
	var upTo, below []uint32
	p := uint32(1)
	for i := range uint32(lanes) {
		below = append(below, p)
		p *= 2*i + 3
		upTo = append(upTo, p)
	}
	return slices.Concat(slices.Repeat([]uint32{p}, lanes), upTo, below)
}

// squares returns the squares of the lanes' numbers.
func squares() (out []uint32) {
	for i := range uint32(lanes) {
		out = append(out, i*i)
	}
	return out
}

// oppositeSums returns for each lane the square of the opposite lane's number plus the square of the last one's.
func oppositeSums() []uint32 {
	out := squares()
	slices.Reverse(out)
	for i := range out {
		out[i] += (lanes - 1) * (lanes - 1)
	}
	return out
}

func scripts() []script {
	subtracted := uint32(0)
	for i := range uint32(lanes) {
		subtracted = i - subtracted
	}
	return []script{
		// Four lanes count each texel, up to its number.
		{"texels", true, false, []uint32{7, 0, 2, 1}, []uint32{0, 0, 0, 1}},
		// 16 steps in cycles of 5 up and of 7 down.
		{"atomics", false, false, []uint32{0, 0, 0}, []uint32{subtracted, 1, 5}},
		{"product", false, false, make([]uint32, 3*lanes), product()},
		// Each lane adds the last doubleword to the opposite lane's, both read by load_ssbo_dword.
		{"dwords", false, true, squares(), oppositeSums()},
	}
}

func main() {
	for _, s := range scripts() {
		source, err := os.ReadFile(filepath.Join("operations", s.name+".jir"))
		if err != nil {
			log.Fatal(err)
		}
		shader, err := text.Parse(source)
		if err != nil {
			log.Fatal(err)
		}
		if !s.model {
			s.run("interpreter", &engine.Interp{Shader: shader, Width: lanes})
		}
		for _, target := range jacquard.TargetsOf(jacquard.Compute) {
			s.run(string(target), &engine.EU{
				Module:  func(context.Context, *runner.Shader) ([]byte, error) { return source, nil },
				Options: jacquard.Options{Target: target, SIMD: lanes, Verify: true},
			})
		}
	}
}

func (s *script) run(on string, e runner.Engine) {
	var data []byte
	for _, x := range s.start {
		data = binary.LittleEndian.AppendUint32(data, x)
	}
	bound := runner.Binding{Kind: runner.Storage, Data: data}
	if s.image {
		format, err := texture.Named("R32_UINT")
		if err != nil {
			log.Fatal(err)
		}
		m := texture.NewImage(kind.Dim1D, format, uint32(len(s.start)), 1, 1, 1, 1, 1)
		copy(m.Levels[0].Data, data)
		bound = runner.Binding{Kind: runner.StorageImage, Texture: m, Data: m.Levels[0].Data}
	}
	call := &runner.Call{Shader: &runner.Shader{Name: s.name}, Groups: [3]uint32{1, 1, 1}, Bindings: []runner.Binding{bound}}
	if err := e.Dispatch(context.Background(), call); err != nil {
		log.Fatalf("%s on %s: %v", s.name, on, err)
	}
	for i, want := range s.end {
		if got := binary.LittleEndian.Uint32(bound.Data[4*i:]); got != want {
			fmt.Printf("%s on %s: number %d is %d, want %d\n", s.name, on, i, got, want)
		}
	}
	fmt.Println("ran", s.name, "on", on)
}
