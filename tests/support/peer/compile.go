// SPDX-License-Identifier: MIT

package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/spv"
)

// Variable is the name of the environment variable with the command that runs the peer.
const Variable = "JACQUARD_PEER"

// Compiler is the peer for a machine.
type Compiler struct {
	Machine *target.Target
	command []string

	mutex    sync.Mutex
	compiled map[string]*Binary // by a shader's identity
	version  string
}

// Version returns the name and version of the driver that compiled the last program, or "" if it has compiled none.
func (c *Compiler) Version() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.version
}

// Find returns the peer, or nil if the environment names none.
func Find(machine *target.Target) *Compiler {
	command := strings.Fields(os.Getenv(Variable))
	if len(command) == 0 {
		return nil
	}
	return &Compiler{Machine: machine, command: command, compiled: map[string]*Binary{}}
}

// Command returns a command that runs the peer's program with some arguments.
func (c *Compiler) Command(ctx context.Context, args ...string) *exec.Cmd {
	line := append(c.command[1:len(c.command):len(c.command)], c.Machine.Name, "vkpeer")
	return exec.CommandContext(ctx, c.command[0], append(line, args...)...)
}

// Shader is an entry point to compile.
type Shader struct {
	Module []byte
	Entry  string
	Stage  kind.Stage
	SIMD   int

	Specialize []runner.Spec
}

// Binary is a program compiled by the peer.
type Binary struct {
	Code         []byte // without compacted instructions
	Constants    []byte // its constant data, which the code finds at ConstantsAddress
	IR, Assembly string // the driver's final IR, and the text of the machine code
	Stats        Stats
	SIMD         int    // lanes of a thread
	Driver       string // its name and version

	layout []spv.Descriptors // layout of the descriptor sets that the peer's program makes
	byKind bool              // the final IR does not name descriptors
}

// line holds the fields used of a line of the peer's output.
type line struct {
	Kind   string `json:"kind"`
	Error  string `json:"error"`
	Stage  string `json:"stage"`
	Driver string `json:"driver"`
	Exe    string `json:"exe"` // the program's name
	Size   int    `json:"subgroup_size"`
	Stats  Stats  `json:"stats"`
}

// stages has the names of stages in the driver's debug option, and in the names of files.
var stages = map[kind.Stage]struct{ debug, suffix string }{
	kind.StageCompute: {"cs", "comp"}, kind.StageVertex: {"vs", "vert"}, kind.StageFragment: {"fs", "frag"},
}

// others lists, for each width of fragment shaders, the options that disable the other widths.
var others = map[int]string{8: ",no16,no32", 16: ",no8,no32", 32: ",no8,no16"}

// OnlyWidth returns the environment variable with which fragment shaders are compiled for threads of a number of
// lanes only.
func OnlyWidth(simd int) string { return "INTEL_DEBUG=" + strings.TrimPrefix(others[simd], ",") }

// Suffix returns the required suffix for names of modules of a stage.
func Suffix(stage kind.Stage) string { return "." + stages[stage].suffix + ".spv" }

// Compile compiles a shader. If it succeeds, the program is kept and returned again for the same shader.
func (c *Compiler) Compile(ctx context.Context, s *Shader) (*Binary, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	key := fmt.Sprint(s.Stage, s.SIMD, s.Entry, s.Specialize, "\x00", string(s.Module))
	if b := c.compiled[key]; b != nil {
		return b, nil
	}
	b, err := c.run(ctx, s)
	if err == nil {
		c.compiled[key], c.version = b, b.Driver
	}
	return b, err
}

// run compiles a shader.
func (c *Compiler) run(ctx context.Context, s *Shader) (*Binary, error) {
	dir, err := os.MkdirTemp("", "peer")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	stage := stages[s.Stage]
	file := filepath.Join(dir, "x"+Suffix(s.Stage))
	if err := os.WriteFile(file, s.Module, 0o666); err != nil {
		return nil, err
	}
	var args []string
	debug := stage.debug + ",nocompact"
	switch s.Stage {
	case kind.StageCompute:
		args = append(args, "-s", strconv.Itoa(s.SIMD))
	case kind.StageFragment:
		debug += others[s.SIMD]
	}
	for _, x := range s.Specialize {
		args = append(args, "-S", fmt.Sprintf("%d=%d", x.ID, x.Bits))
	}
	args = append(args, "-e", s.Entry)
	env := append(os.Environ(), "INTEL_DEBUG="+debug)
	cmd := c.Command(ctx, append([]string{"-n", "1", "-d", dir}, append(args, file)...)...)
	cmd.Env = append(env, "INTEL_SHADER_BIN_DUMP_PATH="+dir)
	out, err := cmd.Output()
	if refused := refusal(out); refused != "" {
		return nil, fmt.Errorf("%w: %s", ErrNoCode, refused)
	}
	if err != nil {
		return nil, fmt.Errorf("the peer: %w", err)
	}
	words, err := spv.Words(s.Module)
	if err != nil {
		return nil, err
	}
	b := &Binary{layout: spv.Layout(words), byKind: c.Machine.Fragment == nil}
	exe, err := b.readLines(out, s)
	if err != nil {
		return nil, err
	}
	if err := b.readFiles(dir, s.Stage, exe); err != nil {
		return nil, err
	}
	size, err := constantBytes(b.IR)
	if err != nil || size == 0 {
		return b, err
	}
	if b.Constants, err = c.constants(ctx, append(args, file), env, b.Code, size); err != nil {
		return nil, err
	}
	relocate(b.Code)
	return b, nil
}

// ErrNoCode is the error for a shader that the driver does not compile.
var ErrNoCode = errors.New("the peer makes no code")

// refusal returns the reason why the driver does not compile a shader, or "" if it does.
func refusal(out []byte) string {
	for text := range bytes.Lines(out) {
		var l line
		if json.Unmarshal(text, &l) == nil && l.Kind == "error" {
			return l.Error
		}
	}
	return ""
}

// readLines reads the statistics of a shader's program, and returns the program's name. The driver may have made
// programs of other widths as well.
func (b *Binary) readLines(out []byte, s *Shader) (exe string, err error) {
	var wrong error
	for text := range bytes.Lines(out) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return "", fmt.Errorf("the peer's line %q: %w", text, err)
		}
		switch {
		case l.Kind != "exe" || l.Stage != s.Stage.String():
		case l.Size != s.SIMD && s.SIMD != 0:
			wrong = fmt.Errorf("the peer has compiled for %d lanes", l.Size)
		default:
			b.Stats, b.SIMD, b.Driver = l.Stats, l.Size, l.Driver
			return l.Exe, nil
		}
	}
	if wrong == nil {
		wrong = fmt.Errorf("the peer has written nothing about a %s shader", s.Stage)
	}
	return "", wrong
}

// readFiles reads the files of a program that the peer has written to a folder.
func (b *Binary) readFiles(dir string, stage kind.Stage, exe string) error {
	codes, err := filepath.Glob(filepath.Join(dir, "*.bin"))
	if err != nil {
		return err
	}
	for _, file := range codes { // a vertex shader that it made for the fragment shader is among them
		code, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		known := b.Stats.CodeBytes != 0
		if known && len(code) == b.Stats.CodeBytes || !known && writesTarget(code) == (stage == kind.StageFragment) {
			b.Code = code
		}
	}
	if b.Code == nil {
		return fmt.Errorf("the peer has written no machine code")
	}
	for _, x := range []struct {
		pattern string
		text    *string
		may     bool // be missing
	}{
		{"*Final_NIR.txt", &b.IR, false},
		{"*Shader_push_map.txt", &b.Assembly, true}, // a newer driver writes the head of the assembly to another file
		{"*Assembly.txt", &b.Assembly, false},
	} {
		files, err := filepath.Glob(filepath.Join(dir, "*."+strings.ReplaceAll(exe, " ", "_")+"."+x.pattern))
		if err != nil || len(files) > 1 || len(files) == 0 && !x.may {
			return fmt.Errorf("the peer has written %d files %s", len(files), x.pattern)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			*x.text += string(content)
		}
	}
	return nil
}

// writesTarget reports whether code without compacted instructions has a sendc, with one payload or two, which only
// fragment shaders do.
func writesTarget(code []byte) bool {
	const size, opcodes, sendc, sendsc = 16, 0x7F, 0x32, 0x34
	for at := 0; at+size <= len(code); at += size {
		if op := code[at] & opcodes; op == sendc || op == sendsc {
			return true
		}
	}
	return false
}
