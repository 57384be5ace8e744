// SPDX-License-Identifier: MIT

// Package isatext assembles and disassembles EU instructions in iga64's syntax: [Assemble]
// turns a program into machine code, [Disassemble] turns machine code into text that
// assembles to the same bytes, and [Append] writes one instruction. It reads the names,
// types and codes of generated/isa, which encodes and decodes the words.
package isatext

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// Error is a mistake in assembly text. Line and Col count from 1.
type Error struct {
	Line, Col int
	Msg       string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// Assemble assembles text in iga64's syntax into machine code: one instruction per line or separated by
// semicolons, labels as "name:", comments as // and /* */. Every instruction is encoded in its full form; the
// option Compacted is accepted and ignored. The target of a branch is a label or a number of bytes from the
// branch.
func Assemble(p isa.Platform, text string) (code []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			code, err = nil, e
		}
	}()
	a := &assembler{p: p, text: text, line: 1, labels: map[string]int{}}
	a.program()
	return a.finish(), nil
}

// assembler is the state of one run: the scanner's position, the instructions so far, and the labels that
// branches refer to. Errors are panics with an *Error, which Assemble recovers.
type assembler struct {
	p      isa.Platform
	text   string
	pos    int
	line   int
	bol    int // start of the line
	insts  []placedInst
	labels map[string]int // byte offset of each label
}

// placedInst is an instruction with its position and unresolved targets.
type placedInst struct {
	in   isa.Inst
	at   mark
	to   [2]string // names of the labels of JIP and UIP, empty once resolved
	toAt [2]mark
}

type mark struct{ line, col int }

func (a *assembler) here() mark { return mark{a.line, a.pos - a.bol + 1} }

func (a *assembler) fail(m mark, format string, args ...any) {
	panic(&Error{m.line, m.col, fmt.Sprintf(format, args...)})
}

// skip skips blanks and comments, and line ends if lines is set.
func (a *assembler) skip(lines bool) {
	for a.pos < len(a.text) {
		switch c := a.text[a.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || lines && c == ';':
			a.pos++
		case c == '\n' && lines:
			a.pos++
			a.line++
			a.bol = a.pos
		case strings.HasPrefix(a.text[a.pos:], "//"):
			for a.pos < len(a.text) && a.text[a.pos] != '\n' {
				a.pos++
			}
		case strings.HasPrefix(a.text[a.pos:], "/*"):
			m := a.here()
			end := strings.Index(a.text[a.pos+2:], "*/")
			if end < 0 {
				a.fail(m, "comment without an end")
			}
			for ; end+4 > 0; end-- {
				if a.text[a.pos] == '\n' {
					a.line++
					a.bol = a.pos + 1
				}
				a.pos++
			}
		default:
			return
		}
	}
}

// peek returns the next character after blanks, or 0 at the end of the statement.
func (a *assembler) peek() byte {
	a.skip(false)
	if a.pos >= len(a.text) || a.text[a.pos] == '\n' || a.text[a.pos] == ';' {
		return 0
	}
	return a.text[a.pos]
}

// accept skips s if it is next.
func (a *assembler) accept(s string) bool {
	a.skip(false)
	if strings.HasPrefix(a.text[a.pos:], s) {
		a.pos += len(s)
		return true
	}
	return false
}

func (a *assembler) expect(s string) {
	if !a.accept(s) {
		a.fail(a.here(), "expected %q", s)
	}
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// word parses a possibly empty sequence of letters, digits and underscores.
func (a *assembler) word() string {
	a.skip(false)
	start := a.pos
	for a.pos < len(a.text) && isWord(a.text[a.pos]) {
		a.pos++
	}
	return a.text[start:a.pos]
}

// number parses an unsigned decimal or hexadecimal integer up to limit.
func (a *assembler) number(what string, limit uint64) uint64 {
	a.skip(false)
	m := a.here()
	w := a.word()
	v, ok := parseUint(w)
	if !ok {
		a.fail(m, "expected %s", what)
	}
	if v > limit {
		a.fail(m, "%s %s is larger than %d", what, w, limit)
	}
	return v
}

// parseUint parses a decimal, hexadecimal (0x) or binary (0b) number.
func parseUint(w string) (uint64, bool) {
	base := uint64(10)
	if len(w) > 2 && w[0] == '0' {
		switch w[1] {
		case 'x', 'X':
			base, w = 16, w[2:]
		case 'b', 'B':
			base, w = 2, w[2:]
		}
	}
	if w == "" {
		return 0, false
	}
	var v uint64
	for i := 0; i < len(w); i++ {
		var d uint64
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			d = uint64(c - '0')
		case c >= 'a' && c <= 'f':
			d = uint64(c-'a') + 10
		case c >= 'A' && c <= 'F':
			d = uint64(c-'A') + 10
		default:
			return 0, false
		}
		if d >= base || v > (1<<64-1-d)/base {
			return 0, false
		}
		v = v*base + d
	}
	return v, true
}

func (a *assembler) program() {
	for {
		a.skip(true)
		if a.pos >= len(a.text) {
			return
		}
		if a.label() {
			continue
		}
		a.statement()
		if a.peek() != 0 {
			a.fail(a.here(), "unexpected %q after the instruction", a.text[a.pos:a.pos+1])
		}
	}
}

// label parses "name:" if it is next.
func (a *assembler) label() bool {
	save, m := a.pos, a.here()
	name := a.word()
	if name == "" || a.pos >= len(a.text) || a.text[a.pos] != ':' {
		a.pos = save
		return false
	}
	a.pos++
	if _, dup := a.labels[name]; dup {
		a.fail(m, "label %s occurs twice", name)
	}
	a.labels[name] = len(a.insts) * isa.InstSize
	return true
}

// finish resolves labels and encodes the instructions.
func (a *assembler) finish() []byte {
	code := make([]byte, len(a.insts)*isa.InstSize)
	for i := range a.insts {
		pi := &a.insts[i]
		for k, dst := range []*int32{&pi.in.JIP, &pi.in.UIP} {
			if pi.to[k] == "" {
				continue
			}
			at, ok := a.labels[pi.to[k]]
			if !ok {
				a.fail(pi.toAt[k], "undefined label %s", pi.to[k])
			}
			if pi.in.Op != isa.OpCalla {
				at -= i * isa.InstSize
			}
			*dst = int32(at)
		}
		if err := isa.Encode(a.p, &pi.in, code[i*isa.InstSize:]); err != nil {
			a.fail(pi.at, "%v", err)
		}
	}
	return code
}

// statement parses one instruction.
func (a *assembler) statement() {
	pi := placedInst{at: a.here()}
	in := &pi.in
	in.ExecSize = 1
	hasPred := a.predicate(in)
	a.skip(false)
	m := a.here()
	name := a.word()
	op, ok := isa.OpByName(name)
	if !ok || !isa.Ops[op].Exists(a.p) {
		a.fail(m, "unknown mnemonic %q", name)
	}
	in.Op = op
	info := &isa.Ops[op]
	if hasPred && !info.CanPred {
		a.fail(m, "%s cannot be predicated", name)
	}
	a.suffix(in, info)
	if info.Format == isa.FormatNop {
		in.ExecSize = 0
		a.options(in)
		a.add(&pi)
		return
	}
	if hasLanes(info) || info.Format == isa.FormatWait && a.peek() == '(' {
		a.execution(in)
	}
	switch info.Format {
	case isa.FormatBasic, isa.FormatMath, isa.FormatTernary:
		a.alu(in, info)
	case isa.FormatSend, isa.FormatSends:
		a.send(in, info)
	case isa.FormatWait:
		a.wait(in)
	case isa.FormatBranch:
		a.branch(&pi, info)
	case isa.FormatSync:
		a.sync(in)
	}
	a.options(in)
	a.add(&pi)
}

// maxInsts limits the instructions of a program: each takes some hundred bytes until all labels are known.
const maxInsts = 1 << 20

func (a *assembler) add(pi *placedInst) {
	if len(a.insts) == maxInsts {
		a.fail(pi.at, "the program has more than %d instructions", maxInsts)
	}
	a.insts = append(a.insts, *pi)
}

// predicate parses "(W)", "(f0.0)" or "(W&~f1.0.any4h)", if present, and reports whether a flag was named.
func (a *assembler) predicate(in *isa.Inst) bool {
	if !a.accept("(") {
		return false
	}
	if a.accept("W") {
		in.NoMask = true
		if a.accept(")") {
			return false
		}
		a.expect("&")
	}
	in.PredInv = a.accept("~")
	in.Flag = a.flag()
	in.Pred = isa.PredNormal
	if a.accept(".") {
		m := a.here()
		w := a.word()
		pred, ok := isa.PredByName(a.p, w)
		if !ok {
			a.fail(m, "unknown predicate %q", w)
		}
		in.Pred = pred
	}
	a.expect(")")
	return true
}

func (a *assembler) flag() uint8 {
	a.expect("f")
	r := a.number("flag register", uint64(isa.ARFCounts[a.p][isa.ARFF0>>4]-1))
	a.expect(".")
	return uint8(r<<1 | a.number("flag subregister", 1))
}

func indexOf(names []string, s string) int {
	for i, n := range names {
		if n == s {
			return i
		}
	}
	return -1
}

// suffix parses the part of the mnemonic after the dot: a function or .b.
func (a *assembler) suffix(in *isa.Inst, info *isa.OpInfo) {
	dot := a.pos < len(a.text) && a.text[a.pos] == '.'
	if dot {
		a.pos++
	}
	m := a.here()
	switch info.Format {
	case isa.FormatMath:
		in.Math = suffix(a, dot, isa.MathByName, "math function")
	case isa.FormatSync:
		in.Sync = suffix(a, dot, isa.SyncByName, "sync function")
	case isa.FormatSend, isa.FormatSends:
		if a.p.Words().WholeExDesc {
			break
		}
		in.SFID = suffix(a, dot, isa.SFIDByName, "shared function")
	case isa.FormatTernary:
		if info.Table {
			if !dot {
				a.fail(m, "expected .table")
			}
			in.Table = uint8(a.number("table", 255))
			break
		}
		fallthrough
	default:
		if !dot {
			return
		}
		if w := a.word(); w != "b" || !info.BranchCtrl {
			a.fail(m, "unknown suffix .%s", w)
		}
		in.BranchCtrl = true
	}
}

// suffix parses the name of a function, which requires a dot.
func suffix[T any](a *assembler, dot bool, byName func(isa.Platform, string) (T, bool), what string) T {
	m := a.here()
	if !dot {
		a.fail(m, "expected .%s", what)
	}
	w := a.word()
	x, ok := byName(a.p, w)
	if !ok {
		a.fail(m, "unknown %s %q", what, w)
	}
	return x
}

// execution parses "(8|M0)".
func (a *assembler) execution(in *isa.Inst) {
	a.expect("(")
	m := a.here()
	n := a.number("execution size", 32)
	if n == 0 || n&(n-1) != 0 {
		a.fail(m, "execution size %d is not a power of two", n)
	}
	in.ExecSize = uint8(n)
	if a.accept("|") {
		a.expect("M")
		m := a.here()
		c := a.number("channel offset", 28)
		if c%4 != 0 {
			a.fail(m, "channel offset %d is not a multiple of 4", c)
		}
		in.ChanOff = uint8(c)
	}
	a.expect(")")
}

// options parses "{EOT,@1,$2.dst}".
func (a *assembler) options(in *isa.Inst) {
	if !a.accept("{") {
		return
	}
	var dist, tok int
	use, pipe := fields.TokenNone, fields.PipeOwn
	start := a.here()
	for !a.accept("}") {
		a.skip(false)
		m := a.here()
		switch {
		case a.distance(&pipe):
			if dist != 0 {
				a.fail(m, "an instruction has at most one distance")
			}
			if dist = int(a.number("distance", fields.MaxDist)); dist == 0 {
				a.fail(m, "a distance must be at least 1")
			}
		case a.accept("$"):
			if use != fields.TokenNone {
				a.fail(m, "an instruction has at most one token")
			}
			tok, use = int(a.number("token", a.lastToken())), fields.TokenSet
			if a.accept(".dst") {
				use = fields.TokenDst
			} else if a.accept(".src") {
				use = fields.TokenSrc
			}
		default:
			a.option(in, m, a.word())
		}
		if !a.accept(",") && a.peek() != '}' {
			a.fail(a.here(), "expected , or }")
		}
	}
	s, msg := fields.MakeSWSB(a.p.OutOfOrder(in.Op), pipe, dist, tok, use)
	if msg != "" {
		a.fail(start, "%s", msg)
	}
	if !a.p.Waits(in.Op, s) {
		a.fail(start, "this distance and token do not fit in one field; use a sync.nop")
	}
	in.SWSB = s
}

// distance skips "@", and the letter of a pipe before it, if they are next.
func (a *assembler) distance(pipe *fields.Pipe) bool {
	if a.accept("@") {
		return true
	}
	for p := fields.PipeOwn + 1; p < fields.NumPipes; p++ {
		if a.accept(p.String() + "@") {
			*pipe = p
			return true
		}
	}
	return false
}

func (a *assembler) option(in *isa.Inst, m mark, name string) {
	info := &isa.Ops[in.Op]
	if slices.Contains(a.p.Words().Lacks, name) {
		a.fail(m, "%s has no option %s", a.p, name)
	}
	switch name {
	case "AccWrEn":
		if info.Format != isa.FormatBasic && info.Format != isa.FormatTernary && info.Format != isa.FormatMath {
			a.fail(m, "%s has no AccWrEn", info.Name)
		}
		in.AccWrEn = true
	case "Align16":
		in.Align16 = true
	case "Atomic":
		in.Atomic = true
	case "Breakpoint":
		in.Breakpoint = true
	case "NoDDChk":
		in.NoDDChk = true
	case "NoDDClr":
		in.NoDDClr = true
	case "NoPreempt":
		in.NoPreempt = true
	case "Switch":
		in.Switch = true
	case "EOT":
		if info.Format != isa.FormatSend && info.Format != isa.FormatSends {
			a.fail(m, "only sends can end a thread")
		}
		in.EOT = true
	case "ExBSO":
		if !in.ExDescReg {
			a.fail(m, "ExBSO is for an extended descriptor in a register")
		}
		in.ExBSO = true
	case "Compacted", "NoCompact", "Uncompacted":
	default:
		a.fail(m, "unknown option %q", name)
	}
}

// lastToken returns the last token that words can name. Threads may have fewer.
func (a *assembler) lastToken() uint64 {
	if a.p.Waits(isa.OpSend, fields.SWSBSet(fields.MaxTokens-1)) {
		return fields.MaxTokens - 1
	}
	return fields.NumTokens - 1
}
