// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"
	mathbits "math/bits"

	"jacquard.example/core/bits"
	"jacquard.example/generated/isa"
)

// Violation is one broken restriction.
type Violation struct {
	Offset int    // byte address of the instruction
	Rule   string // name of the restriction in the tables
	Msg    string
}

func (v Violation) String() string {
	return fmt.Sprintf("%#x: %s: %s", v.Offset, v.Rule, v.Msg)
}

// inst is an instruction in the form that the checks use.
type inst struct {
	isa.Inst
	p      isa.Platform
	info   *isa.OpInfo
	pc     int
	starts bits.Set // 8-byte slots where instructions begin, and the end
	end    int      // size of the program in bytes
}

// check returns a description of a violation, or "".
type check func(*inst) string

// Check returns all violations in a program, in the order of its instructions. It stops at an undecodable word,
// since the start of the next instruction is unknown.
func Check(p isa.Platform, code []byte) []Violation {
	var out []Violation
	starts := bits.NewSet(len(code)/8 + 1)
	in := inst{p: p, starts: starts, end: len(code)}
	for pass := range 2 { // first find the starts of instructions, then check
		ended := false // the thread has ended, and zeros may follow
		for pc := 0; pc < len(code); {
			if rest := code[pc:]; isZero(rest) && (ended || len(rest) < isa.InstSize) {
				break
			}
			var err error
			in.Inst, err = isa.Decode(p, code[pc:])
			if err != nil {
				if pass == 1 {
					out = append(out, Violation{pc, "decodable", err.Error()})
				}
				break
			}
			ended = in.EOT
			if pass == 0 {
				starts.Add(pc / 8)
			} else {
				in.pc, in.info = pc, &isa.Ops[in.Op]
				out = in.violations(out)
			}
			pc += int(in.Size)
		}
	}
	return out
}

// isZero reports whether code consists of zeros, which compilers use as padding.
func isZero(code []byte) bool {
	for _, c := range code {
		if c != 0 {
			return false
		}
	}
	return true
}

func (in *inst) violations(out []Violation) []Violation {
	props := in.props()
	for i := range isa.Restrictions {
		r := &isa.Restrictions[i]
		if !r.Concerns(in.p, in.Op) {
			continue
		}
		msg := ""
		switch {
		case r.Need != 0 && mathbits.OnesCount16(uint16(props&r.Need)) != 1:
			msg = r.Doc
		case props&r.Forbid != 0:
			msg = r.Doc
		case r.Check != "":
			msg = checks[i](in)
		}
		if msg != "" {
			out = append(out, Violation{in.pc, r.ID, msg})
		}
	}
	return out
}

func (in *inst) props() isa.Prop {
	var p isa.Prop
	set := func(on bool, prop isa.Prop) {
		if on {
			p |= prop
		}
	}
	set(in.Pred != isa.PredNone, isa.PropPred)
	set(in.CMod != isa.CModNone, isa.PropCmod)
	set(in.Sat, isa.PropSat)
	set(in.AccWrEn, isa.PropAccWr)
	set(in.NoDDClr || in.NoDDChk, isa.PropNoDd)
	set(in.Dst.Indirect, isa.PropIndirect)
	for i := range in.Src {
		set(in.Src[i].Neg, isa.PropNeg)
		set(in.Src[i].Abs, isa.PropAbs)
		set(in.Src[i].Indirect, isa.PropIndirect)
	}
	return p
}

// checks are the functions of isa.Restrictions by index, or nil for rows that need none.
var checks = func() (out [len(isa.Restrictions)]check) {
	for i := range isa.Restrictions {
		if name := isa.Restrictions[i].Check; name != "" {
			out[i] = named[name]
		}
	}
	return out
}()

// named are the checks by their names in the tables.
var named = map[string]check{
	"no64Bit":            no64Bit,
	"types":              types,
	"grfRange":           grfRange,
	"twoRegisters":       twoRegisters,
	"subregisterAligned": subregisterAligned,
	"widthExceedsExec":   widthExceedsExec,
	"vstrideOfOneRow":    vstrideOfOneRow,
	"widthOneHStride":    widthOneHStride,
	"scalarVStride":      scalarVStride,
	"zeroStridesWidth":   zeroStridesWidth,
	"rowCrosses":         rowCrosses,
	"dstStrideZero":      dstStrideZero,
	"dstHalves":          dstHalves,
	"dstStrideExecType":  dstStrideExecType,
	"dstSubExecType":     dstSubExecType,
	"packedByteDst":      packedByteDst,
	"byteSource":         byteSource,
	"channelOffset":      channelOffset,
	"flagRange":          flagRange,
	"noDDPredicate":      noDDPredicate,
	"halfIntConversion":  halfIntConversion,
	"halfFloatDst":       halfFloatDst,
	"mixedFloatLanes":    mixedFloatLanes,
	"mixedFloatIndirect": mixedFloatIndirect,
	"alignedFloats":      alignedFloats,
	"mulDwordDword":      mulDwordDword,
	"mulDwordFirst":      mulDwordFirst,
	"mulDwordSatCmod":    mulDwordSatCmod,
	"mulWordMods":        mulWordMods,
	"mulAcc":             mulAcc,
	"madDwordDword":      madDwordDword,
	"dp4aAcc":            dp4aAcc,
	"logicCmod":          logicCmod,
	"intDivideMods":      intDivideMods,
	"intDivideLanes":     intDivideLanes,
	"mathTypes":          mathTypes,
	"controlSwitch":      controlSwitch,
	"mathGeneral":        mathGeneral,
	"mathHalfScalar":     mathHalfScalar,
	"src1General":        src1General,
	"vectorImmDst":       vectorImmDst,
	"sendLanes":          sendLanes,
	"sendLanesXe2":       sendLanesXe2,
	"sendPayloadFile":    sendPayloadFile,
	"sendMlen":           sendMlen,
	"sendRange":          sendRange,
	"sendOverlap":        sendOverlap,
	"sendLastRegister":   sendLastRegister,
	"vectorsAligned":     vectorsAligned,
	"oneLaneOfFour":      oneLaneOfFour,
	"vectorsDstStride":   vectorsDstStride,
	"vectorsRows":        vectorsRows,
	"cmpNullSwitch":      cmpNullSwitch,
	"mathImmediate":      mathImmediate,
	"planeCoordinates":   planeCoordinates,
	"planeScalar":        planeScalar,
	"sendNullDst":        sendNullDst,
	"sendFloatAtomic":    sendFloatAtomic,
	"eotRegisters":       eotRegisters,
	"eotDst":             eotDst,
	"targetExtended":     targetExtended,
	"targetOrder":        targetOrder,
	"targetLanes":        targetLanes,
	"targetLanesXe2":     targetLanesXe2,
	"urbHeader":          urbHeader,
	"urbLanes":           urbLanes,
	"urbPairs":           urbPairs,
	"branchTarget":       branchTarget,
	"decodable":          decodable,
}
