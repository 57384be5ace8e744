package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/tests/suite/corpus"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/spv"
)

// entry is a shader to be judged, and the dispatches that it is judged by.
type entry struct {
	name   string
	module []byte
	scale  float64 // of the numbers that it computes with
	// anyOrder marks a shader whose results depend on the order of invocations; they are not compared.
	anyOrder bool
	// unfit, if not nil, returns the reason why the shader cannot be judged, or "" if it can.
	unfit func(context.Context) string
	run   func(context.Context, runner.Engine) error
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
				return e.Dispatch(ctx, clone(in.Call(words))) // a call changes its buffers
			}})
	}
	return set, nil
}

// corpusSet loads the compute shaders of the corpus that access only buffers, in the order
// of their hashes.
func corpusSet(ctx context.Context) (set []entry, err error) {
	list, err := corpusModules(ctx)
	if err != nil {
		return nil, err
	}
	return madeUp(ctx, list), nil
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

// folderSet loads the compute shaders in the .spv files of a folder that access only buffers. Shaders are named by
// their hashes, like shaders of the corpus.
func folderSet(ctx context.Context, dir string) ([]entry, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.spv"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no set %q, nor a folder of that name with .spv files", dir)
	}
	var list []modules.Module
	for _, file := range files {
		module, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		list = append(list, modules.Module{Name: filepath.Base(file), SPIRV: module})
	}
	return madeUp(ctx, list), nil
}

// madeUp returns the modules that access only buffers, with made-up inputs, in the order of
// their hashes.
func madeUp(ctx context.Context, list []modules.Module) (set []entry) {
	for _, w := range corpus.Workloads(ctx, list) {
		unfit := func(ctx context.Context) string {
			if w.HasSharedAtomics64() {
				return "the peer does not offer 64-bit atomics on workgroup memory, and makes messages of them that do not exist"
			}
			return w.Unfit(ctx)
		}
		set = append(set, entry{name: w.ID, module: w.Module.SPIRV, scale: 4, anyOrder: true, unfit: unfit,
			run: func(ctx context.Context, e runner.Engine) error {
				return e.Dispatch(ctx, w.Call())
			}})
	}
	return set
}
