package amber

// Script is a parsed script. It does not change when it runs, so that several
// runs may share it.
type Script struct {
	Name string // the file's name, for messages

	Shaders   []*Shader
	Buffers   []*Buffer
	Pipelines []*Pipeline
	Commands  []Command

	// What the script asks of the device, as it wrote it.
	DeviceFeatures     []string
	DeviceProperties   []string
	DeviceExtensions   []string
	InstanceExtensions []string
	EngineData         []EngineData
}

// EngineData is one SET ENGINE_DATA command.
type EngineData struct {
	Name   string
	Values []string
}

// Format is the language of a shader.
type Format uint8

// The formats that are supported.
const (
	GLSL Format = iota
	SPIRVAsm
	SPIRVHex
)

// String gives the format's name in a script.
func (f Format) String() string { return [...]string{"GLSL", "SPIRV-ASM", "SPIRV-HEX"}[f] }

// Shader is one SHADER command.
type Shader struct {
	Name      string
	Format    Format
	TargetEnv string // of TARGET_ENV; "spv1.0" if the script names none
	Source    string // what stands between SHADER and END, or in the virtual file
	Line      int    // the line on which Source starts
	Words     []uint32
	Multi     bool // declared as multi: several entry points, each ATTACH names one

	pos Pos
}

// Buffer is one BUFFER command.
type Buffer struct {
	Name   string
	Type   *Type
	Layout *Layout
	STD140 bool
	Count  int // elements

	pos  Pos
	init initializer
}

// Bytes is the buffer's size.
func (b *Buffer) Bytes() int { return b.Count * b.Layout.Size }

// initializer gives the first contents: values one by one, or, if fill is set,
// one value for every number, or, if series is set, from + i*by.
type initializer struct {
	values       []number
	fill, series bool
	from, by     number
}

// BindKind is what a buffer is bound as.
type BindKind uint8

// The kinds of descriptors a compute shader can be given here. The dynamic
// ones of the language are these with an offset.
const (
	Storage BindKind = iota
	Uniform
)

func (k BindKind) String() string { return [...]string{"storage", "uniform"}[k] }

// Bind is one BIND BUFFER command with a descriptor set and a binding.
type Bind struct {
	Buffer       *Buffer
	Kind         BindKind
	Set, Binding uint32
	Offset, Size int // the bytes of the buffer that the shader sees

	inherited bool
}

// Spec is the value of one specialization constant.
type Spec struct {
	ID   uint32
	Bits uint64
	Size int // bytes
}

// SubgroupSize is what a SUBGROUP block requires of the size.
type SubgroupSize uint8

// The requirements; SubgroupExact comes with a number.
const (
	SubgroupAny SubgroupSize = iota
	SubgroupMin
	SubgroupMax
	SubgroupExact
)

// Subgroup is what a SUBGROUP block asks for.
type Subgroup struct {
	FullyPopulated bool
	VaryingSize    bool
	Require        SubgroupSize
	Size           uint32 // with SubgroupExact
}

// Pipeline is one PIPELINE or DERIVE_PIPELINE command.
type Pipeline struct {
	Name          string
	Shader        *Shader
	Entry         string
	Specialize    []Spec
	Binds         []Bind
	PushConstants *Buffer // nil if there are none
	Subgroup      Subgroup
}

// Command is one of *RunCommand, *CopyCommand, *RepeatCommand, *Expect and
// *ExpectBuffer.
type Command interface{ position() Pos }

// RunCommand dispatches a pipeline.
type RunCommand struct {
	Pipeline *Pipeline
	Groups   [3]uint32
	pos      Pos
}

// CopyCommand copies one buffer to another of the same type and size.
type CopyCommand struct {
	From, To *Buffer
	pos      Pos
}

// RepeatCommand runs commands several times.
type RepeatCommand struct {
	Count    uint32
	Commands []Command
	pos      Pos
}

// Expect checks numbers of a buffer against values.
type Expect struct {
	Buffer     *Buffer
	Index      int // in bytes
	Op         Comparator
	Tolerances []Tolerance // with Equal only
	values     []number
	pos        Pos
}

// Tolerance allows a difference: absolute, or in percent of the wanted value.
type Tolerance struct {
	Value   float64
	Percent bool
}

// ExpectBuffer compares two buffers: bit for bit, or, if RMSE is set, by the
// root of the mean of the squared differences, which may be up to Tolerance.
type ExpectBuffer struct {
	Left, Right *Buffer
	RMSE        bool
	Tolerance   float64
	pos         Pos
}

func (c *RunCommand) position() Pos    { return c.pos }
func (c *CopyCommand) position() Pos   { return c.pos }
func (c *RepeatCommand) position() Pos { return c.pos }
func (c *Expect) position() Pos        { return c.pos }
func (c *ExpectBuffer) position() Pos  { return c.pos }
