package isa

import (
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// codes maps a platform's or family's name to a number; -1 says that the
// platform lacks what its family has.
type codes map[string]int

// platform is one machine.
type platform struct {
	Doc    string `toml:"doc"`
	Go     string `toml:"go"`
	Family string `toml:"family"`
	IGA    string `toml:"iga"`
	Layout string `toml:"layout"`
}

// documented is a row that only gives a name a meaning.
type documented struct {
	Doc string `toml:"doc"`
}

// named is a row of a small enumeration: a name and the machine's code for it.
type named struct {
	Doc  string  `toml:"doc"`
	Go   string  `toml:"go"`
	IGA  *string `toml:"iga"` // the name in iga64's syntax; the row's own when absent
	Code codes   `toml:"code"`

	Src   int  `toml:"src"`   // math: sources
	Int   bool `toml:"int"`   // math: works on integers
	Macro bool `toml:"macro"` // math: operands carry math-macro registers
	Count int  `toml:"count"` // arf: how many registers of the kind exist
}

type typeRow struct {
	Doc     string `toml:"doc"`
	Size    int    `toml:"size"`
	Signed  bool   `toml:"signed"`
	Float   bool   `toml:"float"`
	Elem    string `toml:"elem"`
	Code    codes  `toml:"code"`
	Imm     codes  `toml:"imm"`
	Ternary codes  `toml:"ternary"`
}

type typeset struct {
	Doc   string   `toml:"doc"`
	Types []string `toml:"types"`
}

type opRow struct {
	Doc     string   `toml:"doc"`
	Code    codes    `toml:"code"`
	Format  string   `toml:"format"`
	Src     int      `toml:"src"`
	Dst     bool     `toml:"dst"`
	Targets int      `toml:"targets"`
	Sat     bool     `toml:"sat"`
	CMod    bool     `toml:"cmod"`
	Pred    bool     `toml:"pred"`
	BCtrl   bool     `toml:"bctrl"`
	RegTgt  bool     `toml:"reg_target"`
	Scalar  bool     `toml:"scalar"`
	Mods    string   `toml:"mods"`
	Types   []string `toml:"types"`
}

// fieldRow is a field of the word: for each layout its bit ranges, most
// significant first.
type fieldRow struct {
	Doc  string            `toml:"doc"`
	Bits map[string]string `toml:"bits"`
}

type groupRow struct {
	Doc    string   `toml:"doc"`
	Fields []string `toml:"fields"`
}

type formRow struct {
	Doc    string   `toml:"doc"`
	Groups []string `toml:"groups"`
}

// compactRow is one table of a compacted form: an index chooses an entry whose
// bits are spread over the full word.
type compactRow struct {
	Doc     string           `toml:"doc"`
	Form    string           `toml:"form"`
	Index   string           `toml:"index"`
	Bits    string           `toml:"bits"`
	Entries map[string][]int `toml:"entries"`
}

// copyRow is a field that stands unchanged in a compacted word.
type copyRow struct {
	Doc  string `toml:"doc"`
	Form string `toml:"form"`
	From string `toml:"from"`
	To   string `toml:"to"`
}

// msgEnum is an enumeration of messages' fields.
type msgEnum struct {
	Doc      string         `toml:"doc"`
	Go       string         `toml:"go"`
	Values   map[string]int `toml:"values"`
	Operands map[string]int `toml:"operands"` // of an atomic; 1 when not given
}

// msgField is a field of a message descriptor.
type msgField struct {
	Doc    string         `toml:"doc"`
	Go     string         `toml:"go"`
	Bits   string         `toml:"bits"`
	Kind   string         `toml:"kind"`
	Values map[string]int `toml:"values"`
}

// messageRow is a message of a shared function.
type messageRow struct {
	Doc    string         `toml:"doc"`
	Go     string         `toml:"go"`
	SFID   string         `toml:"sfid"`
	Fixed  map[string]int `toml:"fixed"`
	Fields []string       `toml:"fields"`
	Mlen   string         `toml:"mlen"`
	Rlen   string         `toml:"rlen"`
	Xlen   string         `toml:"xlen"`
	Header bool           `toml:"header"`
}

// restrictRow is something an encodable instruction may not be.
type restrictRow struct {
	Doc    string   `toml:"doc"`
	Ref    string   `toml:"ref"`
	On     []string `toml:"on"` // platforms or families; none: all
	Ops    []string `toml:"ops"`
	Need   []string `toml:"need"`
	Forbid []string `toml:"forbid"`
	Check  string   `toml:"check"`
}

// tables is everything below Dir.
type tables struct {
	files     []string
	families  []*table.Row[documented]
	layouts   []*table.Row[documented]
	platforms []*table.Row[platform]
	types     []*table.Row[typeRow]
	typesets  []*table.Row[typeset]
	cmods     []*table.Row[named]
	preds     []*table.Row[named]
	maths     []*table.Row[named]
	syncs     []*table.Row[named]
	sfids     []*table.Row[named]
	arfs      []*table.Row[named]
	ops       []*table.Row[opRow]
	fields    []*table.Row[fieldRow]
	groups    []*table.Row[groupRow]
	forms     []*table.Row[formRow]
	compacts  []*table.Row[compactRow]
	copies    []*table.Row[copyRow]
	msgEnums  []*table.Row[msgEnum]
	msgFields []*table.Row[msgField]
	messages  []*table.Row[messageRow]
	restricts []*table.Row[restrictRow]
	devices   []*table.Row[deviceRow]
}

func load(ctx *domain.Context) (*tables, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	t := &tables{files: set.Files}
	var errs diag.List
	errs.Add(set.Only("family", "layout", "platform", "type", "typeset", "cmod", "pred", "math", "sync", "sfid", "arf", "eu",
		"field", "group", "form", "compact", "copy", "msgenum", "msgfield", "message", "restrict", "device"))
	rows(set, &errs, "family", &t.families)
	rows(set, &errs, "layout", &t.layouts)
	rows(set, &errs, "platform", &t.platforms)
	rows(set, &errs, "type", &t.types)
	rows(set, &errs, "typeset", &t.typesets)
	rows(set, &errs, "cmod", &t.cmods)
	rows(set, &errs, "pred", &t.preds)
	rows(set, &errs, "math", &t.maths)
	rows(set, &errs, "sync", &t.syncs)
	rows(set, &errs, "sfid", &t.sfids)
	rows(set, &errs, "arf", &t.arfs)
	rows(set, &errs, "eu", &t.ops)
	rows(set, &errs, "field", &t.fields)
	rows(set, &errs, "group", &t.groups)
	rows(set, &errs, "form", &t.forms)
	rows(set, &errs, "compact", &t.compacts)
	rows(set, &errs, "copy", &t.copies)
	rows(set, &errs, "msgenum", &t.msgEnums)
	rows(set, &errs, "msgfield", &t.msgFields)
	rows(set, &errs, "message", &t.messages)
	rows(set, &errs, "restrict", &t.restricts)
	rows(set, &errs, "device", &t.devices)
	return t, errs.Err()
}

func rows[T any](set *table.Set, errs *diag.List, family string, to *[]*table.Row[T]) {
	r, err := table.Rows[T](set, family)
	errs.Add(err)
	*to = r
}
