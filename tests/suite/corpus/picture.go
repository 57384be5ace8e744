// SPDX-License-Identifier: MIT

package corpus

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/spv"
	"jacquard.example/tests/support/synth"
)

// Picture records whether lavapipe, the interpreter and the model agree on a draw that package synth makes for a
// vertex or fragment shader.
type Picture struct {
	Module *modules.Module
	Stage  string
	Entry  string
	Why    string // why it is left out; "" if it is compared
	// Before is where lavapipe differs from the interpreter, After where the shader after all passes
	// does, Modelled where the model differs from the interpreter, each "" if nowhere.
	Before, After, Modelled string
	OnModel                 bool
	Texels, Open            int // number of covered texels, and of those that Vulkan leaves open
}

// Draws compares pictures.
type Draws struct {
	device *lavapipe.Device
	child  lavapipe.Child
	tools  tools.Cache
}

// Close ends the process that runs the driver.
func (o *Draws) Close() { o.child.Stop() }

// pictureSize is the width and height of the framebuffer.
const pictureSize = 16

// rise is the difference between the levels of images from which derivatives choose: a quarter of a level is eight steps
// of an 8-bit color, 1/16 of a level is two.
const rise = 1.0 / 8

// tries is the maximum number of draws that are generated for a shader until one covers pixels.
const tries = 4

// drawn is a synthetic draw for a shader, with the pictures that are allowed.
type drawn struct {
	*synth.Draw
	bounds       *picture.Bounds
	texels, open int // covered texels, and how many of them Vulkan leaves open
}

// drawFor generates a draw that covers pixels, or returns the reason why it cannot.
func drawFor(ctx context.Context, c *tools.Cache, m *modules.Module, stage kind.Stage, entry string) (d *drawn, why string) {
	if m.Declares("PhysicalStorageBufferAddresses") {
		return nil, "cannot generate addresses of buffers"
	}
	hash := sha256.Sum256(m.SPIRV)
	for number := range uint64(tries) {
		var more bool
		d, why, more = oneDraw(ctx, c, m.SPIRV, stage, entry, synth.Options{
			Width: pictureSize, Height: pictureSize, Number: number, Unorm: hash[0]&1 != 0, Points: number >= tries/2, Rise: rise,
		})
		if !more {
			break
		}
	}
	return d, why
}

// oneDraw generates a draw, or returns the reason why it cannot and whether to try another number.
func oneDraw(ctx context.Context, c *tools.Cache, module []byte, stage kind.Stage, entry string, options synth.Options) (
	_ *drawn, why string, more bool,
) {
	d, err := synth.New(c, module, stage, entry, options)
	var un synth.Unsupported
	switch {
	case errors.As(err, &un):
		return nil, un.Error(), false
	case err != nil:
		return nil, "it is not read", false
	}
	b, err := allowed(ctx, d)
	if err != nil {
		return nil, Reason(err.Error()), false
	}
	texels, open := b.Covered(&d.DrawCall)
	switch {
	case texels == 0 && !b.Writes(&d.DrawCall):
		return nil, "it covers no pixel", true
	case open > 0 && 2*open >= texels:
		return nil, "most of its pixels are left open: they depend on rounding, or are undefined", true
	}
	return &drawn{d, b, texels, open}, "", false
}

// Draw draws with an entry point and compares the pictures. It returns nil for an entry point of another stage.
func (o *Draws) Draw(ctx context.Context, m *modules.Module, e modules.EntryPoint) *Picture {
	stage := modules.Models[e.Model]
	if stage != "vertex" && stage != "fragment" {
		return nil
	}
	p := &Picture{Module: m, Stage: stage, Entry: e.Name}
	if p.Why = m.Lacks(o.device.Has); p.Why != "" {
		return p
	}
	err := guard(func() error {
		var d *drawn
		if d, p.Why = drawFor(ctx, &o.tools, m, stageOf[stage], e.Name); d != nil {
			p.Texels, p.Open = d.texels, d.open
			p.Why = o.draw(ctx, p, d)
		}
		return nil
	})
	if err != nil { // a panic
		p.Why, p.Before = "", err.Error()
	}
	return p
}

// draw compares one draw, or returns the reason why it is left out.
func (o *Draws) draw(ctx context.Context, p *Picture, d *drawn) (why string) {
	theirs := d.Clone()
	onLavapipe := &lavapipe.Engine{Device: &o.child, Module: func(s *runner.Shader) ([]uint32, error) {
		module, err := d.Module(ctx, s)
		if err != nil {
			return nil, err
		}
		return spv.Words(module)
	}}
	err := onLavapipe.Draw(ctx, &theirs.DrawCall)
	switch {
	case err != nil && strings.Contains(err.Error(), "vkCreateGraphicsPipelines"):
		return "lavapipe makes no pipeline of it"
	case err != nil:
		return err.Error()
	}
	p.Before = off(d.bounds, picture.Take(&theirs.DrawCall))
	if err := d.afterPasses(ctx); err != nil {
		p.After = "passes: " + err.Error()
	}
	if hash := sha256.Sum256(p.Module.SPIRV); hash[1]%10 == 0 {
		var err error
		if p.OnModel, err = d.onModel(ctx, Pair{target.TGL, 16}); err != nil {
			p.Modelled = err.Error()
		}
	}
	return ""
}

// afterPasses draws on the interpreter after all passes.
func (d *drawn) afterPasses(ctx context.Context) error {
	x, err := onInterp(ctx, d.Draw, way{passes: pipeline.Optimize})
	if err != nil {
		return err
	}
	return d.differs(x)
}

// onModel draws on the model of the execution units. It does not compare if there is no machine code
// for the pair, or if the model takes too long.
func (d *drawn) onModel(ctx context.Context, pair Pair) (compared bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	ours := d.Clone()
	e := &engine.EU{
		Module: d.Module, Options: jacquard.Options{Target: jacquard.Target(pair.Target.Name), SIMD: pair.SIMD},
		Execution: eu.Options{Undefined: true, Addresses: true, Poison: true},
	}
	err = e.Draw(ctx, &ours.DrawCall)
	var refused *jacquard.Error
	switch {
	case errors.As(err, &refused), errors.Is(err, context.DeadlineExceeded):
		return false, nil
	case err != nil:
		return true, err
	}
	return true, d.differs(picture.Take(&ours.DrawCall))
}

// modelTime bounds a draw on the model.
const modelTime = 20 * time.Second

// pictureVariants is the number of variants run to find undefined texels.
const pictureVariants = 10

// way describes the interpreter's way of drawing.
type way struct {
	seed   uint64 // seed of a variant, or 0 for none
	passes pass.Pipeline
}

// allowed draws on the interpreter, and returns the bounds for other engines. It may change the draw's samplers.
func allowed(ctx context.Context, d *synth.Draw) (*picture.Bounds, error) {
	usual, err := onInterp(ctx, d, way{})
	if err == nil && d.Levels {
		usual, _, err = aimLevels(ctx, d, usual)
	}
	if err != nil {
		return nil, err
	}
	b := picture.BoundsOf(usual)
	for seed := range uint64(pictureVariants) {
		x, err := onInterp(ctx, d, way{seed: seed + 1})
		if err != nil {
			return nil, fmt.Errorf("a variant: %w", err)
		}
		b.Vary(x)
	}
	b.Settle(d.Filters || d.Offsets)
	return b, nil
}

var errOutside = errors.New("it reads or writes outside of an array, a buffer or an image")

// onInterp draws on the interpreter.
func onInterp(ctx context.Context, d *synth.Draw, w way) (*picture.Drawn, error) {
	out := d.Clone()
	e := &engine.Interp{Module: d.Module, Pipeline: w.passes, Configure: func(c *interp.Call) { c.MaxSteps = maxSteps }}
	if w.seed != 0 {
		e = picture.Variant(d.Module, w.seed, maxSteps)
		picture.ShiftLevels(&out.DrawCall, picture.LevelErrors(&out.DrawCall, w.seed))
	}
	if err := e.Draw(ctx, &out.DrawCall); err != nil {
		return nil, err
	}
	if w.passes == nil && e.Executed.Outside > 0 {
		return nil, errOutside
	}
	return picture.Take(&out.DrawCall), nil
}

// off describes the parts of a picture that are out of bounds, or returns "" if there are none.
func off(b *picture.Bounds, x *picture.Drawn) string {
	n, first := b.Differ(x)
	if n > 1 {
		first += fmt.Sprintf(", and %d more", n-1)
	}
	return first
}

// differs returns an error if a picture is not allowed.
func (d *drawn) differs(x *picture.Drawn) error {
	if where := off(d.bounds, x); where != "" {
		return errors.New(where)
	}
	return nil
}

// Judge returns an error if a picture differs, or if it does not although the module is listed as an exception.
func (p *Picture) Judge() error {
	why := pictureExceptions[p.Module.ID()]
	differs := cmp.Or(p.Before, p.After, p.Modelled)
	switch {
	case p.Why != "":
		return nil
	case why != "" && differs == "":
		return fmt.Errorf("%s agrees, but is listed as disagreeing: %s", p.Module.ID(), why)
	case why != "" || differs == "":
		return nil
	case p.Before != "":
		return fmt.Errorf("%s: lavapipe: %s", p.Module.ID(), p.Before)
	case p.After != "":
		return fmt.Errorf("%s: %s", p.Module.ID(), p.After)
	}
	return fmt.Errorf("%s: model: %s", p.Module.ID(), p.Modelled)
}
