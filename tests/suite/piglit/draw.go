// SPDX-License-Identifier: MIT

package piglit

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// RunDraws runs a test with its vertex and fragment shaders, which have been linked, on an engine that has them by the
// names "vertex" and "fragment".
//
// Row y of the window is row y in OpenGL. OpenGL's origin is the lower left corner, Vulkan's the upper left one; in
// both, y grows with the y of clip coordinates. Only the winding order is reversed. Depths follow OpenGL, whose view
// volume ranges from -w to w.
func RunDraws(ctx context.Context, test string, vertex, fragment []byte, e runner.Drawer) error {
	r := newRunner(ctx, reflect(vertex), reflect(fragment))
	r.drawer = e
	size := windowSize(test)
	r.window = &image{width: uint32(size[0]), height: uint32(size[1]), format: kind.FormatRgba8, data: make([]byte, 4*size[0]*size[1])}
	r.fb = r.window
	r.setProjection([16]float32{0: 1, 5: 1, 10: 1, 15: 1})
	if data, ok := sections(test)["vertex data"]; ok {
		if err := r.vertexData(data); err != nil {
			return err
		}
	}
	return r.commands(test)
}

// windows are the widths and heights of windows. A test uses the first that is large enough for the pixels that it
// draws and probes, or the last if it depends on the window's size.
var windows = []int{16, 32, 64, 128, 250}

var (
	sizeLine     = regexp.MustCompile(`(?m)^\s*SIZE\s+(\d+)\s+(\d+)`)
	dependsOnIt  = regexp.MustCompile(`(?m)gl_FragCoord|gl_PointSize|dFd[xy]|fwidth|texture|^(relative|frustum|ortho|fb)\b`)
	partlyDrawn  = regexp.MustCompile(`(?m)^draw rect -?[\d.]`)
	entirelyRect = regexp.MustCompile(`(?m)^draw rect -1(\.0)? -1(\.0)? 2(\.0)? 2(\.0)?\s*$`)
)

// windowSize returns the size of a test's window.
func windowSize(test string) [2]int {
	last := windows[len(windows)-1]
	if m := sizeLine.FindStringSubmatch(test); m != nil {
		n, err := numbers(m[1:])
		if err == nil && n[0] > 0 && n[1] > 0 && n[0] <= 1024 && n[1] <= 1024 {
			return [2]int{n[0], n[1]}
		}
	}
	if dependsOnIt.MatchString(test) || partlyDrawn.MatchString(entirelyRect.ReplaceAllString(test, "")) {
		return [2]int{last, last}
	}
	most := 0.0
	for _, c := range commands(test) {
		var at []string
		switch {
		case len(c) == 7 && c[1] == "rect" && c[2] == "ortho":
			at = c[3:]
		case len(c) > 6 && c[0] == "probe" && c[1] == "rect":
			at = c[3:7]
		case len(c) > 3 && c[0] == "probe" && c[1] != "all":
			at = c[2:4]
		}
		if f, err := floats(at); err == nil && len(f) > 0 {
			f = append(f, 1, 1)
			most = max(most, f[0]+f[2], f[1]+f[3])
		}
	}
	for _, n := range windows {
		if float64(n) >= most {
			return [2]int{n, n}
		}
	}
	return [2]int{last, last}
}

// setProjection sets the matrix by which vertices of the compatibility profile are multiplied.
func (r *scriptRunner) setProjection(m [16]float32) {
	for _, x := range r.modules {
		if at, ok := x.inBlock(x.block(defaultBlock), projection); ok {
			for i, v := range m {
				copy(r.uniforms[int(at.offset)+i/4*int(at.matrixStride)+i%4*4:], le32(math.Float32bits(v)))
			}
		}
	}
}

// project executes the commands ortho and frustum.
func (r *scriptRunner) project(c []string) error {
	if r.drawer == nil {
		return &Unsupported{c[0]}
	}
	f, err := floats(c[1:])
	if err != nil {
		return err
	}
	if c[0] == "ortho" && len(f) == 0 {
		f = []float64{0, float64(r.fb.width), 0, float64(r.fb.height)}
	}
	if c[0] == "ortho" && len(f) == 4 {
		f = append(f, -1, 1)
	}
	if len(f) != 6 {
		return &Unsupported{c[0]}
	}
	w, h, d := f[1]-f[0], f[3]-f[2], f[5]-f[4]
	m := [16]float64{0: 2 / w, 5: 2 / h, 10: -2 / d, 12: -(f[1] + f[0]) / w, 13: -(f[3] + f[2]) / h, 14: -(f[5] + f[4]) / d, 15: 1}
	if c[0] == "frustum" {
		n := f[4]
		m = [16]float64{0: 2 * n / w, 5: 2 * n / h, 8: (f[1] + f[0]) / w, 9: (f[3] + f[2]) / h, 10: -(f[5] + n) / d, 11: -1, 14: -2 * f[5] * n / d}
	}
	var out [16]float32
	for i, x := range m {
		out[i] = float32(x)
	}
	r.setProjection(out)
	return nil
}

// drawCommand executes the command draw.
func (r *scriptRunner) drawCommand(c []string) error {
	unsupported := &Unsupported{strings.Join(c[:min(3, len(c))], " ")}
	if len(c) < 3 || r.drawer == nil {
		return &Unsupported{c[0]}
	}
	switch c[1] {
	case "rect":
		pixels := c[2] == "ortho"
		words := c[2:]
		if pixels {
			words = c[3:]
		}
		f, err := floats(words)
		if err != nil || len(f) != 4 {
			return unsupported
		}
		if pixels {
			w, h := float64(r.fb.width)/2, float64(r.fb.height)/2
			f = []float64{f[0]/w - 1, f[1]/h - 1, f[2] / w, f[3] / h}
		}
		return r.draw(r.rectangle(f[0], f[1], f[2], f[3]), "GL_TRIANGLE_STRIP", 0, 4, 1)
	case "arrays":
		instances := 1
		if c = c[2:]; c[0] == "instanced" {
			n, err := numbers(c[len(c)-1:])
			if err != nil {
				return unsupported
			}
			instances, c = n[0], c[1:len(c)-1]
		}
		n, err := numbers(c[1:])
		if err != nil || len(n) != 2 {
			return unsupported
		}
		return r.draw(r.vertices, c[0], uint32(n[0]), uint32(n[1]), uint32(instances))
	}
	return unsupported
}

// draw draws vertices of attributes.
func (r *scriptRunner) draw(a attributes, mode string, first, n, instances uint32) error {
	list, topology, ok := primitives(mode, first, n, r.provokesFirst)
	if !ok {
		return &Unsupported{"draw arrays " + mode}
	}
	width, height := int(r.fb.width), int(r.fb.height)
	call := &runner.DrawCall{
		Vertex:   runner.Stage{Shader: &runner.Shader{Name: "vertex"}, Entry: "main"},
		Fragment: runner.Stage{Shader: &runner.Shader{Name: "fragment"}, Entry: "main"},
		State: draw.State{
			Topology: topology, Attributes: a.state(), Width: width, Height: height, Clockwise: true, NearMinusW: true,
			Viewport: draw.Viewport{Width: float32(width), Height: float32(height), MinDepth: 0.5, MaxDepth: 1},
			Colors: []draw.Color{{Attachment: draw.Attachment{Format: texture.Of(r.fb.format), Width: width, Height: height,
				Data: r.fb.data}}},
		},
		Draw: draw.Call{Count: uint32(len(list)), Instances: instances, IndexBytes: 4},
	}
	for _, i := range list {
		call.Draw.Indices = binary.LittleEndian.AppendUint32(call.Draw.Indices, i)
	}
	for set, m := range r.modules {
		bindings, err := r.bindings(m, uint32(set))
		if err != nil {
			return err
		}
		call.Bindings = append(call.Bindings, bindings...)
	}
	return r.drawer.Draw(r.ctx, call)
}

// region returns the pixels of a probe, and the words after its coordinates. The coordinates of a relative probe are
// fractions of the window.
func (r *scriptRunner) region(words []string, rect bool) (x0, y0, x1, y1 uint32, rest []string, err error) {
	n := 2
	if rect {
		n = 4
	}
	if len(words) < n {
		return 0, 0, 0, 0, nil, &Unsupported{"probe"}
	}
	f, err := floats(words[:n])
	if err != nil {
		return 0, 0, 0, 0, nil, err
	}
	if r.relative {
		for i := range f {
			f[i] *= float64([]uint32{r.fb.width, r.fb.height}[i%2])
			if !rect {
				f[i] = min(f[i], float64([]uint32{r.fb.width, r.fb.height}[i%2]-1))
			}
		}
	}
	if !rect {
		f = append(f, 1, 1)
	}
	for i := range f {
		f[i] = math.Floor(f[i])
	}
	if f[0] < 0 || f[1] < 0 || !(f[0]+f[2] <= float64(r.fb.width)) || !(f[1]+f[3] <= float64(r.fb.height)) || f[2] < 1 || f[3] < 1 {
		return 0, 0, 0, 0, nil, fmt.Errorf("outside of %d x %d", r.fb.width, r.fb.height)
	}
	return uint32(f[0]), uint32(f[1]), uint32(f[0] + f[2]), uint32(f[1] + f[3]), words[n:], nil
}
