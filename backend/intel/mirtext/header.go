// SPDX-License-Identifier: MIT

package mirtext

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/target"
)

// Version is the version of the format.
const Version = 1

// headerField is a line of the header.
type headerField struct {
	name string
	text func(*mir.Unit) string // text after the name; empty if the line is omitted
	read func(*parser)
}

// headerFields are the header lines that occur at most once, in the order of the text.
var headerFields = []headerField{
	{"target", func(u *mir.Unit) string { return u.Target }, readTarget},
	number("simd", 32, func(u *mir.Unit) *int { return &u.Func.Width }),
	{"abi", abiRow, readABI},
	word("after", func(u *mir.Unit) *string { return &u.After }),
	{"workgroup_size", workgroupSize, readWorkgroupSize},
	number("payload", mir.NumGRFs, func(u *mir.Unit) *int { return &u.Func.Payload }),
	number("shared_bytes", math.MaxUint32, func(u *mir.Unit) *uint32 { return &u.SharedBytes }),
	number("push_bytes", mir.MaxFileBytes, func(u *mir.Unit) *uint32 { return &u.PushBytes }),
	number("sizes", mir.MaxFileBytes/4, func(u *mir.Unit) *uint32 { return &u.SizesCount }),
	number("addresses", mir.MaxFileBytes/8, func(u *mir.Unit) *uint32 { return &u.AddressesCount }),
	flag("reads_view", func(u *mir.Unit) *bool { return &u.ReadsView }),
	flag("reads_constants", func(u *mir.Unit) *bool { return &u.ReadsConstants }),
	number("buffers", maxBuffers, func(u *mir.Unit) *uint32 { return &u.Buffers }),
	number("parts", math.MaxUint16, func(u *mir.Unit) *uint32 { return &u.Parts }),
	number("slots", maxSlots, func(u *mir.Unit) *uint32 { return &u.Slots }),
	flag("per_sample", func(u *mir.Unit) *bool { return &u.PerSample }),
	number("modes", math.MaxUint32, func(u *mir.Unit) *uint32 { return &u.Modes }),
	flag("discards", func(u *mir.Unit) *bool { return &u.Discards }),
	flag("barrier", func(u *mir.Unit) *bool { return &u.Barrier }),
	number("private_bytes", maxPrivate, func(u *mir.Unit) *uint32 { return &u.PrivateBytes }),
	number("spill_bytes", maxPrivate, func(u *mir.Unit) *uint32 { return &u.SpillBytes }),
	{"scratch", scratch, readScratch},
	{"constants", constants, readConstants},
	number("spills", math.MaxInt32, func(u *mir.Unit) *uint32 { return &u.Spills }),
	number("fills", math.MaxInt32, func(u *mir.Unit) *uint32 { return &u.Fills }),
	number("registers", mir.NumGRFs, func(u *mir.Unit) *uint32 { return &u.Registers }),
}

// Limits of the header, at or above the limits of any machine.
const (
	maxBuffers = 256
	maxPrivate = 1 << 24
	maxSlots   = 64 // maximum number of inputs or outputs
	maxRanges  = 3  // maximum number of uniform-buffer ranges in the push data

	maxHeaderLines = 32 // kinds of lines
)

func word(name string, at func(*mir.Unit) *string) headerField {
	return headerField{name,
		func(u *mir.Unit) string { return *at(u) },
		func(p *parser) { *at(p.u) = p.Word("a name").Text }}
}

func number[N ~int | ~uint32](name string, limit uint32, at func(*mir.Unit) *N) headerField {
	return headerField{name,
		func(u *mir.Unit) string {
			if n := uint64(*at(u)); n != 0 {
				return strconv.FormatUint(n, 10)
			}
			return ""
		},
		func(p *parser) { *at(p.u) = N(p.Most(limit, "a number")) }}
}

// flag returns a line whose value is yes.
func flag(name string, at func(*mir.Unit) *bool) headerField {
	return headerField{name,
		func(u *mir.Unit) string {
			if *at(u) {
				return "yes"
			}
			return ""
		},
		func(p *parser) {
			if t := p.Word("'yes'"); t.Text != "yes" {
				p.Fail(t, "expected 'yes', found %s", t)
			}
			*at(p.u) = true
		}}
}

// readTarget reads the name of a machine, which has the size of the registers.
func readTarget(p *parser) {
	t := p.Word("a name")
	machine, ok := target.ByName(t.Text)
	if !ok {
		p.Fail(t, "%s", target.Unknown(t.Text))
	}
	p.u.Target, p.u.Func.GRF, p.platform = t.Text, mir.SizeOf(machine.Registers), machine.Platform
}

// abiRow returns the name of the ABI table's row, with its version and hash if known.
func abiRow(u *mir.Unit) string {
	text := u.ABI
	if u.ABIVersion != 0 {
		text = fmt.Sprintf("%s version=%d", text, u.ABIVersion)
	}
	if u.ABIHash != "" {
		text = fmt.Sprintf("%s hash=%s", text, u.ABIHash)
	}
	return text
}

func readABI(p *parser) {
	p.u.ABI = p.Word("a name").Text
	if p.IsWord("version") {
		p.u.ABIVersion = p.named("version", math.MaxInt32)
	}
	if p.IsWord("hash") {
		p.Next()
		p.Expect("=")
		p.u.ABIHash = p.Word("a hash").Text
	}
}

// scratch returns the scratch size for a launcher, which follows from other lines.
func scratch(u *mir.Unit) string {
	if n := u.Scratch(); n != 0 {
		return strconv.FormatUint(n, 10)
	}
	return ""
}

func readScratch(p *parser) {
	p.scratch = p.U32("a number of bytes")
	p.scratchAt = p.Prev()
}

// checkScratch checks the scratch size after the last line of the header.
func (p *parser) checkScratch() {
	if n := p.u.Scratch(); p.scratchAt.Line != 0 && uint64(p.scratch) != n {
		p.Fail(p.scratchAt, "a thread needs %d bytes of scratch space for private memory and spilled registers", n)
	}
}

func workgroupSize(u *mir.Unit) string {
	n := u.WorkgroupSize
	if n == [3]uint32{} {
		return "" // a stage without workgroups
	}
	return fmt.Sprintf("%d %d %d", n[0], n[1], n[2])
}

func readWorkgroupSize(p *parser) {
	for i := range p.u.WorkgroupSize {
		p.u.WorkgroupSize[i] = p.Positive(math.MaxUint16, "a size")
	}
}

// constants and readConstants write and read constant data: its bytes in hexadecimal, in quotes.
func constants(u *mir.Unit) string {
	if len(u.Constants) == 0 {
		return ""
	}
	return strconv.Quote(hex.EncodeToString(u.Constants))
}

func readConstants(p *parser) {
	t := p.Prev()
	data, err := hex.DecodeString(p.Str("hexadecimal bytes"))
	if err != nil {
		p.Fail(t, "the constants are not hexadecimal bytes")
	}
	p.u.Constants = data
}
