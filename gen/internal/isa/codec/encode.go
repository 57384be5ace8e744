// SPDX-License-Identifier: MIT

package codec

import (
	"fmt"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
)

// The results of functions of the encoder.
const (
	encodes   = "(w0, w1 uint64, why encodeProblem)"
	encodesOn = "w0, w1 uint64) (uint64, uint64, encodeProblem)" // the parameters are the word so far
	encoded   = "return w0, w1, encodeOK"
)

// formats are the functions for instructions of formats other than basic: the suffix
// of their names, and their arguments in addition to platform, instruction and word.
var formats = []struct{ name, constant, function, encodeArgs, decodeArgs string }{
	{"ternary", "FormatTernary", "Ternary", "", ", info"},
	{"send", "FormatSend", "Send", "", ""},
	{"sends", "FormatSends", "Sends", "", ""},
	{"branch", "FormatBranch", "Branch", ", info", ", info"},
	{"wait", "FormatWait", "Wait", "", ""},
	{"sync", "FormatSync", "Sync", "", ""},
}

// encoder returns the file of a layout's encoder: straight-line code that puts the fields
// into the words w0 (bits 63:0) and w1 (bits 127:64).
func encoder(t *isatab.Tables, l *isatab.Layout) (*emit.File, error) {
	c := newCodec(t, l, "0, 0, ")
	c.file.Comment(fmt.Sprintf("Layout %s: every function builds the word in w0 (bits 63:0) and w1\n(bits 127:64) or adds to them.",
		l.Row.Name))
	c.file.Add()
	c.encodeWord()
	c.encodeBasic()
	if c.format("ternary") {
		c.encodeTernary()
	}
	if c.format("send") {
		c.encodeSend("Send", "send", "s_")
	}
	if c.format("sends") {
		c.encodeSend("Sends", "sends", "ss_")
	}
	if c.format("branch") {
		c.encodeBranch()
	}
	if c.format("wait") {
		c.encodeWait()
	}
	if c.format("sync") {
		c.encodeSync()
	}
	return c.file, c.err
}

func (c *codec) encodeWord() {
	c.function("encodeWord"+c.name+"(p Platform, in *Inst) "+encodes, func(b *block) {
		b.fail("int(in.Op) >= NumOps || Ops[in.Op].Code[p] == noCode", "badOpcode")
		b.add("info := &Ops[in.Op]")
		b.mark("head")
		b.put("opcode", "uint64(info.Code[p])")
		if c.With("head", "swsb") {
			b.add("swsb, ok := swsbCode(waits" + c.name + "[:], info.Format, in.SWSB)")
			b.fail("!ok", "badSWSB")
			b.put("swsb", "swsb")
		} else {
			b.fail("in.SWSB != fields.SWSBNone", "noSWSB")
		}
		b.put("debug", "fields.Bit(in.Breakpoint)")
		b.when("info.Format == FormatNop", func(b *block) {
			b.choose("",
				gives("in.Atomic", "noAtomic"),
				gives("in.Switch", "noSwitch"),
				gives("in.NoPreempt", "noNoPreempt"),
				gives("in.NoDDClr || in.NoDDChk", "noDep"))
			b.add(encoded)
		})
		b.encodeMode()
		b.encodeExec()
		b.encodeOptions()
		b.fail("in.CMod != CModNone && !info.CanCMod", "noCMod")
		b.fail("in.Table != 0 && !info.Table", "noTable")
		b.fail("in.Sat && !info.Saturates(p)", "noSat")
		b.when("!info.SrcMods", func(b *block) {
			b.code = append(b.code, emit.For("i := range in.Src", c.block(func(b *block) {
				b.fail("o := &in.Src[i]; o.Neg || o.Abs", "badMods")
			})...))
		})
		b.encodeFours()
		cases := []one{{"FormatBasic, FormatMath", func(b *block) { b.add("return encodeBasic" + c.name + "(p, in, info, w0, w1)") }}}
		for _, f := range formats {
			if c.format(f.name) {
				cases = append(cases, one{f.constant, func(b *block) {
					b.add("return encode" + f.function + c.name + "(p, in" + f.encodeArgs + ", w0, w1)")
				}})
			}
		}
		b.choose("info.Format", cases...)
		b.give("badOpcode")
	})
}

// encodeMode fails if an instruction that can only be in the other access mode asks for Align16. Groups of operands write it.
func (b *block) encodeMode() {
	if !b.both() {
		b.fail("in.Align16", "noAlign16")
		return
	}
	b.when("in.Align16", func(b *block) {
		b.choose("info.Format",
			none("FormatBasic, FormatMath, FormatSend"),
			one{"FormatBranch", func(b *block) { b.fail("info.Targets == 0 || far"+b.name+"[in.Op]", "noAlign16") }},
			gives("", "noAlign16"))
	})
}

// encodeFours fails on swizzles and write masks that words cannot encode.
func (b *block) encodeFours() {
	some := "in.Dst.Mask != 0 || in.swizzled()"
	if !b.With("ternary", "t_dst_mask") {
		b.fail(some, "noSwizzle")
		return
	}
	ternary := func(b *block) {
		b.fail("!in.inFours()", "badSwizzle")
		b.add("one := *in")
		b.fail("one.foldLane()", "loneLane")
	}
	b.when(some, func(b *block) {
		if !b.both() {
			b.fail("info.Format != FormatTernary", "noSwizzle")
			ternary(b)
			return
		}
		b.choose("",
			one{"info.Format == FormatTernary", ternary},
			gives("!in.Align16 || info.Format == FormatBranch", "noSwizzle"),
			gives("in.ExecSize < 4 || in.Dst.Mask > fields.FullMask", "badSwizzle"))
	})
}

// encodeExec writes the number of lanes, and which of them run.
func (b *block) encodeExec() {
	lanes := 1 << b.laneUnit()
	b.fail(fmt.Sprintf("in.ChanOff&%d != 0 || in.ChanOff > %d", lanes-1, 32-lanes), "badChanOff")
	b.add("ec := " + b.Enc("exec_size", "in.ExecSize"))
	b.fail("ec == noCode", "badExecSize")
	if b.With("ternary", "t_dst_mask") {
		b.when("info.Format == FormatTernary && in.ExecSize == 1", func(b *block) {
			b.add("ec = " + b.Enc("exec_size", "4") + " // four lanes that the mask leaves")
		})
	}
	b.fail("in.Pred != PredNone && !info.CanPred", "noPred")
	code := "predCode(p, in.Pred)"
	align1 := func(b *block) {
		b.fail(b.badFlag()+" || predKnown[p]>>(in.Pred&15)&1 == 0 || in.Pred > 15", "badPred")
	}
	switch only := b.only16(); {
	case b.both():
		code = "pred"
		b.add("pred := predCode(p, in.Pred)")
		b.when("in.Align16 || "+only, func(b *block) {
			b.fail(b.badFlag()+" || pred16Known[p]>>(in.Pred&31)&1 == 0 || in.Pred > 31", "badPred")
			b.add("pred = predCode16(p, in.Pred)")
		}).Else().Block(b.block(align1)...)
	case only != "":
		align1(b)
		b.fail("("+only+") && pred16Known[p]>>in.Pred&1 == 0", "badPred")
	default:
		align1(b)
	}
	b.mark("exec")
	b.put("exec_size", "uint64(ec)")
	b.put("chan_off", fmt.Sprintf("uint64(in.ChanOff)>>%d", b.laneUnit()))
	if !b.flags() {
		b.put("flag", "uint64(in.Flag)")
	} else {
		b.when("info.Format == FormatTernary", func(b *block) { b.put("t_flag", "uint64(in.Flag)") }).
			Else().Block(b.block(func(b *block) { b.put("flag", "uint64(in.Flag)") })...)
	}
	b.put("pred_ctrl", code)
	b.put("pred_inv", "fields.Bit(in.PredInv)")
	b.put("mask_ctrl", "fields.Bit(in.NoMask || info.Scalar)")
}

// badFlag returns a condition for a flag that a word cannot name.
func (c *codec) badFlag() string { return fmt.Sprintf("in.Flag > %d", 1<<c.L.Width("flag")-1) }

// encodeOptions writes the options about thread control and dependencies.
func (b *block) encodeOptions() {
	if b.With("exec", "thread_ctrl") {
		b.choose("",
			gives("in.Atomic && in.Switch, in.NoPreempt && (in.Atomic || in.Switch)", "badThread"),
			one{"in.Atomic", func(b *block) { b.put("thread_ctrl", b.codeOf("thread_ctrl", "atomic")) }},
			one{"in.Switch", func(b *block) {
				if !b.HasCode("thread_ctrl", "switch") {
					b.give("noSwitch")
					return
				}
				b.fail("info.Format == FormatSend || info.Format == FormatSends", "noSwitch")
				b.put("thread_ctrl", b.codeOf("thread_ctrl", "switch"))
			}},
			one{"in.NoPreempt", func(b *block) {
				if !b.HasCode("thread_ctrl", "no_preempt") {
					b.give("noNoPreempt")
					return
				}
				b.put("thread_ctrl", b.codeOf("thread_ctrl", "no_preempt"))
			}})
	} else {
		b.option("exec", "atomic", "in.Atomic", "noAtomic")
		b.fail("in.Switch", "noSwitch")
		b.fail("in.NoPreempt", "noNoPreempt")
	}
	b.when("in.NoDDClr || in.NoDDChk", func(b *block) {
		if !b.group("dep") {
			b.give("noDep")
			return
		}
		b.fail("info.Format == FormatSend || info.Format == FormatSends || info.Format == FormatSync", "noDep")
		b.option("dep", "no_dd_clr", "in.NoDDClr", "noDep")
		b.option("dep", "no_dd_chk", "in.NoDDChk", "noDep")
	})
}

// lastAddress returns the number of the last word of a0 that an operand can name.
func (c *codec) lastAddress(name string) int { return 1<<c.L.Width(name+"_addr_sub") - 1 }

// encodePlace writes an operand of a basic instruction: register or address. Its
// variable is v, and its name is the prefix of its fields and groups.
func (b *block) encodePlace(v, name, badFile string, region bool) {
	b.choose("fc := "+b.Enc("file", v+".File")+";",
		one{v + ".Indirect", func(b *block) {
			unit, beyond := b.offset(name + "_addr_off")
			off := v + ".AddrOff"
			bad := fmt.Sprintf("%s.AddrSub > %d || %s < %d || %[3]s > %[5]d", v, b.lastAddress(name), off, -beyond, beyond-1)
			if unit > 0 {
				bad += fmt.Sprintf(" || %s&%d != 0", off, 1<<unit-1)
				off += fmt.Sprintf(">>%d", unit)
			}
			b.fail(bad, "badAddress")
			b.mark(name, "_ind")
			b.put(name+"_addr_sub", "uint64("+v+".AddrSub)")
			b.put(name+"_addr_off", "uint64("+off+")")
		}},
		one{"fc != noCode", func(b *block) {
			if region {
				b.fail(v+".VStride == VStrideVxH", "badRegion")
			}
			b.fail(b.badSub(v+".Sub", name+"_sub"), "badSub")
			b.fail("!known(p, "+v+".File, "+v+".Reg)", "badReg")
			b.mark(name)
			if b.macroUnit() == 0 {
				b.putPlace(v, name, name+"_sub")
				return
			}
			b.add("sub := " + v + ".Sub")
			b.when("info.Format == FormatMath && in.Math.IsMacro()", func(b *block) { b.add(fmt.Sprintf("sub <<= %d", b.macroUnit())) })
			b.put(name+"_file", "uint64(fc)")
			b.put(name+"_sub", b.inUnits("sub", name+"_sub"))
			b.put(name+"_reg", "uint64("+v+".Reg)")
		}},
		gives("", badFile))
}

// encodePlace16 writes an operand of a basic instruction in access mode Align16, as encodePlace does; group and ind are the
// groups of a register and of an address.
func (b *block) encodePlace16(v, name, group, ind, badFile string) {
	b.choose("fc := "+b.Enc("file", v+".File")+";",
		one{v + ".Indirect", func(b *block) {
			b.fail(fmt.Sprintf("%s.AddrSub > %d || %[1]s.AddrOff < -512 || %[1]s.AddrOff > 511 || %[1]s.AddrOff%%16 != 0", v,
				b.lastAddress(name)), "badAddress")
			b.mark(ind)
			b.put(name+"_addr_sub", "uint64("+v+".AddrSub)")
			b.put(name+"_addr_off16", "uint64("+v+".AddrOff>>4)")
		}},
		one{"fc != noCode", func(b *block) {
			b.fail(v+".Sub&15 != 0 || "+v+".Sub > 31", "badSub")
			b.fail("!known(p, "+v+".File, "+v+".Reg)", "badReg")
			b.mark(group)
			b.put(name+"_file", "uint64(fc)")
			b.put(name+"_sub16", "uint64("+v+".Sub)>>4")
			b.put(name+"_reg", "uint64("+v+".Reg)")
		}},
		gives("", badFile))
}

// putPlace writes the file, whose code is fc, the register, and the subregister to field sub.
func (b *block) putPlace(v, name, sub string) {
	b.put(name+"_file", "uint64(fc)")
	b.put(sub, b.inUnits(v+".Sub", sub))
	b.put(name+"_reg", "uint64("+v+".Reg)")
}

func (c *codec) encodeBasic() {
	c.function("encodeBasic"+c.name+"(p Platform, in *Inst, info *OpInfo, "+encodesOn, func(b *block) {
		b.mark("alu")
		b.option("alu", "acc_wr", "in.AccWrEn", "noAccWr")
		b.put("sat", "fields.Bit(in.Sat)")
		b.add("nsrc, cond := info.NumSrc, cmodCode(p, in.CMod)")
		b.when("info.Format == FormatMath", func(b *block) {
			b.fail("mathKnown[p]>>(in.Math&15)&1 == 0 || in.Math > 15", "badMath")
			b.fail("!in.mathDirect()", "mathIndirect")
			if c.group("macro") {
				b.fail("in.Math.IsMacro() && !in.macroOperands()", "badMacro")
			}
			if c.told("macro") {
				b.when("in.Math.IsMacro()", func(b *block) { b.mark("macro") })
			}
			b.add("nsrc, cond = mathSrcs[in.Math], mathCode(p, in.Math)")
		}).Else().Add(emit.If("cmodKnown[p]>>(in.CMod&15)&1 == 0 || in.CMod > 15", emit.Return("0, 0, badCMod")))
		b.add("d := &in.Dst")
		b.add("tc := regType(p, d.Type)")
		b.fail("tc == noCode", "badDstType")
		b.add("hs := " + c.Enc("hstride", "d.HStride"))
		b.fail("d.HStride == 0 || hs == noCode", "badDstStride")
		if c.told("macro") {
			b.when("in.Math.IsMacro() && info.Format == FormatMath", func(b *block) { b.add("hs = 0 // it is ignored") })
		}
		b.put("dst_type", "uint64(tc)")
		b.put("dst_hstride", "uint64(hs)")
		if c.both() {
			b.when("in.Align16", func(b *block) {
				b.encodePlace16("d", "dst", "dst16", "dst_ind16", "badDstFile")
				b.put("dst_mask", "uint64(^d.Mask & fields.FullMask)")
			}).Else().Block(c.block(func(b *block) { b.encodePlace("d", "dst", "badDstFile", false) })...)
		} else {
			b.encodePlace("d", "dst", "badDstFile", false)
		}
		b.when("in.Src[0].File == FileImm", func(b *block) {
			b.add("o := &in.Src[0]")
			b.fail("nsrc != 1", "badImm")
			b.add("tc := immType(p, o.Type)")
			b.fail("tc == noCode", "badImm")
			b.put("src0_type", "uint64(tc)")
			imm32 := func(b *block) {
				b.mark("src0_imm32")
				b.put("imm32", "fields.Imm32(o.Imm, o.Type.Size())")
			}
			if c.group("src0_imm64") {
				b.when("types[o.Type].size == 8", func(b *block) {
					if c.L.Overlap("cond", "imm64") {
						b.fail("cond != 0", "badImm64")
					}
					b.mark("src0_imm64")
					b.put("imm64", "o.Imm")
				}).Else().Block(c.block(imm32)...)
			} else {
				imm32(b)
			}
			b.put("cond", "cond")
			b.add(encoded)
		})
		b.put("cond", "cond")
		b.scope(func(b *block) { b.encodeSource("0") })
		b.when("nsrc < 2", func(b *block) { b.add(encoded) })
		b.scope(func(b *block) { b.encodeSource("1") })
		b.add(encoded)
	})
}

// encodeSource writes a source of a basic instruction.
func (b *block) encodeSource(n string) {
	src := "src" + n
	b.add("o := &in.Src[" + n + "]")
	if n == "1" {
		b.when("o.File == FileImm", func(b *block) {
			b.add("tc := immType(p, o.Type)")
			b.fail("tc == noCode || types[o.Type].size == 8", "badImm")
			b.mark("src1_imm32")
			b.put("src1_type", "uint64(tc)")
			b.put("imm32", "fields.Imm32(o.Imm, o.Type.Size())")
			b.add(encoded)
		})
	}
	b.add("tc := regType(p, o.Type)")
	b.fail("tc == noCode", "badSrcType")
	b.add("hs, wd, vs := " + b.Enc("hstride", "o.HStride") + ", " + b.Enc("width", "o.Width") + ", " + b.Enc("vstride", "o.VStride"))
	b.fail("hs == noCode || wd == noCode || vs == noCode", "badRegion")
	b.put(src+"_type", "uint64(tc)")
	b.put(src+"_abs", "fields.Bit(o.Abs)")
	b.put(src+"_neg", "fields.Bit(o.Neg)")
	if b.both() {
		b.when("in.Align16", func(b *block) {
			b.fail("o.Width != 4 || o.HStride != 1 || o.VStride == VStrideVxH", "badRegion")
			b.put(src+"_vstride", "uint64(vs)")
			b.put(src+"_swizzle", "uint64(o.Swizzle^fields.Identity)")
			b.encodePlace16("o", src, src+"_16", src+"_ind16", "badSrcFile")
		}).Else().Block(b.block(func(b *block) { b.encodeRegion(src) })...)
	} else {
		b.encodeRegion(src)
	}
}

// encodeRegion writes the region, whose codes are hs, wd and vs, and the place of a source.
func (b *block) encodeRegion(src string) {
	b.put(src+"_hstride", "uint64(hs)")
	b.put(src+"_width", "uint64(wd)")
	b.put(src+"_vstride", "uint64(vs)")
	b.encodePlace("o", src, "badSrcFile", true)
}

func (c *codec) encodeTernary() {
	c.function("encodeTernary"+c.name+"(p Platform, in *Inst, "+encodesOn, func(b *block) {
		class, stride := c.With("ternary", "t_class"), c.With("ternary", "t_dst_hstride")
		file, mask := c.With("ternary",
			"t_dst_file"), c.With("ternary", "t_dst_mask")
		b.fail("cmodKnown[p]>>(in.CMod&15)&1 == 0 || in.CMod > 15", "badCMod")
		b.add("d := &in.Dst")
		b.add("tc := ternaryType(p, d.Type)")
		b.fail("tc == noCode", "badDstType")
		if class {
			b.add("class := tc & 8")
		}
		if stride {
			b.add("dhs := " + c.Enc("t_dst_hstride", "d.HStride"))
			b.fail("dhs == noCode", "badDstStride")
		} else {
			b.fail("d.HStride != 1", "badDstStride")
		}
		b.add("sub := d.Sub")
		if mask {
			b.add("mask := uint64(^d.Mask & fields.FullMask)")
			b.when("in.ExecSize == 1", func(b *block) {
				b.fail("sub, mask = fields.LaneMask(sub, d.Type.Size()); mask == 0",
					"badDstType")
			})
		}
		b.fail(c.badSub("sub", "t_dst_sub"), "badSub")
		if file {
			b.add("dfc := " + c.Enc("t_dst_file", "d.File"))
			b.fail("d.Indirect || dfc == noCode", "badDstFile")
		} else {
			b.fail("d.Indirect || d.File != FileGRF", "badDstFile")
		}
		b.fail("!known(p, d.File, d.Reg)", "badReg")
		b.mark("alu")
		b.option("alu", "acc_wr", "in.AccWrEn", "noAccWr")
		b.put("sat", "fields.Bit(in.Sat)")
		if c.group("ternary_table") {
			b.when("info := &Ops[in.Op]; info.Table", func(b *block) {
				b.mark("ternary_table")
				b.put("t_table", "uint64(in.Table)")
			}).Else().Block(c.block(func(b *block) {
				b.put("cond", "cmodCode(p, in.CMod)")
			})...)
		} else {
			b.put("cond", "cmodCode(p, in.CMod)")
		}
		b.mark("ternary")
		b.put("t_dst_type", "uint64(tc)")
		b.put("t_dst_sub", c.inUnits("sub", "t_dst_sub"))
		b.put("t_dst_reg", "uint64(d.Reg)")
		if class {
			b.put("t_class", "uint64(class)>>3")
		}
		if stride {
			b.put("t_dst_hstride", "uint64(dhs)")
		}
		if file {
			b.put("t_dst_file", "uint64(dfc)")
		}
		if mask {
			b.put("t_dst_mask", "mask")
		}
		for _, n := range []string{"0", "1", "2"} {
			b.scope(func(b *block) { b.encodeTernarySource(n, class) })
		}
		b.add(encoded)
	})
}

// encodeTernarySource writes a source of a three-source instruction.
func (b *block) encodeTernarySource(n string, class bool) {
	group, src := "ternary_src"+n, "t_src"+n
	b.add("o := &in.Src[" + n + "]")
	if b.With(group, src+"_type") {
		wrong := "tc == noCode"
		if class {
			wrong += " || tc&8 != class"
		}
		b.add("tc := ternaryType(p, o.Type)")
		b.fail(wrong, "badSrcType")
		b.put(src+"_type", "uint64(tc)")
	} else {
		b.encodeShared(src)
	}
	register := func(b *block) { b.encodeTernaryRegister(n) }
	if n == "1" || !b.group(group, "_imm") {
		b.scope(register)
		return
	}
	b.when("o.File == FileImm", func(b *block) {
		b.fail("types[o.Type].size != 2", "badImm")
		b.mark(group, "_imm")
		b.put(src+"_value", "o.Imm")
	}).Else().Block(b.block(register)...)
}

// encodeShared writes the type of a source that has the type of source 0, or is a half float.
func (b *block) encodeShared(src string) {
	if !b.L.Has(src + "_half") {
		b.fail("o.Type != in.Src[0].Type", "badSrcType")
		return
	}
	b.add("half := o.Type == TypeHF")
	b.fail("o.Type != in.shared(half)", "badSrcType")
	b.put(src+"_half", "fields.Bit(half)")
}

// encodeTernaryRegister writes a source that is a register.
func (b *block) encodeTernaryRegister(n string) {
	group, src := "ternary_src"+n, "t_src"+n
	file := b.With(group, src+"_file")
	if file {
		b.add("fc := " + b.Enc(src+"_file", "o.File"))
		b.fail("o.Indirect || fc == noCode", "badSrcFile")
	} else {
		b.fail("o.Indirect || o.File != FileGRF", "badSrcFile")
	}
	b.fail(b.badSub("o.Sub", src+"_sub"), "badSub")
	if b.group(group, "_scalar") {
		packed := "o.VStride > 1 && o.VStride <= 8"
		if n == "2" {
			packed = "o.VStride == 0"
		}
		b.choose("",
			one{"o.VStride == 0 && o.HStride == 0", func(b *block) { b.mark(group, "_scalar") }},
			one{"o.HStride == 1 && " + packed, func(b *block) { // any such region is packed
				b.mark(group)
				if b.With(group, src+"_swizzle") {
					b.put(src+"_swizzle", "uint64(o.Swizzle^fields.Identity)")
				}
			}},
			gives("", "badRegion"))
	} else {
		b.add("hs := " + b.Enc("hstride", "o.HStride"))
		b.fail("hs == noCode", "badRegion")
		b.mark(group)
		b.put(src+"_hstride", "uint64(hs)")
		if n == "2" {
			b.fail("o.VStride != 0", "badRegion")
		} else {
			b.add("vs := " + b.Enc("t_vstride", "o.VStride"))
			b.fail("vs == noCode", "badRegion")
			b.put(src+"_vstride", "uint64(vs)")
		}
	}
	b.fail("!known(p, o.File, o.Reg)", "badReg")
	if file {
		b.put(src+"_file", "uint64(fc)")
	}
	b.put(src+"_abs", "fields.Bit(o.Abs)")
	b.put(src+"_neg", "fields.Bit(o.Neg)")
	b.put(src+"_sub", b.inUnits("o.Sub", src+"_sub"))
	b.put(src+"_reg", "uint64(o.Reg)")
}

// encodeSend writes the encoder of messages of one or two payloads; group and prefix
// are the prefixes of their groups and fields.
func (c *codec) encodeSend(name, group, prefix string) {
	c.function("encode"+name+c.name+"(p Platform, in *Inst, "+encodesOn, func(b *block) {
		b.fail("sfidKnown[p]>>(in.SFID&31)&1 == 0 || in.SFID > 31", "badSFID")
		b.add("d, s0, s1 := &in.Dst, &in.Src[0], &in.Src[1]")
		b.fail("s0.File == FileNone", "badSrcFile")
		b.fail("d.Indirect || s0.Indirect || s1.Indirect || d.Sub|s0.Sub|s1.Sub != 0", "badPayload")
		b.fail("!known(p, orARF(d.File), d.Reg) || !known(p, s0.File, s0.Reg) || !known(p, orARF(s1.File), s1.Reg)", "badReg")
		if c.both() && group == "send" {
			b.when("in.Align16", func(b *block) {
				b.fail("in.swizzled()", "badPayload")
				b.mark(group + "16")
				b.put("dst_mask", "uint64(^d.Mask & fields.FullMask)")
			}).Else().Block(c.block(func(b *block) { b.mark(group) })...)
		} else {
			b.mark(group)
		}
		b.put("cond", "sfidCode(p, in.SFID)")
		b.put("eot", "fields.Bit(in.EOT)")
		b.add("fc := " + c.Enc("file", "orARF(d.File)"))
		b.fail("fc == noCode", "badPayload")
		b.put(prefix+"dst_file", "uint64(fc)")
		b.put(prefix+"dst_reg", "uint64(d.Reg)")
		if c.With(group, prefix+"dst_type") {
			b.add("tc := regType(p, d.Type)")
			b.fail("tc == noCode", "badDstType")
			b.put(prefix+"dst_type", "uint64(tc)")
		} else {
			b.fail("d.Type != TypeNone", "badDstType")
		}
		if c.With(group, prefix+"src0_file") {
			b.fail("fc = "+c.Enc("file", "s0.File")+"; fc == noCode", "badPayload")
			b.put(prefix+"src0_file", "uint64(fc)")
		} else {
			b.fail("s0.File != FileGRF", "badPayload")
		}
		b.put(prefix+"src0_reg", "uint64(s0.Reg)")
		if c.With(group, prefix+"src0_type") {
			b.fail("tc = regType(p, s0.Type); tc == noCode", "badSrcType")
			b.put(prefix+"src0_type", "uint64(tc)")
		} else {
			b.fail("s0.Type != TypeNone", "badSrcType")
		}
		if c.second(group, prefix) {
			b.fail("fc = "+c.Enc("file", "orARF(s1.File)")+"; fc == noCode", "badPayload")
			b.put(prefix+"src1_file", "uint64(fc)")
			b.put(prefix+"src1_reg", "uint64(s1.Reg)")
			b.fail("s1.Type != TypeNone", "badSrcType")
		} else {
			b.fail("s1.File != FileNone", "badPayload")
		}
		b.encodeDescriptors(group, prefix)
		b.add(encoded)
	})
}

// second reports whether messages have a second payload.
func (c *codec) second(group, prefix string) bool {
	return group == "sends" || c.With(group, prefix+"src1_reg")
}

// besideRegister encodes the bits of an extended descriptor that words have although it is in a register.
func (b *block) besideRegister(group, prefix string) {
	if !b.With(group, prefix+"exbso") {
		b.fail("in.ExDesc != 0 || in.ExBSO", "badExDesc")
		return
	}
	both, more := len(b.L.V.WordLen) > 0, b.With(group, prefix+"ex_high")
	none, flag := "uint32(0)", "1"
	if more {
		none = "uint32(0x1FFF << 19 | 0xF << 11)"
	}
	if b.add("known := " + none); both {
		b.add("bit := uint64(1)")
		b.when("p.LengthInWord(in.SFID)", func(b *block) {
			b.fail("!in.ExBSO", "badExDesc")
			b.add("known |= 1 << 15")
			b.add("bit = uint64(in.ExDesc) >> 15")
		})
		flag = "bit"
	}
	b.when("in.ExBSO", func(b *block) {
		b.add(fmt.Sprintf("known |= %#x << 6", 1<<b.L.Width(prefix+"src1_len")-1))
		b.put(prefix+"exbso", flag)
		b.put(prefix+"src1_len", "uint64(in.ExDesc)>>6")
	})
	if b.fail("in.ExDesc&^known != 0", "badExDesc"); more {
		b.put(prefix+"ex_high", "uint64(in.ExDesc)>>19")
		b.put(prefix+"ex_low", "uint64(in.ExDesc)>>11")
	}
}

func (b *block) encodeDescriptors(group, prefix string) {
	b.when("in.DescReg", func(b *block) {
		b.fail("in.Desc != 0", "badDesc")
		b.mark(group, "_desc_reg")
	}).Else().Block(b.block(func(b *block) {
		b.fail(fmt.Sprintf("uint64(in.Desc)>>%d != 0", b.L.Width(prefix+"desc")), "wideDesc")
		b.mark(group, "_desc")
		b.put(prefix+"desc", "uint64(in.Desc)")
	})...)
	b.when("in.ExDescReg", func(b *block) {
		if !b.group(group, "_exdesc_reg") {
			b.give("badExDesc")
			return
		}
		b.fail("in.ExDescSub > 7", "badExDesc")
		b.mark(group, "_exdesc_reg")
		b.besideRegister(group+"_exdesc_reg", prefix)
		b.put(prefix+"exdesc_sub", "uint64(in.ExDescSub)")
	}).Else().Block(b.block(func(b *block) {
		b.fail("in.ExBSO", "badExDesc")
		b.mark(group, "_exdesc")
		if b.With(group+"_exdesc", prefix+"exdesc") {
			b.fail("in.ExDesc&0x3F != 0", "badExDesc")
			b.put(prefix+"exdesc", "uint64(in.ExDesc)>>6")
			return
		}
		b.add("rest := in.ExDesc")
		if b.With(group+"_exdesc", prefix+"ex_imm") {
			b.put(prefix+"ex_imm", "uint64(in.ExDesc)>>16")
			b.add("rest &= 0xFFFF")
		}
		if b.With(group+"_exdesc", prefix+"ex_len") {
			b.put(prefix+"ex_len", "uint64(in.ExDesc)>>6")
			b.add("rest &^= 0xF << 6")
		}
		b.fail("rest != 0", "badExDesc")
	})...)
}

func (c *codec) encodeBranch() {
	c.function("encodeBranch"+c.name+"(p Platform, in *Inst, info *OpInfo, "+encodesOn, func(b *block) {
		b.fail("in.BranchCtrl && !info.BranchCtrl", "badBranchCtrl")
		b.mark("branch")
		b.option("branch", "branch_ctrl", "in.BranchCtrl", "badBranchCtrl")
		if len(c.L.V.Ops) > 0 {
			b.add("w0 |= opBits" + c.name + "[in.Op][0]")
			b.add("w1 |= opBits" + c.name + "[in.Op][1]")
		}
		b.when("info.HasDst", func(b *block) {
			b.add("d := &in.Dst")
			b.add("fc := " + c.Enc("file", "d.File"))
			b.fail("fc == noCode || d.Indirect || "+b.badSub("d.Sub", "link_sub"), "badDstFile")
			b.fail("!known(p, d.File, d.Reg)", "badReg")
			b.mark("link")
			b.putPlace("d", "dst", "link_sub")
		})
		b.when("o := &in.Src[0]; o.File != FileNone", func(b *block) {
			b.add("fc := " + c.Enc("file", "o.File"))
			b.fail("fc == noCode || o.Indirect || "+b.badSub("o.Sub", "src0_sub"), "badSrcFile")
			b.fail("!known(p, o.File, o.Reg)", "badReg")
			b.choose("",
				one{"info.Targets == 0", func(b *block) { b.mark("return"); b.putPlace("o", "src0", "src0_sub") }},
				one{"info.RegTarget", func(b *block) { b.mark("branch_reg"); b.putPlace("o", "b", "b_sub") }},
				gives("", "badSrcFile"))
			b.add(encoded)
		})
		jip := "jip := in.JIP"
		if len(c.L.V.FromNext) > 0 {
			jip += " - origin" + c.name + "[in.Op]"
		}
		b.add(jip)
		if c.group("far_target") {
			b.encodeNear()
			return
		}
		b.choose("info.Targets",
			gives("0", "badSrcFile"),
			one{"1", func(b *block) { b.mark("targets1") }},
			one{"", func(b *block) { b.mark("targets2"); b.put("uip", "uint64(uint32(in.UIP))") }})
		b.put("jip", "uint64(uint32(jip))")
		b.add(encoded)
	})
}

// encodeNear writes targets, of which those of most branches have a field of few bits that counts units.
func (b *block) encodeNear() {
	b.when("far"+b.name+"[in.Op]", func(b *block) {
		b.mark("far_target")
		b.put("far_jip", "uint64(uint32(jip))")
		b.add(encoded)
	})
	unit := b.L.V.BranchUnit
	target := func(b *block, field, v string) {
		least := -unit << (b.L.Width(field) - 1)
		b.fail(fmt.Sprintf("%s%%%d != 0 || %[1]s < %[3]d || %[1]s > %[4]d", v, unit, least, -least-unit), "badTarget")
		b.put(field, fmt.Sprintf("uint64(uint32(%s/%d))", v, unit))
	}
	b.choose("",
		gives("info.Targets == 0", "badSrcFile"),
		one{"in.Align16", func(b *block) { b.mark("targets16") }},
		one{"info.Targets == 1", func(b *block) { b.mark("targets1") }},
		one{"", func(b *block) { b.mark("targets2") }})
	target(b, "jip", "jip")
	b.when(b.targets()+" == 2", func(b *block) { target(b, "uip", "in.UIP") })
	b.add(encoded)
}

func (c *codec) encodeWait() {
	c.function("encodeWait"+c.name+"(p Platform, in *Inst, "+encodesOn, func(b *block) {
		b.add("o := &in.Src[0]")
		b.fail("o.File != FileARF || o.Indirect || o.Type != TypeUD", "badSrcFile")
		b.fail(b.badSub("o.Sub", "src0_sub"), "badSub")
		b.fail("!known(p, o.File, o.Reg)", "badReg")
		b.mark("wait")
		b.put("dst_reg", "uint64(o.Reg)")
		b.put("dst_sub", "uint64(o.Sub)")
		b.put("src0_reg", "uint64(o.Reg)")
		b.put("src0_sub", "uint64(o.Sub)")
		b.add(encoded)
	})
}

func (c *codec) encodeSync() {
	c.function("encodeSync"+c.name+"(p Platform, in *Inst, "+encodesOn, func(b *block) {
		b.fail("syncKnown[p]>>(in.Sync&15)&1 == 0 || in.Sync > 15", "badSync")
		b.mark("sync")
		b.put("cond", "syncCode(p, in.Sync)")
		b.when("o := &in.Src[0]; o.File == FileImm", func(b *block) {
			b.add("tc := immType(p, o.Type)")
			b.fail(c.syncWithoutImm()+" || o.Type != TypeUD || tc == noCode", "badImm")
			b.mark("sync_imm")
			b.put("src0_type", "uint64(tc)")
			b.put("imm32", "o.Imm")
		}).Else().Block(c.block(func(b *block) {
			b.fail("o.File != FileNone && !o.IsNull()", "badSrcFile")
			b.mark("sync_null")
		})...)
		b.add(encoded)
	})
}
