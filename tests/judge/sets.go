// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/spv"
	"jacquard.example/tests/support/synth"
)

// entry is a shader to judge, with the dispatches that it is judged by.
type entry struct {
	name   string
	file   string // name of a module in a folder
	source string // of a module of the corpus
	module []byte
	scale  float64 // scale of the numbers that it computes with
	// generated marks a shader with generated inputs: results that depend on the order of invocations, on undefined values or
	// on more precision than SPIR-V guarantees are not compared.
	generated bool
	// prepare, if not nil, generates the inputs. It returns the reason why there are none, or "".
	prepare func(context.Context, *entry) string
	run     func(context.Context, runner.Engine) error
}

// samples are the scripts of tests/amber that are judged.
var samples = []string{"saxpy", "matmul", "nbody", "bitonic"}

// sampleSet reads the samples below the project's root.
func sampleSet(ctx context.Context, root string) (set []entry, err error) {
	for _, name := range samples {
		script, translate, err := readScript(ctx, filepath.Join(root, "tests", "amber"), name)
		if err != nil {
			return nil, err
		}
		if len(script.Shaders) != 1 {
			return nil, fmt.Errorf("%s has %d shaders", name, len(script.Shaders))
		}
		module, err := translate(ctx, script.Shaders[0])
		if err != nil {
			return nil, err
		}
		set = append(set, entry{name: name, module: module, scale: 1, run: running(script)})
	}
	return set, nil
}

// readScript reads a script, and returns a function that translates its shaders.
func readScript(ctx context.Context, dir, name string) (*runner.Script, engine.Module, error) {
	file := name + ".amber"
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, nil, err
	}
	script, err := amber.ParseIn(ctx, os.DirFS(dir), file, text)
	if err != nil {
		return nil, nil, err
	}
	var cache tools.Cache
	return script, func(ctx context.Context, s *runner.Shader) ([]byte, error) { return cache.Shader(ctx, file, s) }, nil
}

// running returns a function that runs a script; its error is the first expectation that fails, if nothing else does.
func running(script *runner.Script) func(context.Context, runner.Engine) error {
	return func(ctx context.Context, e runner.Engine) error {
		report, err := script.Run(ctx, e)
		if errs := report.Errors(); err == nil && len(errs) > 0 {
			err = errs[0]
		}
		return err
	}
}

// canvas lets positions in the renderer's picture differ by a 32nd of a texel: path_coarse
// finds them by dividing lengths that it adds up.
const canvas = 1 << 16

// rendererSet fetches the stages of the renderer that have no images.
func rendererSet() (set []entry, err error) {
	dir, err := renderer.Fetch()
	if err != nil {
		return nil, err
	}
	files, err := renderer.Modules(dir)
	if err != nil {
		return nil, err
	}
	for _, in := range renderer.Inputs() {
		words, err := renderer.Load(files[in.Stage])
		if err != nil {
			return nil, err
		}
		set = append(set, entry{name: in.Stage, module: spv.Bytes(words), scale: canvas,
			run: func(ctx context.Context, e runner.Engine) error {
				return e.Dispatch(ctx, picture.CopyDispatch(in.Call(words))) // a call changes its buffers
			}})
	}
	return set, nil
}

// corpusSet loads the compute shaders of the corpus, in the order of their hashes.
func corpusSet(ctx context.Context) (set []entry, err error) {
	list, err := corpusModules(ctx)
	if err != nil {
		return nil, err
	}
	return withInputs(ctx, list, mostVariants), nil
}

// corpusModules loads all of the corpus.
func corpusModules(ctx context.Context) (list []modules.Module, err error) {
	c, err := modules.NewCompiler(ctx)
	if err != nil {
		return nil, err
	}
	for i := range modules.Packages {
		some, _, err := modules.Load(ctx, c, &modules.Packages[i], 0)
		if err != nil {
			return nil, err
		}
		list = slices.Concat(list, some)
	}
	return list, nil
}

// folderSet loads the compute shaders in the .spv files of a folder. Shaders are named by
// their hashes, like shaders of the corpus.
func folderSet(ctx context.Context, dir string) ([]entry, error) {
	list, err := folderModules(dir)
	if err != nil {
		return nil, err
	}
	set := withInputs(ctx, list, 0)
	for i := range set {
		hash := strings.Fields(set[i].name)[0]
		k := slices.IndexFunc(list, func(m modules.Module) bool { return hashOf(m.SPIRV) == hash })
		set[i].file = strings.TrimSuffix(list[k].Name, ".spv")
	}
	return set, nil
}

// folderModules loads the modules in the .spv files of a folder.
func folderModules(dir string) (list []modules.Module, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.spv"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no set %q, nor a folder of that name with .spv files", dir)
	}
	for _, file := range files {
		module, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		list = append(list, modules.Module{Name: filepath.Base(file), SPIRV: module})
	}
	return list, nil
}

// hashOf returns the first bytes of a module's hash, by which it is named.
func hashOf(module []byte) string {
	hash := sha256.Sum256(module)
	return hex.EncodeToString(hash[:6])
}

// mostVariants is the maximum number of variants of a source in the corpus that are judged. Generators make one for
// each type.
const mostVariants = 3

// withInputs returns the compute entry points of modules, each once, with generated inputs, in the order of their hashes. It
// takes at most some variants of a source (0 means all).
func withInputs(ctx context.Context, list []modules.Module, most int) (set []entry) {
	for i := range list {
		m := &list[i]
		for _, e := range modules.Entries(m.SPIRV) {
			if modules.Models[e.Model] == "compute" && ctx.Err() == nil {
				x := generatedEntry(hashOf(m.SPIRV)+" "+e.Name, m, e.Name)
				x.source = sourceOf(m.Name)
				set = append(set, x)
			}
		}
	}
	slices.SortStableFunc(set, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	set = slices.CompactFunc(set, func(a, b entry) bool { return a.name == b.name })
	count := map[string]int{}
	return slices.DeleteFunc(set, func(e entry) bool {
		count[e.source]++
		return most > 0 && count[e.source] > most
	})
}

// typeName is the name of a type in the name of a generated shader.
var typeName = regexp.MustCompile(`^([iubd]|[iu]64|f16)?(vec[234]|mat[234](x[234])?)$|^(bool|u?int(64_t)?|float|double)$`)

// sourceOf returns the name that variants of a source share: a shader's without its folder, its suffixes and the types
// that a generator has chosen.
func sourceOf(name string) string {
	base, _, _ := strings.Cut(path.Base(name), ".")
	var kept []string
	for _, part := range strings.Split(base, "-") {
		if !typeName.MatchString(part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "-")
}

// search bounds the search for inputs of a shader.
var search = synth.Limits{Run: 1 << 18, Total: 3 << 19}

// generatedEntry returns an entry point with generated inputs.
func generatedEntry(name string, m *modules.Module, point string) entry {
	var d *synth.Dispatch
	out := entry{name: name, module: m.SPIRV, scale: 4, generated: true,
		run: func(ctx context.Context, e runner.Engine) error {
			return e.Dispatch(ctx, picture.CopyDispatch(&d.Call))
		}}
	out.prepare = func(ctx context.Context, e *entry) string {
		if m.Invalid != "" {
			return "the module is not valid"
		}
		var err error
		if err = guard(func() error { d, _, err = synth.Busy(ctx, m.SPIRV, point, search); return err }); err != nil {
			return strings.Join(strings.Fields(err.Error()), " ")
		}
		switch {
		case !d.Writes:
			return "it writes nothing"
		case d.SharedAtomics64:
			return "the peer does not offer 64-bit atomics on workgroup memory, and makes messages of them that do not exist"
		}
		return ""
	}
	return out
}
