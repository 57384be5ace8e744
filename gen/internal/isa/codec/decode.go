// SPDX-License-Identifier: MIT

package codec

import (
	"fmt"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
)

// decoded is the result of functions of the decoder.
const decoded = "return decodeOK"

// decoder returns the file of a layout's decoder: straight-line code that reads the fields
// from the words w0 (bits 63:0) and w1 (bits 127:64).
func decoder(t *isatab.Tables, l *isatab.Layout) (*emit.File, error) {
	c := newCodec(t, l, "")
	c.file.Comment(fmt.Sprintf("Layout %s: every function reads the word from w0 (bits 63:0) and w1\n(bits 127:64).", l.Row.Name))
	c.file.Add()
	c.decodeWord()
	c.decodeBasic()
	if c.format("ternary") {
		c.decodeTernary()
	}
	if c.format("send") {
		c.decodeSend("Send", "send", "s_")
	}
	if c.format("sends") {
		c.decodeSend("Sends", "sends", "ss_")
	}
	if c.format("branch") {
		c.decodeBranch()
	}
	if c.format("wait") {
		c.decodeWait()
	}
	if c.format("sync") {
		c.decodeSync()
	}
	return c.file, c.err
}

// decode writes a function of the decoder.
func (c *codec) decode(name string, info bool, body func(*block)) {
	more := ""
	if info {
		more = ", info *OpInfo"
	}
	c.function("decode"+name+c.name+"(p Platform, w0, w1 uint64, in *Inst"+more+") decodeProblem", body)
}

// flag returns an expression for whether a field is set.
func (c *codec) flag(field string) string { return c.get(field) + " != 0" }

// inByte returns an expression for a field as uint8.
func (c *codec) inByte(field string) string { return "uint8(" + c.get(field) + ")" }

// tell fails unless the word has a group's constants, if any distinguish it from others.
func (b *block) tell(group, problem string) {
	if b.told(group) {
		b.fail("!"+b.is(group), problem)
	}
}

// preds16 fails if words in access mode Align16, where each format has one mode, have no such predicate.
func (b *block) preds16(where string) {
	if !b.both() && b.only16() != "" {
		b.fail(where+"pred16Known[p]>>in.Pred&1 == 0", "unknownPred")
	}
}

func (c *codec) decodeWord() {
	c.decode("Word", false, func(b *block) {
		b.add("op := opOf[p][" + c.get("opcode") + "]")
		b.fail("op >= NumOps", "unknownOpcode")
		b.add("info := &Ops[op]")
		b.add("in.Op = op")
		if c.With("head", "swsb") {
			b.add("swsb, ok := swsbOf(waits" + c.name + "[:], info.Format, " + c.get("swsb") + ")")
			b.fail("!ok", "unknownSWSB")
			b.add("in.SWSB = swsb")
		}
		b.add("in.Breakpoint = " + c.flag("debug"))
		b.when("info.Format == FormatNop", func(b *block) { b.add(decoded) })
		b.tell("head", "unknownAccess")
		if c.both() {
			b.add("in.Align16 = " + c.flag("access_mode") + " && info.Format != FormatTernary")
		}
		if c.told("mode") {
			b.choose("", one{"info.Format == FormatTernary || info.Format == FormatMath && MathFn(mathOf(p, " + c.get("cond") +
				")).IsMacro()", func(*block) {}},
				gives("!"+c.is("mode"), "unknownAccess"))
		}
		b.decodeExec()
		b.decodeOptions()
		cases := []one{{"FormatBasic", func(b *block) { b.add("return decodeBasic" + c.name + "(p, w0, w1, in, info)") }}}
		if c.format("math") {
			cases = append(cases, one{"FormatMath", (*block).decodeMath})
		}
		for _, f := range formats {
			if c.format(f.name) {
				cases = append(cases, one{f.constant, func(b *block) {
					b.add("return decode" + f.function + c.name + "(p, w0, w1, in" + f.decodeArgs + ")")
				}})
			}
		}
		b.choose("info.Format", cases...)
		b.give("unknownOpcode")
	})
}

// decodeExec reads the number of lanes, and which of them run.
func (b *block) decodeExec() {
	b.fail("in.ExecSize = "+b.dec("exec_size", "exec_size")+"; in.ExecSize == noValue", "unknownExecSize")
	b.add(fmt.Sprintf("in.ChanOff = %s << %d", b.inByte("chan_off"), b.laneUnit()))
	b.add("in.Flag = " + b.inByte("flag"))
	if b.flags() {
		b.when("info.Format == FormatTernary", func(b *block) { b.add("in.Flag = " + b.inByte("t_flag")) })
	}
	align1 := func(b *block) {
		b.add("in.Pred = Pred(predOf(p, " + b.get("pred_ctrl") + "))")
		b.fail("predKnown[p]>>in.Pred&1 == 0", "unknownPred")
	}
	if b.both() {
		b.when("in.Align16 || "+b.only16(), func(b *block) {
			b.add("in.Pred = Pred(predOf16(p, " + b.get("pred_ctrl") + "))")
			b.fail("pred16Known[p]>>in.Pred&1 == 0", "unknownPred")
		}).Else().Block(b.block(align1)...)
	} else {
		align1(b)
	}
	b.add("in.PredInv = " + b.flag("pred_inv"))
	b.add("in.NoMask = " + b.flag("mask_ctrl"))
}

// decodeOptions reads the options about thread control and dependencies.
func (b *block) decodeOptions() {
	switch {
	case b.With("exec", "thread_ctrl"):
		cases := []one{none("0"), {b.codeOf("thread_ctrl", "atomic"), func(b *block) { b.add("in.Atomic = true") }}}
		if b.HasCode("thread_ctrl", "switch") {
			cases = append(cases, one{b.codeOf("thread_ctrl", "switch"), func(b *block) {
				b.fail("info.Format == FormatSend || info.Format == FormatSends", "unknownThread")
				b.add("in.Switch = true")
			}})
		}
		if b.HasCode("thread_ctrl", "no_preempt") {
			cases = append(cases, one{b.codeOf("thread_ctrl", "no_preempt"), func(b *block) { b.add("in.NoPreempt = true") }})
		}
		b.choose(b.get("thread_ctrl"), append(cases, gives("", "unknownThread"))...)
	case b.With("exec", "atomic"):
		b.add("in.Atomic = " + b.flag("atomic"))
	}
	if !b.group("dep") {
		return
	}
	b.when("info.Format != FormatSend && info.Format != FormatSends && info.Format != FormatSync", func(b *block) {
		if b.With("dep", "no_dd_clr") {
			b.add("in.NoDDClr = " + b.flag("no_dd_clr"))
		}
		if b.With("dep", "no_dd_chk") {
			b.add("in.NoDDChk = " + b.flag("no_dd_chk"))
		}
	})
}

func (b *block) decodeMath() {
	b.when("why := decodeBasic"+b.name+"(p, w0, w1, in, info); why != decodeOK", func(b *block) { b.add("return why") })
	if b.told("macro") {
		b.when("in.Math.IsMacro()", func(b *block) { b.add("in.Dst.HStride = 1 // which the word ignores") })
	}
	if n := b.macroUnit(); n > 0 {
		b.when("in.Math.IsMacro()", func(b *block) {
			for _, o := range []string{"Dst", "Src[0]", "Src[1]"} {
				b.add(fmt.Sprintf("in.%s.Sub >>= %d", o, n))
			}
		})
	}
	if b.group("macro") {
		b.fail("!in.mathDirect() || in.Math.IsMacro() && !in.macroOperands()", "unknownMacro")
	} else {
		b.fail("!in.mathDirect()", "unknownMacro")
	}
	if b.told("macro") {
		b.fail("in.Math.IsMacro() && !"+b.is("macro"), "unknownAccess")
	}
	b.preds16("in.Math.IsMacro() && ")
	b.add(decoded)
}

// decodePlace reads an operand of a basic instruction: register or address. Its
// variable is v, and its name is the prefix of its fields and groups.
func (b *block) decodePlace(v, name string, region bool) {
	b.choose("",
		one{b.is(name, "_ind"), func(b *block) {
			b.add(v + ".File, " + v + ".Indirect = FileGRF, true")
			b.add(v + ".AddrSub = " + b.inByte(name+"_addr_sub"))
			unit, _ := b.offset(name + "_addr_off")
			b.add(fmt.Sprintf("%s.AddrOff = fields.Signed(%s, %d) << %d", v, b.get(name+"_addr_off"), b.L.Width(name+"_addr_off"), unit))
		}},
		one{b.is(name), func(b *block) {
			if region {
				b.fail(v+".VStride == VStrideVxH", "unknownRegion")
			}
			b.file(v, "file", name+"_file")
			b.add(v + ".Sub = " + b.position(name+"_sub"))
			b.register(v, name+"_reg")
		}},
		gives("", "unknownFile"))
}

// mask16 reads the write mask of a destination in access mode Align16.
func (b *block) mask16(v string) {
	b.add(v + ".Mask = fields.MaskOf(" + b.inByte("dst_mask") + ")")
	b.fail(v+".Mask != 0 && in.ExecSize < 4", "unknownSwizzle")
}

// decodePlace16 reads an operand of a basic instruction in access mode Align16; group and ind are the groups of a register
// and of an address.
func (b *block) decodePlace16(v, name, group, ind string) {
	b.choose("",
		one{b.is(ind), func(b *block) {
			b.add(v + ".File, " + v + ".Indirect = FileGRF, true")
			b.add(v + ".AddrSub = " + b.inByte(name+"_addr_sub"))
			b.add(fmt.Sprintf("%s.AddrOff = int16(%s<<%d) >> %[3]d << 4", v, b.get(name+"_addr_off16"), 16-b.L.Width(name+"_addr_off16")))
		}},
		one{b.is(group), func(b *block) {
			b.file(v, "file", name+"_file")
			b.add(v + ".Sub = " + b.inByte(name+"_sub16") + " << 4")
			b.register(v, name+"_reg")
		}},
		gives("", "unknownFile"))
}

// file reads the file of an operand.
func (b *block) file(v, coding, field string) {
	b.fail(v+".File = File("+b.dec(coding, field)+"); "+v+".File == noValue", "unknownFile")
}

// register reads the register of an operand.
func (b *block) register(v, field string) {
	b.fail(v+".Reg = "+b.inByte(field)+"; !known(p, "+v+".File, "+v+".Reg)", "unknownReg")
}

// typ reads the type of an operand from one of the tables of types.
func (b *block) typ(v, table, code string) {
	b.fail(v+".Type = "+table+"[p]["+code+"]; "+v+".Type == TypeNone", "unknownType")
}

// result reads the fields of all instructions with a destination.
func (b *block) result() {
	if b.With("alu", "acc_wr") {
		b.add("in.AccWrEn = " + b.flag("acc_wr"))
	}
	b.add("in.Sat = info.Saturates(p) && " + b.flag("sat"))
}

func (c *codec) decodeBasic() {
	c.decode("Basic", true, func(b *block) {
		b.result()
		b.add("nsrc, cond := info.NumSrc, " + c.inByte("cond"))
		b.add("d := &in.Dst")
		b.typ("d", "typeCodeOf", c.get("dst_type"))
		b.fail("d.HStride = "+c.dec("hstride", "dst_hstride")+"; d.HStride == noValue", "unknownRegion")
		if c.both() {
			b.when("in.Align16", func(b *block) {
				b.mask16("d")
				b.decodePlace16("d", "dst", "dst16", "dst_ind16")
			}).Else().Block(b.block(func(b *block) { b.decodePlace("d", "dst", false) })...)
		} else {
			b.decodePlace("d", "dst", false)
		}
		b.when(c.is("src0_imm32"), func(b *block) {
			b.add("o := &in.Src[0]")
			b.add("o.File = FileImm")
			b.typ("o", "typeImmOf", c.get("src0_type"))
			cases := []one{{"2", func(b *block) { b.add("o.Imm = " + c.get("imm32") + " & 0xFFFF") }}}
			if c.group("src0_imm64") {
				cases = append(cases, one{"8", func(b *block) {
					b.add("o.Imm = " + c.get("imm64"))
					if c.L.Overlap("cond", "imm64") {
						b.add("cond = 0")
					}
				}})
			}
			b.choose("types[o.Type].size", append(cases, one{"", func(b *block) { b.add("o.Imm = " + c.get("imm32")) }})...)
			b.fail("nsrc != 1 && info.Format != FormatMath", "twoImmediates")
		})
		b.when("info.Format == FormatMath", func(b *block) {
			b.fail("cond = uint8(mathOf(p, uint64(cond))); mathKnown[p]>>cond&1 == 0", "unknownMath")
			b.add("in.Math = MathFn(cond)")
			b.add("nsrc = mathSrcs[cond]")
			b.fail("in.Src[0].File == FileImm && nsrc != 1", "twoImmediates")
		}).Else().Add(emit.If("info.CanCMod", c.block(func(b *block) {
			b.fail("cond = uint8(cmodOf(p, uint64(cond))); cmodKnown[p]>>cond&1 == 0", "unknownCMod")
			b.add("in.CMod = CMod(cond)")
		})...))
		b.when("in.Src[0].File == FileImm", func(b *block) { b.add(decoded) })
		b.scope(func(b *block) { b.decodeSource("0") })
		b.when("nsrc < 2", func(b *block) { b.add(decoded) })
		b.scope(func(b *block) { b.decodeSource("1") })
		b.add(decoded)
	})
}

// modifiers reads the modifiers of a source.
func (b *block) modifiers(src string) {
	b.add("o.Abs = " + b.flag(src+"_abs"))
	b.add("o.Neg = " + b.flag(src+"_neg"))
	b.fail("(o.Neg || o.Abs) && !info.SrcMods", "unknownMods")
}

// decodeSource reads a source of a basic instruction.
func (b *block) decodeSource(n string) {
	src := "src" + n
	b.add("o := &in.Src[" + n + "]")
	if n == "1" {
		b.when(b.is("src1_imm32"), func(b *block) {
			b.add("o.File = FileImm")
			b.add("o.Type = typeImmOf[p][" + b.get("src1_type") + "]")
			b.fail("o.Type == TypeNone || types[o.Type].size == 8", "unknownType")
			b.add("o.Imm = " + b.get("imm32"))
			b.when("types[o.Type].size == 2", func(b *block) { b.add("o.Imm &= 0xFFFF") })
			b.add(decoded)
		})
	}
	b.typ("o", "typeCodeOf", b.get(src+"_type"))
	b.modifiers(src)
	if b.both() {
		b.when("in.Align16", func(b *block) { b.decodeSource16(src) }).Else().Block(b.block(func(b *block) { b.decodeRegion(src) })...)
	} else {
		b.decodeRegion(src)
	}
}

// decodeRegion reads the region and the place of a source.
func (b *block) decodeRegion(src string) {
	b.add("o.HStride = " + b.dec("hstride", src+"_hstride"))
	b.add("o.Width = " + b.dec("width", src+"_width"))
	b.add("o.VStride = " + b.dec("vstride", src+"_vstride"))
	b.fail("o.HStride == noValue || o.Width == noValue || o.VStride == noValue", "unknownRegion")
	b.decodePlace("o", src, true)
}

// decodeSource16 reads the rows, the swizzle and the place of a source in access mode Align16.
func (b *block) decodeSource16(src string) {
	b.add("o.Width, o.HStride = 4, 1")
	b.fail("o.VStride = "+b.dec("vstride", src+"_vstride")+"; o.VStride == noValue || o.VStride == VStrideVxH", "unknownRegion")
	b.add("o.Swizzle = fields.Swizzle(" + b.get(src+"_swizzle") + ") ^ fields.Identity")
	b.fail("o.Swizzle != 0 && in.ExecSize < 4", "unknownSwizzle")
	b.decodePlace16("o", src, src+"_16", src+"_ind16")
}

func (c *codec) decodeTernary() {
	c.decode("Ternary", true, func(b *block) {
		b.tell("ternary", "unknownAccess")
		b.preds16("")
		b.result()
		b.when("info.CanCMod", func(b *block) {
			b.fail("in.CMod = CMod(cmodOf(p, "+c.get("cond")+")); cmodKnown[p]>>in.CMod&1 == 0", "unknownCMod")
		})
		if c.group("ternary_table") {
			b.when("info.Table", func(b *block) {
				if c.told("ternary_table") {
					b.fail("!"+c.is("ternary_table"), "unknownCMod")
				}
				b.add("in.Table = " + c.inByte("t_table"))
			})
		}
		if c.With("ternary", "t_class") {
			b.add("class := " + c.get("t_class") + " << 3")
		} else {
			b.add("const class = 0")
		}
		b.add("d := &in.Dst")
		b.typ("d", "typeTernaryOf", "class|"+c.get("t_dst_type"))
		if c.With("ternary", "t_dst_hstride") {
			b.fail("d.HStride = "+c.dec("t_dst_hstride", "t_dst_hstride")+"; d.HStride == noValue", "unknownRegion")
		} else {
			b.add("d.HStride = 1")
		}
		if c.With("ternary", "t_dst_file") {
			b.file("d", "t_dst_file", "t_dst_file")
		} else {
			b.add("d.File = FileGRF")
		}
		b.add("d.Sub = " + c.position("t_dst_sub"))
		if c.With("ternary", "t_dst_mask") {
			b.add("d.Mask = fields.MaskOf(" + c.inByte("t_dst_mask") + ")")
		}
		b.register("d", "t_dst_reg")
		for _, n := range []string{"0", "1", "2"} {
			b.scope(func(b *block) { b.decodeTernarySource(n) })
		}
		if c.With("ternary", "t_dst_mask") {
			b.fail("!in.foldLane() && (in.ExecSize == 1 || !in.inFours())", "unknownSwizzle")
		}
		b.add(decoded)
	})
}

// decodeTernarySource reads a source of a three-source instruction.
func (b *block) decodeTernarySource(n string) {
	group, src := "ternary_src"+n, "t_src"+n
	b.add("o := &in.Src[" + n + "]")
	if b.With(group, src+"_type") {
		b.typ("o", "typeTernaryOf", "class|"+b.get(src+"_type"))
	} else {
		b.shared(src)
	}
	register := func(b *block) { b.decodeTernaryRegister(n) }
	if n == "1" || !b.group(group, "_imm") {
		b.scope(register)
		return
	}
	b.when(b.is(group, "_imm"), func(b *block) {
		b.fail("types[o.Type].size != 2", "unknownType")
		b.add("o.File = FileImm")
		b.add("o.Imm = " + b.get(src+"_value"))
	}).Else().Block(b.block(register)...)
}

// shared reads the type of a source that has the type of source 0, or is a half float.
func (b *block) shared(src string) {
	if b.L.Has(src + "_half") {
		b.add("o.Type = in.shared(" + b.flag(src+"_half") + ")")
	} else {
		b.add("o.Type = in.Src[0].Type")
	}
}

// decodeTernaryRegister reads a source that is a register.
func (b *block) decodeTernaryRegister(n string) {
	group, src := "ternary_src"+n, "t_src"+n
	if b.With(group, src+"_file") {
		b.file("o", src+"_file", src+"_file")
	} else {
		b.add("o.File = FileGRF")
	}
	if b.group("ternary_table") {
		b.when("!info.Table", func(b *block) { b.modifiers(src) })
	} else {
		b.modifiers(src)
	}
	if b.group(group, "_scalar") {
		b.when(b.is(group), func(b *block) {
			if n == "2" {
				b.add(fmt.Sprintf("o.HStride = %d", b.L.V.VecRegion[1]))
			} else {
				b.add(fmt.Sprintf("o.VStride, o.HStride = %d, %d", b.L.V.VecRegion[0], b.L.V.VecRegion[1]))
			}
			if b.With(group, src+"_swizzle") {
				b.add("o.Swizzle = fields.Swizzle(" + b.get(src+"_swizzle") + ") ^ fields.Identity")
			}
		})
	} else {
		b.add("o.HStride = " + b.dec("hstride", src+"_hstride"))
		if n != "2" {
			b.add("o.VStride = " + b.dec("t_vstride", src+"_vstride"))
		}
		b.fail("o.HStride == noValue || o.VStride == noValue", "unknownRegion")
	}
	b.add("o.Sub = " + b.position(src+"_sub"))
	b.register("o", src+"_reg")
}

// besideRegisterOf decodes the bits of an extended descriptor that words have although it is in a register.
func (b *block) besideRegisterOf(group, prefix string) {
	if !b.With(group, prefix+"exbso") {
		return
	}
	if b.With(group, prefix+"ex_high") {
		b.add("in.ExDesc = uint32(" + b.get(prefix+"ex_high") + ")<<19 | uint32(" + b.get(prefix+"ex_low") + ")<<11")
	}
	b.add("in.ExBSO = " + b.flag(prefix+"exbso"))
	if len(b.L.V.WordLen) > 0 {
		b.when("p.LengthInWord(in.SFID)", func(b *block) {
			b.add("in.ExDesc |= uint32(" + b.get(prefix+"exbso") + ") << 15")
			b.add("in.ExBSO = true")
		})
	}
	b.when("in.ExBSO", func(b *block) { b.add("in.ExDesc |= uint32(" + b.get(prefix+"src1_len") + ") << 6") })
}

// decodeSend writes the decoder of messages of one or two payloads; group and prefix
// are the prefixes of their groups and fields.
func (c *codec) decodeSend(name, group, prefix string) {
	c.decode(name, false, func(b *block) {
		if c.both() && group == "send" {
			b.when("in.Align16", func(b *block) {
				b.tell(group+"16", "unknownOption")
				b.mask16("in.Dst")
			}).Else().Block(c.block(func(b *block) { b.tell(group, "unknownOption") })...)
		} else {
			b.tell(group, "unknownOption")
		}
		b.fail("in.SFID = SFID(sfidOf(p, "+c.get("cond")+")); sfidKnown[p]>>in.SFID&1 == 0", "unknownSFID")
		b.add("in.EOT = " + c.flag("eot"))
		b.add("d, s0 := &in.Dst, &in.Src[0]")
		b.file("d", "file", prefix+"dst_file")
		b.register("d", prefix+"dst_reg")
		if c.With(group, prefix+"dst_type") {
			b.typ("d", "typeCodeOf", c.get(prefix+"dst_type"))
		}
		if c.With(group, prefix+"src0_file") {
			b.file("s0", "file", prefix+"src0_file")
		} else {
			b.add("s0.File = FileGRF")
		}
		b.register("s0", prefix+"src0_reg")
		if c.With(group, prefix+"src0_type") {
			b.typ("s0", "typeCodeOf", c.get(prefix+"src0_type"))
		}
		if c.second(group, prefix) {
			b.add("s1 := &in.Src[1]")
			b.file("s1", "file", prefix+"src1_file")
			b.register("s1", prefix+"src1_reg")
		}
		b.choose("",
			one{c.is(group, "_desc_reg"), func(b *block) { b.add("in.DescReg = true") }},
			one{c.is(group, "_desc"), func(b *block) { b.add("in.Desc = uint32(" + c.get(prefix+"desc") + ")") }},
			gives("", "unknownDesc"))
		if c.group(group, "_exdesc_reg") {
			b.when(c.is(group, "_exdesc_reg"), func(b *block) {
				b.add("in.ExDescReg = true")
				b.add("in.ExDescSub = " + c.inByte(prefix+"exdesc_sub"))
				b.besideRegisterOf(group+"_exdesc_reg", prefix)
				b.add(decoded)
			})
		}
		for _, x := range []struct{ field, how, shift string }{{"exdesc", "=", "6"}, {"ex_imm", "|=", "16"}, {"ex_len", "|=", "6"}} {
			if c.With(group+"_exdesc", prefix+x.field) {
				b.add("in.ExDesc " + x.how + " uint32(" + c.get(prefix+x.field) + ") << " + x.shift)
			}
		}
		b.add(decoded)
	})
}

// operand returns an expression for an operand of a branch; sub is the field of its subregister.
func (c *codec) operand(name, sub string) string {
	return "Operand{File: File(" + c.dec("file", name+"_file") + "), Reg: " + c.inByte(name+"_reg") + ", Sub: " +
		c.position(sub) + "}"
}

func (c *codec) decodeBranch() {
	c.decode("Branch", true, func(b *block) {
		if c.With("branch", "branch_ctrl") {
			b.add("in.BranchCtrl = info.BranchCtrl && " + c.flag("branch_ctrl"))
		}
		reg := "targets1"
		if c.group("far_target") {
			reg = "far_target"
			b.fail("in.Align16 && (info.Targets == 0 || far"+c.name+"[in.Op] || !"+c.is("targets16")+")", "unknownAccess")
		}
		b.when("info.HasDst", func(b *block) {
			b.add("in.Dst = " + c.operand("dst", "link_sub"))
			b.fail("in.Dst.File == noValue", "unknownFile")
			b.fail("!known(p, in.Dst.File, in.Dst.Reg)", "unknownReg")
		})
		b.when("info.Targets == 0", func(b *block) {
			b.tell("return", "unknownRegion")
			b.add("in.Src[0] = " + c.operand("src0", "src0_sub"))
		}).Else().Add(emit.If("info.RegTarget && !"+c.is(reg), emit.Go("in.Src[0] = "+c.operand("b", "b_sub"))))
		b.choose("in.Src[0].File",
			none("FileNone"),
			gives("noValue", "unknownFile"),
			one{"", func(b *block) {
				b.fail("!known(p, in.Src[0].File, in.Src[0].Reg)", "unknownReg")
				b.add(decoded)
			}})
		origin := ""
		if len(c.L.V.FromNext) > 0 {
			origin = " + origin" + c.name + "[in.Op]"
		}
		if c.group("far_target") {
			b.when("far"+c.name+"[in.Op]", func(b *block) {
				b.add("in.JIP = " + c.distance("far_jip", 1) + origin)
				b.add(decoded)
			})
			origin = ""
		}
		b.add("in.JIP = " + c.distance("jip", c.L.V.BranchUnit) + origin)
		b.when(c.targets()+" == 2", func(b *block) { b.add("in.UIP = " + c.distance("uip", c.L.V.BranchUnit)) })
		b.add(decoded)
	})
}

// distance returns an expression for a distance in bytes, of a field that holds units.
func (c *codec) distance(field string, unit int) string {
	text := "int32(uint32(" + c.get(field) + "))"
	if w := c.L.Width(field); w < 32 {
		text = fmt.Sprintf("int32(uint32(%s)<<%d)>>%[2]d", c.get(field), 32-w)
	}
	if unit > 1 {
		text += fmt.Sprintf(" * %d", unit)
	}
	return text
}

func (c *codec) decodeWait() {
	c.decode("Wait", false, func(b *block) {
		b.tell("wait", "unknownRegion")
		b.add("in.Src[0] = Operand{File: FileARF, Type: TypeUD, Reg: " + c.inByte("src0_reg") + ", Sub: " + c.inByte("src0_sub") + "}")
		b.fail("!known(p, FileARF, in.Src[0].Reg)", "unknownReg")
		b.add(decoded)
	})
}

// syncWithoutImm is the condition that a sync cannot have an immediate.
func (c *codec) syncWithoutImm() string {
	if c.L.V.Barriers {
		return "!in.Sync.TakesMask() && in.Sync != SyncBar"
	}
	return "!in.Sync.TakesMask()"
}

func (c *codec) decodeSync() {
	c.decode("Sync", false, func(b *block) {
		b.fail("in.Sync = SyncFn(syncOf(p, "+c.get("cond")+")); syncKnown[p]>>in.Sync&1 == 0", "unknownSync")
		b.choose("",
			one{c.is("sync_imm"), func(b *block) {
				b.fail(c.syncWithoutImm()+" || typeImmOf[p]["+c.get("src0_type")+"] != TypeUD", "unknownType")
				b.add("in.Src[0] = Operand{File: FileImm, Type: TypeUD, Imm: " + c.get("imm32") + "}")
			}},
			one{c.is("sync_null"), func(b *block) { b.add("in.Src[0] = Operand{File: FileARF, Reg: ARFNull}") }},
			gives("", "unknownFile"))
		b.add(decoded)
	})
}
