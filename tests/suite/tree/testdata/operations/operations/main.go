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
	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/cmd/jacquard/engine"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

const lanes = 16

// script is a shader with the contents of its buffer before and after.
type script struct {
	name       string
	image      bool
	model      bool // only the model has what the shader uses
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

// squares returns the squares of the lanes' numbers, or with a number added those of the opposite lanes.
func squares(more uint32) (out []uint32) {
	for i := range uint32(lanes) {
		if more != 0 {
			i = lanes - 1 - i
		}
		out = append(out, i*i+more)
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
		// Each lane adds the last doubleword to that of the opposite lane. Doublewords are read by a message that is a row.
		{"dwords", false, true, squares(0), squares(225)},
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
		for _, target := range jacquard.Targets() {
			s.run(target, &engine.EU{
				Module:  func(context.Context, *amber.Shader) ([]byte, error) { return source, nil },
				Options: jacquard.Options{Target: target, SIMD: lanes, Verify: true},
			})
		}
	}
}

func (s *script) run(on string, e amber.Engine) {
	var data []byte
	for _, x := range s.start {
		data = binary.LittleEndian.AppendUint32(data, x)
	}
	bound := amber.Binding{Kind: amber.Storage, Data: data}
	if s.image {
		format, err := texture.Named("R32_UINT")
		if err != nil {
			log.Fatal(err)
		}
		m := texture.NewImage(kind.Dim1D, format, uint32(len(s.start)), 1, 1, 1, 1, 1)
		copy(m.Levels[0].Data, data)
		bound = amber.Binding{Kind: amber.StorageImage, Texture: m, Data: m.Levels[0].Data}
	}
	call := &amber.Call{Shader: &amber.Shader{Name: s.name}, Groups: [3]uint32{1, 1, 1}, Bindings: []amber.Binding{bound}}
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
