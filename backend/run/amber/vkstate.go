// SPDX-License-Identifier: MIT

package amber

import (
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
)

// vkState reads the rest of a command that sets the state of draws. known is false if cmd is not such a command.
func (p *vkParser) vkState(cmd token) (known bool, err error) {
	g := &p.graphics.state
	if to := p.stateSwitch(cmd.text); to != nil {
		t := p.next()
		if !t.is("true") && !t.is("false") {
			return true, p.errorf(t.pos, "%s must be true or false, not %s", cmd.text, t)
		}
		*to = t.is("true")
		return true, p.endOfLine(cmd)
	}
	numbers := map[string]*float32{
		"depthBiasConstantFactor": &g.DepthBias.Constant, "depthBiasClamp": &g.DepthBias.Clamp, "depthBiasSlopeFactor": &g.DepthBias.Slope,
		"lineWidth": &g.LineWidth, "minDepthBounds": &g.Depth.Low, "maxDepthBounds": &g.Depth.High,
	}
	if to := numbers[cmd.text]; to != nil {
		t := p.next()
		v, ok := runner.ParseFloat(t.text)
		if !ok || v != v {
			return true, p.errorf(t.pos, "%s must be a number, not %s", cmd.text, t)
		}
		*to = float32(v)
		return true, p.endOfLine(cmd)
	}
	if known, err = p.stateWord(cmd.text); known {
		if err == nil {
			err = p.endOfLine(cmd)
		}
		return true, err
	}
	switch cmd.text {
	case "front.reference", "back.reference":
		n, err := p.number(p.next(), "the reference", 255)
		if err != nil {
			return true, err
		}
		p.face(cmd.text).Reference = uint8(n)
		return true, p.endOfLine(cmd)
	case "colorWriteMask":
		return true, p.writeMask()
	}
	return false, nil
}

// stateSwitch returns the switch that a command sets, or nil if it sets none.
func (p *vkParser) stateSwitch(word string) *bool {
	g := &p.graphics.state
	return map[string]*bool{
		"primitiveRestartEnable": &g.Restart, "depthClampEnable": &g.DepthClamp, "depthBiasEnable": &g.DepthBias.Enabled, "logicOpEnable": &g.Logic.Enabled,
		"blendEnable": &p.graphics.blend.Enabled, "depthTestEnable": &g.Depth.Test, "depthWriteEnable": &g.Depth.Write,
		"depthBoundsTestEnable": &g.Depth.Bounds, "stencilTestEnable": &g.Stencil.Test,
	}[word]
}

// face returns the stencil face that a command sets: the front if the command starts with front., otherwise the back.
func (p *vkParser) face(word string) *draw.StencilFace {
	if strings.HasPrefix(word, "front.") {
		return &p.graphics.state.Stencil.Front
	}
	return &p.graphics.state.Stencil.Back
}

// logicOps are the words after VK_LOGIC_OP_.
var logicOps = map[string]draw.LogicOp{
	"clear": draw.LogicClear, "and": draw.LogicAnd, "and_reverse": draw.LogicAndReverse, "copy": draw.LogicCopy, "and_inverted": draw.LogicAndInverted,
	"no_op": draw.LogicNoOp, "xor": draw.LogicXor, "or": draw.LogicOr, "nor": draw.LogicNor, "equivalent": draw.LogicEquivalent, "invert": draw.LogicInvert,
	"or_reverse": draw.LogicOrReverse, "copy_inverted": draw.LogicCopyInverted, "or_inverted": draw.LogicOrInverted, "nand": draw.LogicNand, "set": draw.LogicSet,
}

// stateWord parses a state command whose operand is a Vulkan enumerant: a prefix, then AmberScript's keyword in
// upper case. known is false if word is not such a command.
func (p *vkParser) stateWord(word string) (known bool, err error) {
	g, b := &p.graphics.state, &p.graphics.blend
	switch word {
	case "polygonMode":
		return true, vkChoice(p, "VK_POLYGON_MODE_", map[string]draw.PolygonMode{"fill": draw.Fill, "line": draw.Line, "point": draw.Point}, &g.Polygons)
	case "logicOp":
		return true, vkChoice(p, "VK_LOGIC_OP_", logicOps, &g.Logic.Op)
	case "frontFace":
		return true, vkChoice(p, "VK_FRONT_FACE_", map[string]bool{"clockwise": true, "counter_clockwise": false}, &g.Clockwise)
	case "cullMode":
		modes := map[string]draw.Cull{"none": 0, "front_bit": draw.CullFront, "back_bit": draw.CullBack, "front_and_back": draw.CullFront | draw.CullBack}
		return true, vkChoice(p, "VK_CULL_MODE_", modes, &g.Cull)
	case "depthCompareOp":
		return true, vkChoice(p, "VK_COMPARE_OP_", runner.Compares, &g.Depth.Compare)
	case "topology": // each draw has its own
		var t bool
		names := map[string]bool{}
		for name := range topologies {
			names[strings.ToLower(name)] = true
		}
		return true, vkChoice(p, "VK_PRIMITIVE_TOPOLOGY_", names, &t)
	}
	factors := map[string]*draw.Factor{
		"srcColorBlendFactor": &b.Color.Src, "dstColorBlendFactor": &b.Color.Dst, "srcAlphaBlendFactor": &b.Alpha.Src, "dstAlphaBlendFactor": &b.Alpha.Dst,
	}
	if to := factors[word]; to != nil {
		return true, vkChoice(p, "VK_BLEND_FACTOR_", blendFactors, to)
	}
	if to := map[string]*draw.BlendOp{"colorBlendOp": &b.Color.Op, "alphaBlendOp": &b.Alpha.Op}[word]; to != nil {
		ops := map[string]draw.BlendOp{"add": draw.Add, "subtract": draw.Subtract, "reverse_subtract": draw.ReverseSubtract, "min": draw.Min, "max": draw.Max}
		return true, vkChoice(p, "VK_BLEND_OP_", ops, to)
	}
	f := p.face(word)
	_, what, _ := strings.Cut(word, ".")
	if what == "compareOp" {
		return true, vkChoice(p, "VK_COMPARE_OP_", runner.Compares, &f.Compare)
	}
	if to := map[string]*draw.StencilOp{"failOp": &f.Fail, "passOp": &f.Pass, "depthFailOp": &f.DepthFail}[what]; to != nil {
		return true, vkChoice(p, "VK_STENCIL_OP_", stencilOps, to)
	}
	return false, nil
}

// vkChoice reads a word that consists of a prefix and a word of a table.
func vkChoice[T any](p *vkParser, prefix string, of map[string]T, to *T) error {
	t := p.next()
	word, ok := strings.CutPrefix(t.text, prefix)
	v, known := of[strings.ToLower(word)]
	if t.kind != tokWord || !ok || !known {
		return p.errorf(t.pos, "a word that starts with %s is missing or unknown, found %s", prefix, t)
	}
	*to = v
	return nil
}

// writeMask reads the mask of written components: VK_COLOR_COMPONENT_R_BIT | ….
func (p *vkParser) writeMask() error {
	keep := uint8(0xf)
	for t := p.next(); !t.ends(); t = p.next() {
		for word := range strings.SplitSeq(t.text, "|") {
			if word == "" {
				continue
			}
			c, ok := strings.CutPrefix(word, "VK_COLOR_COMPONENT_")
			i := strings.Index("R_BITG_BITB_BITA_BIT", c)
			if !ok || len(c) != len("R_BIT") || i%len("R_BIT") != 0 || i < 0 {
				return p.errorf(t.pos, "unknown component %s", t)
			}
			keep &^= 1 << (i / len("R_BIT"))
		}
	}
	p.graphics.blend.Keep = keep
	return nil
}

// initialState returns the state of draws before the first command.
func initialState() runner.Graphics {
	face := draw.StencilFace{Compare: texture.Always, CompareMask: 255, WriteMask: 255}
	return runner.Graphics{Depth: draw.Depth{Compare: texture.Always, High: 1}, Stencil: draw.Stencil{Front: face, Back: face}}
}
