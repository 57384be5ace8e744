package draw

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/cmd/jacquard/engine"
	"jacquard.example/core/draw"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/core/texture"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// peerVariable names the command that runs another compiler, as for the judge: a driver's machine code is
// what checks the model's threads independently of this project's compiler.
const peerVariable = "JACQUARD_PEER"

// peer draws with the machine code of another compiler on the model.
type peer struct {
	command []string
	file    string // of the script
	simd    int
	dir     string
	cached  map[string]*peerCode
}

// peerCode is a program of the peer's, with the text of its final IR and the head of its assembly.
type peerCode struct {
	code         *eu.Program
	ir, assembly string
}

// Dispatch implements amber.Engine.
func (p *peer) Dispatch(ctx context.Context, c *amber.Call) error { return fmt.Errorf("a dispatch") }

// Draw implements amber.Drawer.
func (p *peer) Draw(ctx context.Context, c *amber.DrawCall) error {
	var stages engine.Programs
	var err error
	if stages.Vertex, err = p.program(ctx, c, &c.Vertex, "vert"); err != nil {
		return err
	}
	if stages.Fragment, err = p.program(ctx, c, &c.Fragment, "frag"); err != nil {
		return err
	}
	state := c.State
	state.EarlyTests = strings.Contains(strings.Join(strings.Fields(c.Fragment.Shader.Source), ""), "layout(early_fragment_tests)in")
	return draw.Run(ctx, &state, &c.Draw, &stages)
}

// compile compiles a shader.
func (p *peer) compile(ctx context.Context, s *amber.Stage, stage string) (*peerCode, error) {
	if b := p.cached[s.Shader.Name]; b != nil {
		return b, nil
	}
	module, err := moduleOf(p.file)(ctx, s.Shader)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(p.dir, s.Shader.Name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "x."+stage+".spv")
	if err := os.WriteFile(file, module, 0o666); err != nil {
		return nil, err
	}
	width := map[int]string{8: "no16,no32", 16: "no8,no32", 32: "no8,no16"}[p.simd]
	debug := "fs,nocompact," + width
	if stage == "vert" {
		debug = "vs,nocompact"
	}
	args := append(p.command[1:len(p.command):len(p.command)], "tgl", "vkpeer", "-n", "1", "-e", s.Entry, "-d", dir, file)
	cmd := exec.CommandContext(ctx, p.command[0], args...)
	cmd.Env = append(os.Environ(), "INTEL_DEBUG="+debug, "INTEL_SHADER_BIN_DUMP_PATH="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the peer: %w\n%s", err, out)
	}
	b := &peerCode{}
	codes, err := filepath.Glob(filepath.Join(dir, "*.bin"))
	if err != nil {
		return nil, err
	}
	for _, file := range codes { // a vertex shader that it made for the fragment shader is among them
		code, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if writesTarget(code) == (stage == "frag") {
			b.code = eu.Load(target.TGL, code)
		}
	}
	for pattern, text := range map[string]*string{"*Final_NIR.txt": &b.ir, "*_Assembly.txt": &b.assembly} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) != 1 || b.code == nil {
			return nil, fmt.Errorf("the peer has written %d files %s", len(files), pattern)
		}
		content, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		*text = string(content)
	}
	p.cached[s.Shader.Name] = b
	return b, nil
}

// writesTarget reports whether code without compacted instructions has a sendc, which only fragment shaders do.
func writesTarget(code []byte) bool {
	for at := 0; at+16 <= len(code); at += 16 {
		if code[at]&0x7F == 0x32 {
			return true
		}
	}
	return false
}

var (
	rangeRow    = regexp.MustCompile(`(?m)^ +RANGE\d+ \((\d+)B\): (?:(Vulkan push constants)|UBO \(set=(\d+) binding=(\d+) start=(\d+)B\))`)
	attribRow   = regexp.MustCompile(`@load_input \([^)]*\)\) \(base=(\d+), .*?component=(\d+),.*location=VERT_ATTRIB_(POS|GENERIC(\d+)) `)
	storeRow    = regexp.MustCompile(`@store_output \(.* \(0x([0-9a-f]+)\)\) \(base=.*?wrmask=([xyzw]+), component=(\d+),.*location=VARYING_SLOT_(\w+) slots`)
	inputRow    = regexp.MustCompile(`(?m)^decl_var shader_in .*\(VARYING_SLOT_(\w+?)(?:\.\w+)?, (\d+), \d+\)`)
	baryRow     = regexp.MustCompile(`@load_barycentric_(pixel|centroid|sample) \(interp_mode=INTERP_MODE_(SMOOTH|NOPERSPECTIVE)\)`)
	colorRow    = regexp.MustCompile(`location=FRAG_RESULT_DATA(\d)`)
	resourceRow = regexp.MustCompile(`@resource_intel \(%\d+(?: \([^)]*\))?, %\d+ \(0x([0-9a-f]+)\), .*?desc_set=(\d+), binding=(\d+), resource_intel=([a-z0-9]*)`)
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err) // of a regular expression
	}
	return n
}

// program returns the peer's program of a shader of a draw, described as its driver passes parameters (TGL.md 8).
func (p *peer) program(ctx context.Context, c *amber.DrawCall, s *amber.Stage, stage string) (*graphics.Program, error) {
	b, err := p.compile(ctx, s, stage)
	if err != nil {
		return nil, err
	}
	g := &graphics.Program{Code: b.code, SIMD: 8, ABI: target.TGL.Vertex, Options: eu.Options{Hazards: eu.HazardsLenient}}
	if stage == "frag" {
		g.SIMD, g.ABI = p.simd, target.TGL.Fragment
	}
	g.User = pushed(b.assembly, c)
	if len(g.User) > 0 {
		g.Uses |= graphics.PartsOf(abi.User)
	}
	for _, m := range resourceRow.FindAllStringSubmatch(b.ir, -1) {
		at, _ := strconv.ParseUint(m[1], 16, 8)
		bind(g, int(at), bound(c, uint32(number(m[2])), uint32(number(m[3]))), m[4] == "sampler")
	}
	if stage == "vert" {
		describeVertex(g, b.ir)
	} else {
		describeFragment(g, b.ir)
	}
	return g, nil
}

// bound returns what a draw binds.
func bound(c *amber.DrawCall, set, binding uint32) *amber.Binding {
	for i := range c.Bindings {
		if b := &c.Bindings[i]; b.Set == set && b.Binding == binding {
			return b
		}
	}
	return nil
}

// bind puts what is bound at an entry of the binding table, or of the table of samplers.
func bind(g *graphics.Program, at int, b *amber.Binding, sampler bool) {
	switch {
	case b == nil:
	case sampler:
		g.Samplers = append(g.Samplers, make([]*texture.Sampler, max(at+1-len(g.Samplers), 0))...)
		g.Samplers[at] = b.Sampler
	default:
		g.Surfaces = append(g.Surfaces, make([]*eu.Surface, max(at+1-len(g.Surfaces), 0))...)
		g.Surfaces[at] = &eu.Surface{Data: b.Data}
		if b.Image != nil {
			g.Surfaces[at] = &eu.Surface{Image: b.Image.Texture(b.Data, b.BaseLevel)}
		}
	}
}

// pushed returns what the driver passes in registers: ranges of push constants and of buffers.
func pushed(assembly string, c *amber.DrawCall) (user []byte) {
	for _, m := range rangeRow.FindAllStringSubmatch(assembly, -1) {
		data := make([]byte, number(m[1]))
		if m[2] != "" {
			copy(data, c.PushConstants)
		} else if b := bound(c, uint32(number(m[3])), uint32(number(m[4]))); b != nil {
			copy(data, b.Data[min(number(m[5]), len(b.Data)):])
		}
		user = append(user, data...)
	}
	return user
}

// describeVertex says where a vertex program has its inputs and outputs.
func describeVertex(g *graphics.Program, ir string) {
	g.Uses |= graphics.PartsOf(abi.URBHandles, abi.Attributes)
	for _, m := range attribRow.FindAllStringSubmatch(ir, -1) {
		at := number(m[1])
		for len(g.Inputs) <= at {
			g.Inputs = append(g.Inputs, graphics.Input{Slot: -1})
		}
		if m[3] == "POS" { // the driver's name for a slot of builtins
			g.Inputs[at].Values = [4]intrinsic.ID{intrinsic.LoadBaseVertex, intrinsic.LoadBaseInstance, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadInstanceIDZeroBase}
		} else {
			g.Inputs[at].Slot = number(m[4])
		}
	}
	slot := func(b kind.IOBuiltin) int { return int(stageio.Slot(b, 0, 0)) }
	for _, m := range storeRow.FindAllStringSubmatch(ir, -1) {
		at, to, name := 0, 0, m[4]
		switch {
		case name == "POS":
			at, to = 1, slot(kind.BuiltinPosition)
		case name == "CLIP_DIST0" || name == "CLIP_DIST1":
			at = 2 + number(name[9:])
			to = slot(kind.BuiltinClipDistance) + number(name[9:])
		case name == "PSIZ":
			g.Outputs = append(g.Outputs, graphics.Output{At: 3, Slot: slot(kind.BuiltinPointSize)})
			continue
		case strings.HasPrefix(name, "VAR"):
			to = number(name[3:])
			at = 4 + to
		default:
			continue // the rest of the header
		}
		offset, _ := strconv.ParseUint(m[1], 16, 8)
		at, to = at+int(offset), to+int(offset)
		for _, x := range m[2] {
			k := number(m[3]) + strings.IndexRune("xyzw", x)
			g.Outputs = append(g.Outputs, graphics.Output{At: 4*at + k, Slot: to, Component: k})
		}
		g.Slots = max(g.Slots, at+1)
	}
	g.Slots += g.Slots % 2 // messages write pairs of slots
}

// describeFragment says where a fragment program has its inputs and outputs.
func describeFragment(g *graphics.Program, ir string) {
	places := map[string]abi.Part{"pixelSMOOTH": abi.PerspPixel, "centroidSMOOTH": abi.PerspCentroid, "sampleSMOOTH": abi.PerspSample,
		"pixelNOPERSPECTIVE": abi.LinearPixel, "centroidNOPERSPECTIVE": abi.LinearCentroid, "sampleNOPERSPECTIVE": abi.LinearSample}
	for _, m := range baryRow.FindAllStringSubmatch(ir, -1) {
		g.Uses |= graphics.PartsOf(places[m[1]+m[2]])
	}
	if strings.Contains(ir, "@load_frag_coord") {
		g.Uses |= graphics.PartsOf(abi.Depth, abi.W)
	}
	if strings.Contains(ir, "@load_sample_mask_in") {
		g.Uses |= graphics.PartsOf(abi.Coverage)
	}
	type input struct{ order, slot int }
	var inputs []input
	for _, m := range inputRow.FindAllStringSubmatch(ir, -1) {
		in := input{number(m[2]), 0}
		if k, ok := strings.CutPrefix(m[1], "VAR"); ok {
			in.slot = number(k)
		} else if m[1] == "PRIMITIVE_ID" {
			in.slot = int(stageio.Slot(kind.BuiltinPrimitiveID, 0, 0))
		}
		inputs = append(inputs, in)
	}
	slices.SortFunc(inputs, func(a, b input) int { return a.order - b.order })
	inputs = slices.Compact(inputs) // several variables can be at one location
	for _, in := range inputs {
		g.Inputs = append(g.Inputs, graphics.Input{Slot: in.slot})
	}
	if len(inputs) > 0 {
		g.Uses |= graphics.PartsOf(abi.Setup)
	}
	for _, m := range colorRow.FindAllStringSubmatch(ir, -1) {
		g.Targets = max(g.Targets, number(m[1])+1)
	}
	g.WritesDepth = strings.Contains(ir, "FRAG_RESULT_DEPTH")
	g.WritesMask = strings.Contains(ir, "FRAG_RESULT_SAMPLE_MASK")
	g.SecondSlot = int(stageio.Slot(kind.BuiltinNone, 0, kind.IODualSource))
	g.DepthSlot, g.MaskSlot = int(stageio.Slot(kind.BuiltinFragDepth, 0, 0)), int(stageio.Slot(kind.BuiltinSampleMask, 0, 0))
}

// peerAllowed is what rounding makes of some scripts, and why others are left out. Their compiler
// contracts and reorders operations of floats.
var peerAllowed = map[string]struct {
	step, share float64
	skip        string
}{
	"noise":       {step: 0.1, share: 0.01}, // a hash takes the fraction of a product of large numbers
	"branchy":     {share: 0.001},           // at the edge of a fractal an iteration more or less
	"multisample": {skip: "the peer compiles for pipelines of one sample"},
	"points":      {skip: "the coordinates of a point as an input with planes are not modelled"},
	"clipping":    {skip: "its array of constants is at an address that the driver writes into the code"},
}

// within reports whether texels of floats differ by no more than a step, if there is one.
func within(a, b *texture.Texel, step float64) bool {
	for c := range a {
		if d := float64(a.Float(c)) - float64(b.Float(c)); step == 0 || !(math.Abs(d) <= step) {
			return false
		}
	}
	return true
}

// TestPeerDrawsLikeInterpreter draws every script with the machine code of another compiler on the
// model, at 8 and 16 lanes.
func TestPeerDrawsLikeInterpreter(t *testing.T) {
	command := strings.Fields(os.Getenv(peerVariable))
	if len(command) == 0 {
		t.Skip("no peer: " + peerVariable + " is not set")
	}
	files := append(scripts.Files(t, "../../amber/graphics/*.amber"), scripts.Files(t, "testdata/*.amber")...)
	for _, file := range files {
		for _, simd := range []int{8, 16} {
			t.Run(fmt.Sprint(strings.TrimSuffix(filepath.Base(file), ".amber"), "/", simd), func(t *testing.T) {
				script := scripts.Read(t, file)
				allowed := peerAllowed[strings.TrimSuffix(filepath.Base(file), ".amber")]
				if allowed.skip != "" {
					t.Skip(allowed.skip)
				}
				if simd > 8 && strings.Contains(file, "dual_source") {
					t.Skip("the peer does not compile a shader of two colors for 16 lanes")
				}
				e := &both{t: t, step: allowed.step, share: allowed.share, first: onInterp(file), second: &peer{command: command, file: file, simd: simd, dir: t.TempDir(), cached: map[string]*peerCode{}}}
				if _, err := script.Run(t.Context(), e); err != nil {
					t.Fatal(err)
				}
				if e.covered == 0 {
					t.Error("no draw changes a pixel")
				}
			})
		}
	}
}
