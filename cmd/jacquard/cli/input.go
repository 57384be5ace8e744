// SPDX-License-Identifier: MIT

package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/foz"
	"jacquard.example/core/text/lex"
	"jacquard.example/core/wire"
)

// inputKind is the kind of a file, determined by its contents first, then its name.
type inputKind int

const (
	spirvInput  inputKind = iota // a binary module, whatever its byte order
	SourceInput                  // in a language that is translated
	jirInput
	jirbInput // the binary form of .jir
	MirInput  // machine IR
)

// Input is a file that has been read.
type Input struct {
	file     string // as given
	Name     string // as shown in messages
	Kind     inputKind
	language string // language of a source
	Data     []byte
	Stage    *foz.Stage // the stage of a pipeline whose module Data is, or nil
}

// IsModule reports whether a file is a SPIR-V module or is translated to one.
func (in *Input) IsModule() bool { return in.Kind < jirInput }

// Width returns the SIMD width that a pipeline requires of a compute shader by the size of its subgroups, or 0.
func (in *Input) Width() int {
	if in.Stage != nil && in.Stage.Name == "compute" {
		switch in.Stage.Subgroup {
		case 8, 16, 32:
			return int(in.Stage.Subgroup)
		}
	}
	return 0
}

// spirvMagic is the first word of a module (SPIR-V spec 2.3).
const spirvMagic = 0x07230203

// maxInput is the size in bytes of the largest file that is read.
const maxInput = 1 << 30

// Read reads FILE, or standard input if it is "-". FILE may be a member of an archive.
func (a *App) Read(file string) (name string, data []byte, err error) {
	in, err := a.read(file)
	return in.Name, in.Data, err
}

// read reads a file. The kind of the input remains to be determined.
func (a *App) read(file string) (*Input, error) {
	var r io.Reader = a.Stdin
	in := &Input{file: file, Name: "(standard input)"}
	if file != "-" {
		in.Name = file
		f, err := os.Open(file)
		if err != nil {
			return in, a.readMember(in, FileError(file, err))
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return in, FileError(in.Name, err)
	}
	if len(data) > maxInput {
		return in, &jacquard.Error{File: in.Name, Msg: "the file is larger than 1 GiB"}
	}
	in.Data = data
	return in, nil
}

// ErrEmpty returns the error for an empty file.
func ErrEmpty(name string) error { return &jacquard.Error{File: name, Msg: "the file is empty"} }

// FileError returns an error about a file: the cause in err, without the name of the failed call.
func FileError(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}

// Load reads FILE and determines its kind.
func (a *App) Load(file string) (*Input, error) {
	if x, err := a.Archive(file); err != nil {
		return nil, err
	} else if x != nil {
		return nil, a.unnamedMember(x)
	}
	in, err := a.read(file)
	if err != nil {
		return nil, err
	}
	name, data := in.Name, in.Data
	if len(data) == 0 {
		return nil, ErrEmpty(name)
	}
	ext := filepath.Ext(file)
	if in.language, err = a.languageOf(in); err != nil && !IsSPIRV(data) && !wire.Is(data) {
		return nil, err
	}
	switch {
	case IsSPIRV(data):
		in.Kind = spirvInput
	case wire.Is(data):
		in.Kind = jirbInput
	case ext == ".spv":
		return nil, notSPIRV(name, data)
	case ext == ".jir":
		in.Kind = jirInput
	case ext == ".mir":
		in.Kind = MirInput
		if !mirtext.Is(data) {
			return nil, &jacquard.Error{File: name, Line: 1, Column: 1, Msg: "machine IR starts with the word 'mir'"}
		}
	case in.language != "":
		in.Kind = SourceInput
	case file == "-" && looksLikeSpvasm(data):
		in.Kind, in.language = SourceInput, "spvasm"
	case file == "-" && lex.Begins(data, "shader"):
		in.Kind = jirInput
	case file == "-" && mirtext.Is(data):
		in.Kind = MirInput
	default:
		return nil, &jacquard.Error{File: name, Msg: "this is not a SPIR-V module, and its name has no known extension; known are " +
			strings.Join(append(sourceNames(), ".jir"), ", ") + " and .mir, and --lang gives the language of others"}
	}
	return in, nil
}

// Module returns the input of jacquard.Compile: a SPIR-V module, translated if the file is a source, or the unchanged
// .jir (text or binary) or .mir file.
func (a *App) Module(in *Input) ([]byte, error) { return a.ModuleWithin(a.Ctx, in) }

// ModuleWithin is like Module, but gives up when ctx is done.
func (a *App) ModuleWithin(ctx context.Context, in *Input) ([]byte, error) {
	if in.Kind == SourceInput {
		return a.translate(ctx, in)
	}
	return in.Data, nil
}

// IsSPIRV reports whether data begins with the magic number of SPIR-V, in either byte order.
func IsSPIRV(data []byte) bool {
	return len(data) >= 4 && (binary.LittleEndian.Uint32(data) == spirvMagic || binary.BigEndian.Uint32(data) == spirvMagic)
}

func notSPIRV(name string, data []byte) error {
	if len(data) < 4 {
		return driver.WordError(name, 0, "not a SPIR-V module: it has %d bytes", len(data))
	}
	if isText(data) {
		return driver.WordError(name, 0, "not a SPIR-V module but text; name assembly .spvasm and GLSL .comp, .vert or .frag")
	}
	return driver.WordError(name, 0, "not a SPIR-V module: its first word is 0x%08x, not 0x%08x",
		binary.LittleEndian.Uint32(data), spirvMagic)
}

// isText reports whether data begins like text.
func isText(data []byte) bool {
	for _, c := range data[:min(len(data), 64)] {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return true
}

// looksLikeSpvasm recognizes assembly without a file name: its first nonempty
// line is a comment of the disassembler or an instruction.
func looksLikeSpvasm(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			return bytes.HasPrefix(line, []byte(";")) || bytes.HasPrefix(line, []byte("Op"))
		}
	}
	return false
}
