// SPDX-License-Identifier: MIT

package isatab

import (
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// Dir is the folder of the tables, below each root.
const Dir = "intel/isa"

// OutDir is the folder of the generated package.
const OutDir = "isa/"

// Codes maps a platform's or family's name to a number; -1 means that the platform lacks the row of its family.
type Codes map[string]int

// Platform is one machine.
type Platform struct {
	Doc       string `toml:"doc" doc:"The machines meant." required:"true"`
	Go        string `toml:"go" doc:"Its Go name." pattern:"^[A-Z]\\w*$" required:"true"`
	Family    string `toml:"family" doc:"Its [family]." required:"true"`
	IGA       string `toml:"iga" doc:"Its name in iga64." required:"true"`
	Layout    string `toml:"layout" doc:"The [layout] of its instruction words." required:"true"`
	Registers string `toml:"registers" doc:"Its [regfile]." required:"true"`
}

// documented is a row with only a doc.
type documented struct {
	Doc string `toml:"doc" doc:"The meaning of the name." required:"true"`
}

// Named is a row of a small enumeration: a name and the machine's code for it.
type Named struct {
	Doc  string  `toml:"doc" doc:"Its meaning." required:"true"`
	Go   string  `toml:"go" doc:"Its Go name." pattern:"^[A-Z]\\w*$"`
	IGA  *string `toml:"iga" doc:"Its name in iga64's syntax; default: the row's own."`
	Code Codes   `toml:"code" doc:"The code, by platform or family; -1 means the platform lacks the value of its family."`

	Align16 Codes `toml:"align16" doc:"The code of a predicate in words of access mode Align16, by platform or family."`

	Src    int   `toml:"src" doc:"Sources of a math function." minimum:"0"` // math: sources
	Int    bool  `toml:"int" doc:"A math function on integers."`            // math: works on integers
	Macro  bool  `toml:"macro" doc:"Operands carry math-macro registers."`  // math: operands carry math-macro registers
	Macros Codes `toml:"macros" doc:"The number of the register that is math-macro register 0, by platform or family."`
	Bytes  bool  `toml:"bytes" doc:"The text counts its subregisters in bytes, whatever the type."`
	Count  Codes `toml:"count" doc:"How many registers of the kind exist, by platform or family."`
}

// TypeRow is a row of the data types.
type TypeRow struct {
	Doc     string `toml:"doc" doc:"A description."`
	Size    int    `toml:"size" doc:"Bytes." enum:"1,2,4,8" required:"true"`
	Signed  bool   `toml:"signed" doc:"A signed integer."`
	Float   bool   `toml:"float" doc:"A float."`
	Elem    string `toml:"elem" doc:"The type of a packed vector's elements."`
	Code    Codes  `toml:"code" doc:"The code in one- and two-source formats, by platform or family; -1 means the platform lacks the value of its family."`
	Imm     Codes  `toml:"imm" doc:"The code of an immediate, by platform or family; -1 means the platform lacks the value of its family."`
	Ternary Codes  `toml:"ternary" doc:"The code in three-source formats, by platform or family; -1 means the platform lacks the value of its family."`
}

type typeset struct {
	Doc   string   `toml:"doc" doc:"The common property of the types."`
	Types []string `toml:"types" doc:"The combinations of types, as destination <- sources: the name of a [typeset] or of a type, after the platforms or families that have it and a colon." items:"^[a-z]+$" required:"true"`
}

// OpRow is a row of the opcodes.
type OpRow struct {
	Doc     string   `toml:"doc" doc:"Its operation." required:"true"`
	Code    Codes    `toml:"code" doc:"The 7-bit number, by platform or family; -1 means the platform lacks the value of its family."`
	Format  string   `toml:"format" doc:"The format of its word." enum:"basic,ternary,send,sends,branch,wait,sync,math,nop" required:"true"`
	Src     int      `toml:"src" doc:"Sources." minimum:"0" maximum:"3"`
	Dst     bool     `toml:"dst" doc:"It has a destination."`
	Targets int      `toml:"targets" doc:"Branch targets: 1 is JIP, 2 JIP and UIP." minimum:"0" maximum:"2"`
	Sat     bool     `toml:"sat" doc:"It may saturate."`
	JIPOn   []string `toml:"jip_on" doc:"The platforms or families whose words have only JIP, of two targets."`
	SatOn   []string `toml:"sat_on" doc:"The only platforms or families on which it may saturate."`
	CMod    bool     `toml:"cmod" doc:"It may have a condition modifier."`
	Pred    bool     `toml:"pred" doc:"It may have a predicate."`
	Table   bool     `toml:"table" doc:"It has a function of three bits instead of source modifiers and a condition."`
	BCtrl   bool     `toml:"bctrl" doc:"It has the branch control bit."`
	RegTgt  bool     `toml:"reg_target" doc:"The target may be in a register."`
	Scalar  bool     `toml:"scalar" doc:"It has no execution size and ignores the execution mask."`
	Acc     string   `toml:"acc" doc:"Its implicit use of the accumulator." enum:"reads,writes"`
	Mods    string   `toml:"mods" doc:"The modifiers of its sources: arith (negate, absolute) or logic (bitwise not)." enum:"arith,logic"`
	Types   []string `toml:"types" doc:"The combinations of types, as destination <- sources."`
}

// CompactRow is one table of a compacted form: an index selects an entry whose
// bits are spread over the full word.
type CompactRow struct {
	Layout  string           `toml:"layout" doc:"The [layout] of the words." required:"true"`
	Doc     string           `toml:"doc" doc:"The fields that an entry sets."`
	Form    string           `toml:"form" doc:"The compacted form." required:"true"`
	Index   string           `toml:"index" doc:"Bits of the compacted word that select the entry."`
	Bits    string           `toml:"bits" doc:"Bits of the full word, least significant first."`
	Entries map[string][]int `toml:"entries" doc:"The entries by platform."`
	NotImm  bool             `toml:"not_imm" doc:"It applies only to words without an immediate, which uses the same bits."`
}

// copyRow is a field that a compacted word contains unchanged.
type copyRow struct {
	Doc    string `toml:"doc" doc:"The copied operands."`
	Layout string `toml:"layout" doc:"The [layout] of the words." required:"true"`
	Form   string `toml:"form" doc:"The compacted form." required:"true"`
	From   string `toml:"from" doc:"Bits of the compacted word."`
	To     string `toml:"to" doc:"Bits of the full word."`
	NotImm bool   `toml:"not_imm" doc:"It applies only to words without an immediate, which uses the same bits."`
}

// ImmediateRow is the encoding of an immediate in a compacted word.
type ImmediateRow struct {
	Doc    string         `toml:"doc" doc:"The meaning of the bits in words without an immediate." required:"true"`
	Layout string         `toml:"layout" doc:"The [layout] of the words." required:"true"`
	From   string         `toml:"from" doc:"Bits of the compacted word, most significant range first."`
	Shift  map[string]int `toml:"shift" doc:"Number of zero bits below them, by type."`
	Signed []string       `toml:"signed" doc:"Types to whose width they are sign-extended; for others they are zero-extended."`
}

// MsgEnum is an enumeration of messages' fields.
type MsgEnum struct {
	Doc      string              `toml:"doc" doc:"The meaning of the values." required:"true"`
	Go       string              `toml:"go" doc:"Its Go name." pattern:"^[A-Z]\\w*$"`
	Values   map[string]int      `toml:"values" doc:"Names and their codes."`
	Operands map[string]int      `toml:"operands" doc:"Operands of an atomic; 1 when not given."` // operands of an atomic; 1 when not given
	Lacks    map[string][]string `toml:"lacks" doc:"Operations that a platform or family lacks."`
}

// MsgField is a field of a message descriptor.
type MsgField struct {
	Doc    string                 `toml:"doc" doc:"The meaning of the field."`
	Go     string                 `toml:"go" doc:"Its Go name." pattern:"^[A-Z]\\w*$"`
	Bits   string                 `toml:"bits" doc:"Bits of the descriptor, most significant range first." required:"true"`
	Kind   string                 `toml:"kind" doc:"The type that builders take and the decoder returns: uint (left out); bool; number, whose codes values has; lanes, a number of lanes whose codes values has; comps, a number of leading components from 1 to 4, as a mask of disabled channels; or an enumeration."`
	Values map[string]int         `toml:"values" doc:"The code of each number of lanes."`
	Words  string                 `toml:"words" doc:"The text of the value in listings, with {} for the value; for a bool, the text if it is set. Listings leave out a value without words."`
	Said   map[string]string      `toml:"said" doc:"The texts of particular values in listings."`
	Index  string                 `toml:"index" doc:"The list of the ABI that the value is an index of: surface, the binding table; sampler, the samplers." enum:"surface,sampler"`
	On     map[string]fieldColumn `toml:"on" doc:"Where it differs, by platform or family."`
}

// MessageRow is a message of a shared function.
type MessageRow struct {
	Doc    string                   `toml:"doc" doc:"The request." required:"true"`
	Go     string                   `toml:"go" doc:"Its Go name." pattern:"^[A-Z]\\w*$"`
	SFID   string                   `toml:"sfid" doc:"The shared function." required:"true"`
	Also   []string                 `toml:"also" doc:"Other shared functions that have it."`
	Select string                   `toml:"select" doc:"A field, of an enumeration, whose values distinguish it from other messages instead of fixed bits."`
	Words  string                   `toml:"words" doc:"Its name in listings; default: the row's name with spaces."`
	Fixed  map[string]int           `toml:"fixed" doc:"Bits that distinguish it from other messages."`
	Fields []string                 `toml:"fields" doc:"Its fields."`
	Mlen   string                   `toml:"mlen" doc:"GRFs of the first payload, as a product of numbers, G (lanes/8), C (components), A (operands of the atomic, 1 each) and R (1 if a result is returned). Without it the builder takes all three lengths as parameters."`
	Rlen   string                   `toml:"rlen" doc:"GRFs of the response."`
	Xlen   string                   `toml:"xlen" doc:"GRFs of the second payload."`
	Header bool                     `toml:"header" doc:"The header bit is set."`
	On     map[string]messageColumn `toml:"on" doc:"Where it differs, by platform or family."`
	Only   []string                 `toml:"only" doc:"The platforms or families that have it; default: all."`
	Not    []string                 `toml:"not" doc:"The platforms or families that lack it."`
}

// fieldColumn is a descriptor's field on a platform where it differs.
type fieldColumn struct {
	Bits   string         `toml:"bits" doc:"Bits of the descriptor; default: the row's."`
	Values map[string]int `toml:"values" doc:"The code of each number of lanes; default: the row's."`
}

// messageColumn is a message on a platform where it differs.
type messageColumn struct {
	SFID  string         `toml:"sfid" doc:"The shared function; default: the row's."`
	Fixed map[string]int `toml:"fixed" doc:"Bits that distinguish it from other messages; default: the row's."`
}

// RestrictRow is a restriction on encodable instructions.
type RestrictRow struct {
	Doc    string   `toml:"doc" doc:"The combination that is not allowed." required:"true"`
	Ref    string   `toml:"ref" doc:"The reference in the manual." required:"true"`
	On     []string `toml:"on" doc:"Platforms or families; default: all."` // platforms or families; none: all
	Ops    []string `toml:"ops" doc:"Opcodes or formats; default: all."`
	Need   []string `toml:"need" doc:"Properties of which the instruction must have exactly one."`
	Forbid []string `toml:"forbid" doc:"Properties it must not have."`
	Check  string   `toml:"check" doc:"A function of backend/intel/legal."`
}

// Tables holds everything below Dir.
type Tables struct {
	Files      []string
	Families   []*table.Row[documented]
	Layouts    []*table.Row[layoutRow]
	Platforms  []*table.Row[Platform]
	Types      []*table.Row[TypeRow]
	Typesets   []*table.Row[typeset]
	Cmods      []*table.Row[Named]
	Preds      []*table.Row[Named]
	Maths      []*table.Row[Named]
	Syncs      []*table.Row[Named]
	Sfids      []*table.Row[Named]
	Arfs       []*table.Row[Named]
	Ops        []*table.Row[OpRow]
	fields     []*table.Row[fieldRow]
	groups     []*table.Row[groupRow]
	forms      []*table.Row[formRow]
	Compacts   []*table.Row[CompactRow]
	Copies     []*table.Row[copyRow]
	Immediates []*table.Row[ImmediateRow]
	MsgEnums   []*table.Row[MsgEnum]
	MsgFields  []*table.Row[MsgField]
	Messages   []*table.Row[MessageRow]
	Restricts  []*table.Row[RestrictRow]
	devices    []*table.Row[deviceRow]
	regFiles   []*table.Row[regFileRow]

	surfaceFormats []*table.Row[surfaceFormatRow]

	Resolved map[string]*Layout // by name
}

// Load reads the tables.
func Load(ctx *domain.Context) (*Tables, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	t := &Tables{Files: set.Files}
	var errs diag.List
	errs.Add(set.Only(Schema.Names()...))
	Rows(set, &errs, "family", &t.Families)
	Rows(set, &errs, "layout", &t.Layouts)
	Rows(set, &errs, "platform", &t.Platforms)
	Rows(set, &errs, "type", &t.Types)
	Rows(set, &errs, "typeset", &t.Typesets)
	Rows(set, &errs, "cmod", &t.Cmods)
	Rows(set, &errs, "pred", &t.Preds)
	Rows(set, &errs, "math", &t.Maths)
	Rows(set, &errs, "sync", &t.Syncs)
	Rows(set, &errs, "sfid", &t.Sfids)
	Rows(set, &errs, "arf", &t.Arfs)
	Rows(set, &errs, "eu", &t.Ops)
	Rows(set, &errs, "field", &t.fields)
	Rows(set, &errs, "group", &t.groups)
	Rows(set, &errs, "form", &t.forms)
	Rows(set, &errs, "compact", &t.Compacts)
	Rows(set, &errs, "copy", &t.Copies)
	Rows(set, &errs, "immediate", &t.Immediates)
	Rows(set, &errs, "msgenum", &t.MsgEnums)
	Rows(set, &errs, "msgfield", &t.MsgFields)
	Rows(set, &errs, "message", &t.Messages)
	Rows(set, &errs, "restrict", &t.Restricts)
	Rows(set, &errs, "device", &t.devices)
	Rows(set, &errs, "regfile", &t.regFiles)
	Rows(set, &errs, "surface_format", &t.surfaceFormats)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	t.resolve(&errs)
	return t, errs.Err()
}

// Rows loads the rows of a family.
func Rows[T any](set *table.Set, errs *diag.List, family string, to *[]*table.Row[T]) {
	r, err := table.Rows[T](set, family)
	errs.Add(err)
	*to = r
}

// HasCompact reports whether the platform has compacted words: there are tables for
// its layout, and each has its entries.
func (t *Tables) HasCompact(p *table.Row[Platform]) bool {
	any := false
	for _, r := range t.Compacts {
		if l := t.LayoutOf(p); l == nil || !l.Is(r.Val.Layout) {
			continue
		}
		if r.Val.EntriesOf(p) == nil {
			return false
		}
		any = true
	}
	return any
}

// EntriesOf returns the entries of a platform: its own, or its family's.
func (r *CompactRow) EntriesOf(p *table.Row[Platform]) []int {
	if e, ok := r.Entries[p.Name]; ok {
		return e
	}
	return r.Entries[p.Val.Family]
}
