// SPDX-License-Identifier: MIT

package frontend

import (
	"path/filepath"
	"strconv"
	"strings"

	"jacquard.example/generated/frontend"
)

// Source is the text of a shader.
type Source struct {
	File     string // name of the file for messages and debug information
	Line     int    // the line of File on which Text starts; 1 for a separate file
	Text     string
	Language string   // the name of a row of frontend.Languages
	Stage    string   // stage of the IR; empty if the module gives it
	Entry    string   // the entry point, in a language where it may be any function; empty for main
	Env      string   // spv1.0 … spv1.6, vulkan1.0 … vulkan1.3, vulkan1.1spv1.4; empty for vulkan1.1
	Dir      string   // the folder of the source, searched for included files; empty if there is none
	Include  []string // more folders to search for files
	Define   []string // macros, NAME or NAME=VALUE
}

// defaultEnv is the environment of sources that name none.
const defaultEnv = "vulkan1.1"

// whole returns the line for errors about the source as a whole: the line where it starts in a script, or 0 for a
// separate file.
func (s *Source) whole() int {
	if s.Line > 1 {
		return s.Line
	}
	return 0
}

// key returns the cache key of a module: all inputs of its translation.
func (s *Source) key() string {
	return strings.Join([]string{
		s.Language, s.Stage, s.Entry, s.Env, s.File, strconv.Itoa(s.Line), s.Dir,
		strings.Join(s.Include, "\x01"), strings.Join(s.Define, "\x01"), s.Text,
	}, "\x00")
}

// Language returns the row of a language, or nil if there is none.
func Language(name string) *frontend.Language {
	for i := range frontend.Languages {
		if l := &frontend.Languages[i]; l.Name == name {
			return l
		}
	}
	return nil
}

// Languages returns the names of the languages.
func Languages() (names []string) {
	for i := range frontend.Languages {
		names = append(names, frontend.Languages[i].Name)
	}
	return names
}

// Extension returns the row of a file name's extension, or nil if there is none.
func Extension(file string) *frontend.Extension {
	ext := strings.TrimPrefix(filepath.Ext(file), ".")
	for i := range frontend.Extensions {
		if e := &frontend.Extensions[i]; e.Name == ext && ext != "" {
			return e
		}
	}
	return nil
}

// StageOf returns the stage given by a file's name: by its extension or, if that names only a language, by the extension
// before it, as in x.frag.hlsl. It returns "" if there is none.
func StageOf(file string) string {
	e := Extension(file)
	if e != nil && e.Stage == frontend.FromFlag {
		e = Extension(strings.TrimSuffix(file, "."+e.Name))
	}
	if e == nil || e.Stage == frontend.FromFlag || e.Stage == frontend.FromModule {
		return ""
	}
	return e.Stage
}
