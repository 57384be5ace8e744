// SPDX-License-Identifier: MIT

package tools

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"jacquard.example/backend/run/frontend"
	"jacquard.example/backend/run/runner"
)

// Cache keeps the modules of shaders, so that identical source is translated once. It may be used by several
// goroutines. The zero value is an empty cache.
type Cache struct{ frontend.Cache }

// laterEnvs are the environments to try for a shader that names none and is not valid
// in the default one: Amber takes such an environment from its command line.
var laterEnvs = []string{"spv1.3", "spv1.4", "spv1.6"}

// Shader returns the module of a script's shader, after the passes of its
// pipeline. file is the script's name.
func (c *Cache) Shader(ctx context.Context, file string, s *runner.Shader) ([]byte, error) {
	module, err := c.module(ctx, file, s)
	return module, inScript(err)
}

// inScript returns errors about a shader's source as errors about the script.
func inScript(err error) error {
	switch e := err.(type) {
	case *frontend.Error:
		return &runner.Error{File: e.File, Pos: runner.Pos{Line: e.Line, Col: e.Column}, Msg: e.Msg, Err: err}
	case *frontend.MissingError:
		return &runner.Error{File: e.Err.File, Msg: e.Err.Msg, Err: err}
	case interface{ Unwrap() []error }:
		list := slices.Clone(e.Unwrap())
		for i := range list {
			list[i] = inScript(list[i])
		}
		return errors.Join(list...)
	}
	return err
}

// module returns the module of a shader.
func (c *Cache) module(ctx context.Context, file string, s *runner.Shader) ([]byte, error) {
	module, err := c.source(ctx, file, s)
	if err != nil || len(s.Passes) == 0 {
		return module, err
	}
	key := strings.Join(append([]string{"opt", string(module)}, s.Passes...), "\x00")
	return c.Keep(key, func() ([]byte, error) {
		return frontend.Optimize(ctx, &frontend.Source{File: file, Line: s.Line, Text: string(module)}, s.Passes)
	})
}

// languages are the languages of the formats that are translated.
var languages = map[runner.Format]string{runner.GLSL: "glsl", runner.SPIRVAsm: "spvasm"}

// source returns the module for a shader's text or words.
func (c *Cache) source(ctx context.Context, file string, s *runner.Shader) ([]byte, error) {
	if language := languages[s.Format]; language != "" {
		src := frontend.Source{File: file, Line: s.Line, Text: s.Source, Language: language, Stage: s.Stage.String(), Env: s.TargetEnv}
		module, err := c.Translate(ctx, &src)
		if err == nil || !s.AnyEnv || ctx.Err() != nil {
			return module, err
		}
		for _, src.Env = range laterEnvs {
			if module, later := c.Translate(ctx, &src); later == nil {
				return module, nil
			}
		}
		return nil, err
	}
	module := make([]byte, 0, 4*len(s.Words))
	for _, w := range s.Words {
		module = binary.LittleEndian.AppendUint32(module, w)
	}
	return module, nil
}
