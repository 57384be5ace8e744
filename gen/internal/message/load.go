// SPDX-License-Identifier: MIT

package message

import (
	"slices"

	"jacquard.example/gen/internal/abi"
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/table"
)

// Dir is the folder of the tables, below each root.
const Dir = "intel/message"

type logical struct {
	Doc        string   `toml:"doc" doc:"The request." required:"true"`
	Sources    []string `toml:"sources" doc:"Its sources: address (a byte address per lane), address64 (a 64-bit byte address per lane, packed quadwords), header (a GRF passed unchanged), data (per lane, component by component), surface (a binding table index), offset (bytes into the thread's scratch space or a URB entry, a constant)." itemsEnum:"address,address64,header,data,surface,offset"`
	Attributes []string `toml:"attributes" doc:"Its other parameters: comps (doublewords per lane), bytes (of an element), op (the operation of an atomic or of the sampler)." itemsEnum:"comps,bytes,op"`
	Spaces     []string `toml:"spaces" doc:"The spaces it accesses; default: none." itemsEnum:"buffer,shared,private,image"`
	Effect     bool     `toml:"effect" doc:"It is kept even if its result is unused."`
	Clipped    bool     `toml:"clipped" doc:"A read whose aligned address may be out of bounds: the surface, shared memory or the scratch space clips it. A thread without active lanes may send it if the descriptor and the header are valid."`
	Orders     bool     `toml:"orders" doc:"It orders accesses to its spaces (without spaces, to all) once it has been awaited."`
	Ends       bool     `toml:"ends" doc:"It ends the thread."`
	LaneBits   bool     `toml:"lane_bits" doc:"The last component of the result is returned as a doubleword with a bit for each lane."`
	Optional   bool     `toml:"optional" doc:"A family may lack it; shaders that need it are then refused."`
	Floats     string   `toml:"floats" doc:"The [logical] message that does the same atomics on floats."`
	Vectors    bool     `toml:"vectors" doc:"Only families with this key implement it. Its address is the whole payload, with its header."`
	Of         string   `toml:"of" doc:"The [logical] message of which this one is the form for vertices with a lane for each component."`
	Spill      bool     `toml:"spill" doc:"It is code of the register allocator, excluded from message counts."`
}

type family struct {
	Doc      string         `toml:"doc" doc:"The messages and the machines that have them." required:"true"`
	Inherits string         `toml:"inherits" doc:"A family whose rows apply where this family has none."`
	Surfaces map[string]int `toml:"surfaces" doc:"The binding table index of a space that is not a buffer."`
	Bindless int            `toml:"bindless" doc:"The binding table index of messages whose extended descriptor has the handle of an image; default: they take none." minimum:"240" maximum:"255"`
	Lacks    []string       `toml:"lacks" doc:"Optional logical messages that the machines do not implement."`
	Atomics  string         `toml:"atomics" doc:"A family whose codes of atomics this one uses if it has none of its own."`
	Vectors  bool           `toml:"vectors" doc:"The family is for threads whose vertices have a lane for each component. It implements logical messages with this key, and others as far as it has rows."`
}

type send struct {
	Family  string         `toml:"family" doc:"Its [messages]." required:"true"`
	Logical string         `toml:"logical" doc:"The [logical] message." required:"true"`
	Message string         `toml:"message" doc:"The [message] of the instruction set that describes its descriptor." required:"true"`
	Spaces  []string       `toml:"spaces" doc:"The spaces that the row is for; default: every space without a row of its own." itemsEnum:"buffer,shared,private,image"`
	SFID    string         `toml:"sfid" doc:"The shared function, one of several that have the message; default: the message's first."`
	First   string         `toml:"first" doc:"The first payload: a source of the logical message; thread_header, r0 as the thread received it; offset, a register that starts with the offset; lane_offsets, the offset plus 4 for each lane." enum:"address,address64,header,thread_header,offset,lane_offsets" required:"true"`
	Second  string         `toml:"second" doc:"The second payload; default: none." enum:"data"`
	Header  []headerDword  `toml:"header" doc:"The contents of a header built by the compiler: values of the thread's header, in the bit positions they have there."`
	Base    int            `toml:"base" doc:"The doubleword of the thread's header that the offset is relative to, in bytes: the part that does not fit the field is added there, in a copy of the header." minimum:"1" maximum:"7"`
	Lanes   int            `toml:"lanes" doc:"The most lanes of one message; code for more lanes sends several." enum:"8,16"`
	All     bool           `toml:"all_spaces" doc:"One message covers all spaces of the logical message."`
	Bit19   bool           `toml:"header_bit" doc:"The descriptor declares that the first payload is a header."`
	Most    int            `toml:"registers" doc:"The most registers of both payloads; default: as many as there are." minimum:"1" maximum:"15"`
	Single  bool           `toml:"single" doc:"It is for the thread and not for lanes: it is executed by one lane, without a mask."`
	Binding int            `toml:"binding" doc:"The first bit of the field of the extended descriptor that holds the surface." minimum:"24" maximum:"24"`
	State   int            `toml:"state" doc:"The doubleword of the thread's header that holds the offset of a surface state, in the bits of an extended descriptor." minimum:"1" maximum:"7"`
	Added   int            `toml:"added" doc:"The first bit of the extended descriptor's offset in bytes." minimum:"12" maximum:"12"`
	Above   int            `toml:"extended" doc:"The first bit of the field of the extended descriptor that holds bits 8 and up of the surface." minimum:"6" maximum:"31"`
	Ordered bool           `toml:"ordered" doc:"It waits for earlier threads at the same pixels: the instruction is sendc."`
	Copy    bool           `toml:"copy" doc:"The first payload is copied to a separate register."`
	Fields  map[string]any `toml:"fields" doc:"The descriptor's fields: numbers, or properties of the logical message, which generated/message.Value lists."`
}

// headerDword is a doubleword of a header built by the compiler.
type headerDword struct {
	Dword int    `toml:"dword" doc:"The doubleword." minimum:"0" maximum:"7"`
	Value string `toml:"value" doc:"The value placed there, in the bit positions of the thread's header." required:"true"`
	Also  int    `toml:"also" doc:"How many bits lower the value is placed a second time; default: it is not." minimum:"1" maximum:"31"`
}

// word is a word allowed in rows, and its meaning.
type word struct{ name, doc string }

// source is a word for a source, and its position in the instruction.
type source struct {
	word
	place int
}

// sources are the possible sources of a logical message. A message cannot have two of the
// same position.
var sources = []source{
	{word{"address", "a byte address per lane"}, 0},
	{word{"address64", "a 64-bit byte address per lane, packed quadwords"}, 0},
	{word{"header", "a GRF passed unchanged"}, 0},
	{word{"data", "per lane, component by component"}, 1},
	{word{"surface", "a binding table index"}, 2},
	{word{"offset", "bytes into the thread's scratch space, or into a URB entry"}, 2},
}

// spaces are the memory spaces that messages access.
var spaces = []word{
	{"buffer", "the buffer that the surface names"},
	{"shared", "the workgroup's memory"},
	{"private", "the memory of a lane"},
	{"image", "the image that the surface names"},
}

// value is a property of a logical message that a field may encode.
type value struct {
	word
	kinds []string // kinds of fields
	needs string   // the source or attribute that the logical message must have
}

var values = []value{
	{word{"lanes", "lanes, in eights"}, []string{"lanes"}, ""},
	{word{"registers", "registers of a doubleword for each lane"}, []string{"lanes"}, ""},
	{word{"halves", "1 if the operation has parameters of 16 bits where machines need them"}, []string{"bool"}, "op"},
	{word{"comps", "doublewords per lane"}, []string{"comps", "number"}, "comps"},
	{word{"dwords", "doublewords per lane of the data"}, []string{"number"}, ""},
	{word{"channels", "a bit for each of the doublewords per lane"}, []string{"", "uint"}, "comps"},
	{word{"op", "the code of the operation"}, []string{"atomic_op", "float_atomic_op", "lsc_atomic_op", "sampler_op", "rt_mode", "bool"}, "op"},
	{word{"returns", "1 if a result is wanted"}, []string{"bool"}, ""},
	{word{"slot_group", "which eight of 16 lanes: 1 for the low ones, 2 for the high ones"}, []string{"", "uint"}, ""},
	{word{"slot_high", "1 for the high eight of 16 lanes"}, []string{"bool"}, ""},
	{word{"surface", "the binding table index"}, []string{"", "uint"}, "surface"},
	{word{"surface_kind", "how the surface is named: by an entry of the binding table, or by a handle"}, []string{"lsc_addr_type"}, "surface"},
	{word{"sampler", "the index of the sampler, bits 8 and up of the surface"}, []string{"", "uint"}, "surface"},
	{word{"offset_grfs", "the offset in GRFs"}, []string{"", "uint"}, "offset"},
	{word{"offset_slots", "the offset in 16 bytes"}, []string{"", "uint"}, "offset"},
	{word{"offset_pairs", "the offset in 32 bytes"}, []string{"", "uint"}, "offset"},
	{word{"dual_half", "the form of a write of two colors: 2 for the low eight of 16 lanes, 3 for the high ones"}, []string{"rt_mode"}, ""},
	{word{"upper_half", "1 for lanes 16 to 31"}, []string{"bool"}, ""},
	{word{"log2_bytes", "of an element"}, []string{"", "uint", "lsc_data_size"}, "bytes"},
	{word{"qwords", "1 if elements are quadwords"}, []string{"bool"}, "bytes"},
	{word{"log2_grfs", "of the result or the data"}, []string{"", "uint"}, ""},
	{word{"log2_dwords", "of the result, rounded up"}, []string{"number"}, ""},
	{word{"block", "the code of a block of OWords as large as the result"}, []string{"", "uint"}, ""},
}

// operation holds the parameters of an operation of the sampler.
type operation struct {
	Params  []string `toml:"params" doc:"Its parameters in order, a doubleword per lane each. The layer follows the coordinates. Parameters after the last one that a shape has are left out; missing ones before it are zero." required:"true" itemsEnum:"coord0,coord1,coord2,coord3,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,ref,lod,bias,min_lod,offset0,offset1,sample,mcs0,mcs1"`
	Vectors []string `toml:"vectors" doc:"Its parameters in messages of vertices with a lane for each component, four of them in a register; default: there are no such messages." itemsEnum:"coord0,coord1,coord2,coord3,ddx0,ddx1,ddx2,ddy0,ddy1,ddy2,ref,lod,bias,min_lod,offset0,offset1,sample,mcs0,mcs1"`
	Row     bool     `toml:"row" doc:"A message has no more lanes than a register has doublewords."`
	Halves  bool     `toml:"halves" doc:"Its parameters have 16 bits where messages say so."`
}

// params are the parameters of operations of the sampler.
var params = []word{
	{"coord0", "the first coordinate; the layer follows the last one"},
	{"coord1", "the second coordinate"}, {"coord2", "the third coordinate"}, {"coord3", "the fourth coordinate"},
	{"ddx0", "the derivative of the first coordinate along x"},
	{"ddx1", "the derivative of the second along x"}, {"ddx2", "the derivative of the third along x"},
	{"ddy0", "the derivative of the first coordinate along y"},
	{"ddy1", "the derivative of the second along y"}, {"ddy2", "the derivative of the third along y"},
	{"ref", "the reference that texels are compared with"}, {"lod", "the level of detail"},
	{"bias", "the bias added to the level of detail"}, {"min_lod", "the least level of detail"},
	{"offset0", "an offset in texels"}, {"offset1", "the same along y"},
	{"sample", "the number of a sample"}, {"mcs0", "where the samples of a texel are stored"}, {"mcs1", "the upper half of that"},
}

// tables holds everything below Dir, and the messages of the instruction set.
type tables struct {
	files    []string
	logicals []*table.Row[logical]
	families []*table.Row[family]
	sends    []*table.Row[send]
	samples  []*table.Row[operation]
	codes    map[string]int           // codes of the sampler's operations
	controls []descriptors.ControlSet // control fields of most platforms, then of others
	headers  map[string]string        // the names in Go of the values in thread headers, by name
	atomics  []*table.Row[irtab.AtomicDef]
	ints     map[string]int // codes of atomics on integers
	floats   map[string]int // and on floats
	units    map[string]int // codes of atomics in messages of the load/store unit, by name
}

// Generate loads, checks and emits.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	return ctx.Out.Code("message/message.go", t.files, t.source())
}

func load(ctx *domain.Context) (*tables, error) { return domain.Once(ctx, Dir, read) }

func read(ctx *domain.Context) (*tables, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	t := &tables{files: set.Files}
	var errs diag.List
	errs.Add(set.Only(Schema.Names()...))
	t.logicals, err = table.Rows[logical](set, "logical")
	errs.Add(err)
	t.families, err = table.Rows[family](set, "messages")
	errs.Add(err)
	t.sends, err = table.Rows[send](set, "send")
	errs.Add(err)
	t.samples, err = table.Rows[operation](set, "operation")
	errs.Add(err)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if t.codes, err = descriptors.Codes(ctx, "sampler_op"); err != nil {
		return nil, err
	}
	if t.controls, err = descriptors.Controls(ctx); err != nil {
		return nil, err
	}
	if t.headers, err = abi.HeaderValues(ctx); err != nil {
		return nil, err
	}
	return t, t.loadAtomics(ctx)
}

// family returns a family by name.
func (t *tables) family(name string) *table.Row[family] {
	for _, f := range t.families {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// line returns a family followed by its ancestors, nearest first.
func (t *tables) line(f *table.Row[family]) (out []*table.Row[family]) {
	for f != nil && !slices.Contains(out, f) {
		out = append(out, f)
		f = t.family(f.Val.Inherits)
	}
	return out
}

// rows returns the rows by which a family implements a logical message, its own or the nearest inherited ones: a row for
// all spaces that the others are not for, if there is one, precedes them.
func (t *tables) rows(f *table.Row[family], logical string) (out []*table.Row[send]) {
	for _, f := range t.line(f) {
		for _, s := range t.sends {
			if s.Val.Family == f.Name && s.Val.Logical == logical {
				out = append(out, s)
			}
		}
		if len(out) > 0 || slices.Contains(f.Val.Lacks, logical) {
			break
		}
	}
	slices.SortStableFunc(out, func(a, b *table.Row[send]) int { return len(a.Val.Spaces) - len(b.Val.Spaces) })
	return out
}

// send returns the first of the rows by which a family implements a logical message, or nil.
func (t *tables) send(f *table.Row[family], logical string) *table.Row[send] {
	if rows := t.rows(f, logical); len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// surface returns the binding table index of a space, the family's own or the nearest
// inherited one.
func (t *tables) surface(f *table.Row[family], space string) (int, bool) {
	for _, f := range t.line(f) {
		if n, ok := f.Val.Surfaces[space]; ok {
			return n, true
		}
	}
	return 0, false
}

// bindless returns the binding table index of messages with a handle, or 0 if there is none.
func (t *tables) bindless(f *table.Row[family]) int {
	for _, f := range t.line(f) {
		if f.Val.Bindless != 0 {
			return f.Val.Bindless
		}
	}
	return 0
}

// Family is the part of a family that other tables refer to.
type Family struct {
	Go     string            // its name in Go on most platforms
	On     map[string]string // its names in Go on platforms whose descriptors differ
	Header []string          // the values of the thread's header that it builds headers from
}

// Families returns the families of the tables, by name.
func Families(ctx *domain.Context) (map[string]Family, error) {
	t, err := load(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]Family{}
	for _, r := range t.families {
		f := Family{Go: goFamily(r.Name), On: map[string]string{}}
		for _, c := range t.controls[1:] {
			f.On[c.Platform] = goFamily(r.Name) + c.Platform
		}
		for _, l := range t.logicals {
			if s := t.send(r, l.Name); s != nil {
				for _, d := range s.Val.Header {
					f.Header = append(f.Header, d.Value)
				}
			}
		}
		out[r.Name] = f
	}
	return out, nil
}

// Logical is the part of a logical message that selection rows use.
type Logical struct {
	Name                        string
	Sources, Attributes, Spaces []string
	Effect                      bool
}

// Logicals returns the logical messages by name, and the parameters of the sampler's operations that rows describe, by name.
func Logicals(ctx *domain.Context) (map[string]*Logical, map[string][]string, error) {
	t, err := load(ctx)
	if err != nil {
		return nil, nil, err
	}
	out := map[string]*Logical{}
	for _, r := range t.logicals {
		out[r.Name] = &Logical{r.Name, r.Val.Sources, r.Val.Attributes, r.Val.Spaces, r.Val.Effect}
	}
	operations := map[string][]string{}
	for _, r := range t.samples {
		operations[r.Name] = r.Val.Params
	}
	return out, operations, nil
}
