// SPDX-License-Identifier: MIT

// Package shaders contains the project's own compute shaders: small programs, each about one
// thing and named after it. A shader is written once, inside its script in tests/amber; the
// source here (.comp for GLSL, .spvasm for SPIR-V assembly) is the same text, and the module
// (.comp.spv, .spv) is the output of glslangValidator or spirv-as, so that no test requires a
// front end to be installed.
//
// [All] lists the shaders, [Module] returns the words of one. After editing a script:
//
//	make shaders
package shaders

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"jacquard.example/tests/support/spv"
)

//go:embed *.comp *.spvasm *.spv
var files embed.FS

// A Source is a shader's text and its file.
type Source struct {
	Name string // "saxpy"
	File string // "saxpy.comp"
	Text []byte
}

// Assembly reports whether the text is SPIR-V assembly, not GLSL.
func (s Source) Assembly() bool { return strings.HasSuffix(s.File, ".spvasm") }

// ModuleFile returns the name of the file with the compiled shader.
func (s Source) ModuleFile() string {
	if s.Assembly() {
		return s.Name + ".spv"
	}
	return s.File + ".spv"
}

// All lists the shaders by name.
func All() []Source {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // the folder is embedded
	}
	var all []Source
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".comp")
		if !ok {
			name, ok = strings.CutSuffix(e.Name(), ".spvasm")
		}
		if !ok {
			continue
		}
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		all = append(all, Source{name, e.Name(), text})
	}
	return all
}

// Lookup returns the shader called name.
func Lookup(name string) (Source, bool) {
	for _, file := range []string{name + ".comp", name + ".spvasm"} {
		if text, err := files.ReadFile(file); err == nil {
			return Source{name, file, text}, true
		}
	}
	return Source{}, false
}

// Module returns the words of the shader called name.
func Module(name string) ([]uint32, error) {
	for _, file := range []string{name + ".comp.spv", name + ".spv"} {
		module, err := files.ReadFile(file)
		if err != nil {
			continue
		}
		words, err := spv.Words(module)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return words, nil
	}
	return nil, fmt.Errorf("no test shader %q", name)
}
