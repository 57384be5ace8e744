// SPDX-License-Identifier: MIT

package runner

import (
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// Script is a parsed script. Running it does not change it, so several runs may share it.
type Script struct {
	Name string // the file's name, for messages

	Shaders   []*Shader
	Buffers   []*Buffer
	Samplers  []*Sampler
	Pipelines []*Pipeline
	Commands  []Command

	// The script's requirements of the device, as written.
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

// The supported formats.
const (
	GLSL Format = iota
	SPIRVAsm
	SPIRVHex
)

// String returns the format's name in a script.
func (f Format) String() string { return [...]string{"GLSL", "SPIRV-ASM", "SPIRV-HEX"}[f] }

// Shader is one SHADER command.
type Shader struct {
	Name      string
	Format    Format
	TargetEnv string // argument of TARGET_ENV; "spv1.0" if the script has none
	AnyEnv    bool   // the script names none
	Source    string // the text between SHADER and END, or of the virtual file
	Line      int    // the line on which Source starts
	Words     []uint32
	Stage     kind.Stage
	Multi     bool // declared as multi: several entry points, each ATTACH names one
	// Passes are the spirv-opt passes that a pipeline's SHADER_OPTIMIZATION runs over
	// the module.
	Passes []string

	Pos Pos
}

// Buffer is one BUFFER or IMAGE command.
type Buffer struct {
	Name   string
	Type   *Type
	Layout *Layout
	STD140 bool
	Count  int    // elements; texels of the first level of an image
	Image  *Image // nil if it is not an image

	Unsized bool // an image without a size; it gets the size of a framebuffer
	Rows    bool // a buffer used as an attachment: the rows of a framebuffer

	Pos  Pos
	Init initializer
}

// Bytes returns the buffer's size; for an image the size of its first level.
func (b *Buffer) Bytes() int { return b.Count * b.Layout.Size }

// Sampler is one SAMPLER command.
type Sampler struct {
	Name  string
	State texture.Sampler
	// IntBorder reports whether the border's color is an integer color.
	IntBorder bool
	Compare   bool // the sampler is for comparing
}

// initializer describes the initial contents: Raw or Values if they are not empty. Otherwise, if Series is set, element
// i is From + i*By, and every number is From if it is not.
type initializer struct {
	Values       []Number
	Raw          []byte // the bytes themselves
	Fill, Series bool
	From, By     Number
}

// BindKind is the kind of descriptor that a buffer is bound as.
type BindKind uint8

// The kinds of descriptors. The dynamic ones of the language are
// these with an offset.
const (
	Storage BindKind = iota
	Uniform
	StorageImage
	SampledImage
	CombinedImageSampler
	UniformTexelBuffer
	StorageTexelBuffer
	SamplerAlone
	InputAttachment
)

func (k BindKind) String() string {
	return [...]string{"storage", "uniform", "storage_image", "sampled_image", "combined_image_sampler", "uniform_texel_buffer",
		"storage_texel_buffer", "sampler", "input_attachment"}[k]
}

// Writes reports whether a shader may write to a resource bound this way.
func (k BindKind) Writes() bool { return k == Storage || k == StorageImage || k == StorageTexelBuffer }

// IsImage reports whether an image with a shape is bound.
func (k BindKind) IsImage() bool {
	return k >= StorageImage && k <= CombinedImageSampler || k == InputAttachment
}

// Bind is one element of a BIND command with a descriptor set and a binding.
type Bind struct {
	Buffer       *Buffer // nil for a sampler alone
	Kind         BindKind
	Set, Binding uint32
	Element      uint32 // index in an array of descriptors
	Offset, Size int    // the bytes of the buffer that the shader accesses; all of an image
	BaseLevel    int    // first level of an image that the shader accesses
	Sampler      *Sampler

	Inherited bool
}

// Spec is the value of one specialization constant.
type Spec struct {
	ID   uint32
	Bits uint64
	Size int // bytes
}

// SubgroupSize is a requirement of a SUBGROUP block on the subgroup size.
type SubgroupSize uint8

// The requirements; SubgroupExact comes with a number.
const (
	SubgroupAny SubgroupSize = iota
	SubgroupMin
	SubgroupMax
	SubgroupExact
)

// Subgroup holds the requirements of a SUBGROUP block.
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
	Graphics      *Graphics // nil for a compute pipeline; Shader, Entry and Specialize are unused then

	Frame  [2]int // the size of the framebuffer
	Framed bool   // the script sets the size
	Pos    Pos
}

// Runs returns the pipeline's shader that is s, with or without its own passes, or nil if there is none.
func (pl *Pipeline) Runs(s *Shader) **Shader {
	all := []**Shader{&pl.Shader}
	if g := pl.Graphics; g != nil {
		all = []**Shader{&g.Vertex.Shader, &g.Fragment.Shader}
	}
	for _, to := range all {
		if *to != nil && (*to).Name == s.Name {
			return to
		}
	}
	return nil
}

// Command is one of *RunCommand, *CopyCommand, *RepeatCommand, *WriteCommand, *ClearCommand,
// *ClearValue, *Expect, *ExpectTexels and *ExpectBuffer.
type Command interface{ position() Pos }

// RunCommand dispatches a compute pipeline, or draws with a graphics pipeline.
type RunCommand struct {
	Pipeline *Pipeline
	Groups   [3]uint32
	Draw     *Geometry // nil for a compute pipeline
	Pos      Pos
}

// CopyCommand copies one buffer to another of the same type and size.
type CopyCommand struct {
	From, To *Buffer
	Pos      Pos
}

// WriteCommand writes bytes to a buffer: VkScript sets data between dispatches.
type WriteCommand struct {
	Buffer *Buffer
	Offset int
	Data   []byte
	Pos    Pos
}

func (c *WriteCommand) position() Pos { return c.Pos }

// RepeatCommand runs commands several times.
type RepeatCommand struct {
	Count    uint32
	Commands []Command
	Pos      Pos
}

// ExpectTexels checks that all texels of a rectangle of an image have a color.
type ExpectTexels struct {
	Buffer        *Buffer
	X, Y          int
	Width, Height int
	Color         []float64   // red, green, blue and perhaps alpha, from 0 to 1
	Tolerances    []Tolerance // one for all components, or one for each; in steps of 1/255
	Pos           Pos
}

func (c *ExpectTexels) position() Pos { return c.Pos }

// Expect checks numbers of a buffer against values.
type Expect struct {
	Buffer     *Buffer
	Index      int // in bytes
	Op         Comparator
	Tolerances []Tolerance // with Equal only
	Values     []Number
	Layout     *Layout // nil means the buffer's
	Pos        Pos
}

// Tolerance is an allowed difference: absolute, or in percent of the expected value.
type Tolerance struct {
	Value   float64
	Percent bool
}

// BufferOp selects how two buffers are compared.
type BufferOp uint8

// The comparisons: bit for bit, by the root mean square of the differences, or by the distance between the histograms
// of each component.
const (
	SameBits BufferOp = iota
	RootMeanSquare
	HistogramDistance
)

// ExpectBuffer compares two buffers. The measured difference may be up to Tolerance.
type ExpectBuffer struct {
	Left, Right *Buffer
	Op          BufferOp
	Tolerance   float64
	Pos         Pos
}

func (c *RunCommand) position() Pos    { return c.Pos }
func (c *CopyCommand) position() Pos   { return c.Pos }
func (c *RepeatCommand) position() Pos { return c.Pos }
func (c *Expect) position() Pos        { return c.Pos }
func (c *ExpectBuffer) position() Pos  { return c.Pos }
