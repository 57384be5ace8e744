// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/picture"
)

// unreported are features of shaders that the peer compiles although its driver does not report them for the machine
// (vulkaninfo with Mesa 25.0.7): its code for them means nothing. They are known by our errors.
var unreported = []struct {
	refused *regexp.Regexp
	feature string
}{
	{regexp.MustCompile(`less than 32 bits|at (8|16) bits`), "shaderFloat16, shaderInt16, shaderInt8, storage of 8 and 16 bits"},
	{regexp.MustCompile(`64-bit floats|at 64 bits`), "shaderFloat64, shaderInt64"},
	{regexp.MustCompile(`vote_|ballot|subgroup|elect|shuffle|quad_`), "subgroupSupportedStages: vertex"},
	{regexp.MustCompile(`image_store|image_atomic`), "vertexPipelineStoresAndAtomics"},
	{regexp.MustCompile(`clip and cull distances`), "more than maxCombinedClipAndCullDistances"},
	{regexp.MustCompile(`physical addresses`), "bufferDeviceAddress"},
	{regexp.MustCompile(`PerViewAttributesNV`), "VK_NVX_multiview_per_view_attributes"},
}

// featureOf returns the feature that the peer does not report and an error refuses, or "".
func featureOf(why string) string {
	for _, u := range unreported {
		if u.refused.MatchString(why) {
			return u.feature
		}
	}
	return ""
}

// coverage is what becomes of a vertex shader.
type coverage struct {
	name    string
	absent  bool   // the peer makes no code
	refused string // our error, if we make none
	wrong   string // how the draw differs from the interpreter's
	undrawn string // the reason why there is no draw to compare
}

// covering draws scripts: it compiles vertex shaders with both compilers, and runs ours.
type covering struct {
	*match
	p        *opponent
	result   coverage
	compared int // components of outputs, and buffers
}

// errRefused is the error for a vertex shader that one of the compilers does not compile.
var errRefused = errors.New("a compiler refuses the shader")

// compile compiles a vertex shader with both compilers.
func (m *covering) compile(ctx context.Context, s *peer.Shader) error {
	if _, err := m.p.Compile(ctx, s); err != nil {
		m.result.absent = true
		return errRefused
	}
	o := jacquard.Options{Target: jacquard.Target(m.p.Machine.Name), Stage: jacquard.Stage(kind.StageVertex.String()), Entry: s.Entry}
	for _, x := range s.Specialize {
		o.Specialize = append(o.Specialize, jacquard.Specialization{ID: x.ID, Bits: x.Bits, Size: x.Size})
	}
	if _, err := jacquard.Compile(ctx, s.Module, o); err != nil {
		m.result.refused = strings.Join(strings.Fields(err.Error()), " ")
		return errRefused
	}
	return nil
}

// Draw implements runner.Drawer.
func (m *covering) Draw(ctx context.Context, c *runner.DrawCall) error {
	module, err := m.module(ctx, c.Vertex.Shader)
	if err != nil {
		return err
	}
	s := &peer.Shader{Module: module, Entry: c.Vertex.Entry, Stage: kind.StageVertex, Specialize: c.Vertex.Specialize}
	if err := m.compile(ctx, s); err != nil {
		return err
	}
	if err := m.interp.Draw(ctx, picture.Copy(c)); err != nil {
		return fmt.Errorf("the interpreter: %w", err)
	}
	generated := m.made != nil
	if generated && m.interp.Executed.Outside > 0 {
		return errors.New("it reads or writes outside of an array, a buffer or an image")
	}
	var copied *runner.DrawCall
	v := &peer.Vertices{Module: m.module, Program: func(ctx context.Context, c *runner.DrawCall) (*graphics.Program, error) {
		copied = c
		return m.ours[0].VertexProgram(ctx, c)
	}}
	switch err := v.Draw(ctx, c); {
	case errors.Is(err, peer.ErrUndefined):
		return err
	case err != nil && sharedBinding.MatchString(err.Error()):
		return fmt.Errorf("several resources have one binding: %w", err)
	case err != nil:
		m.result.wrong = strings.Join(strings.Fields(err.Error()), " ")
		return nil
	}
	m.compared += v.Compared
	for i := range c.Bindings {
		a, b := &c.Bindings[i], &copied.Bindings[i]
		if !generated || !a.Kind.Writes() { // fragment shaders of scripts may write, too
			continue
		}
		if m.compared++; !bytes.Equal(a.Data, b.Data) {
			m.result.wrong = fmt.Sprintf("set %d binding %d differs", a.Set, a.Binding)
		}
	}
	return nil
}

// sharedBinding matches errors of draws whose resources of several kinds have the same binding: generated draws have only
// one of them.
var sharedBinding = regexp.MustCompile(`is bound as \w+, but the shader declares|which is a buffer without a format`)

// cover returns what becomes of the vertex shader of a script, or of a module's entry point.
func cover(ctx context.Context, p *opponent, d *drawn, s *peer.Shader) (coverage, error) {
	m := &covering{match: newMatch(p, d), p: p, result: coverage{name: d.name}}
	if s != nil && m.compile(ctx, s) != nil {
		return m.result, ctx.Err()
	}
	err := guard(func() error { return d.run(ctx, m) })
	switch {
	case ctx.Err() != nil:
		return m.result, ctx.Err()
	case errors.Is(err, errRefused):
	case err != nil && m.compared == 0: // expectations of a script need its fragments
		m.result.undrawn = strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), errUnfit.Error()+": ")
	case m.compared == 0 && m.result.wrong == "":
		m.result.undrawn = "it has no result"
	}
	return m.result, nil
}

// coveredScripts are the folders of scripts that draw.
var coveredScripts = []string{"tests/amber/graphics", "tests/suite/draw/testdata"}

// coverScripts covers the vertex shaders of scripts.
func coverScripts(ctx context.Context, p *opponent, root string) (list []coverage, err error) {
	for _, dir := range coveredScripts {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.amber"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".amber")
			script, translate, err := readScript(ctx, filepath.Dir(file), name)
			if err != nil {
				return nil, err
			}
			x, err := cover(ctx, p, &drawn{name: name, module: translate, run: running(script)}, nil)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
	}
	return list, nil
}

// coverCorpus covers the vertex shaders of the corpus.
func coverCorpus(ctx context.Context, p *opponent) (list []coverage, err error) {
	corpus, err := corpusModules(ctx)
	if err != nil {
		return nil, err
	}
	staged := modules.StagedIn(corpus, kind.StageVertex)
	for i, d := range drawnCorpusSet(corpus, kind.StageVertex, 0, true) {
		d.file = ""
		x, err := cover(ctx, p, &d, &peer.Shader{Module: staged[i].Module.SPIRV, Entry: staged[i].Entry, Stage: kind.StageVertex})
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// vertexCoverage writes how many vertex shaders of those that the peer compiles we compile, and how many draw as the
// interpreter does.
func vertexCoverage(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string) error {
	p := &opponent{c, vertexWidth}
	scripts, err := coverScripts(ctx, p, root)
	if err != nil {
		return err
	}
	corpus, err := coverCorpus(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, `# Vertex shaders that run

Of the vertex shaders that %s compiles for %s: how many we compile, and for how many every output of every vertex of a draw, and what they
write to memory, is the same on the model of the execution units and on the interpreter (package [tests/judge](../judge/doc.go), which wrote this file with -vertices -covered).
Features that the driver does not report are in shaders that it compiles all the same, to code that means nothing: these are counted apart. A draw cannot be compared
if none can be generated, or if its result is undefined.

| set | Mesa compiles | with features not reported | others | we compile | compared | the same | share that compiles and does not differ |
|---|---|---|---|---|---|---|---|
`, versionOf(c), c.Machine.Name)
	writeCoverage(out, "tests", scripts)
	writeCoverage(out, "corpus", corpus)
	for _, list := range [][]coverage{scripts, corpus} {
		listUncovered(out, list)
	}
	return nil
}

// writeCoverage writes the row of a set.
func writeCoverage(w io.Writer, name string, list []coverage) {
	theirs, beyond := 0, 0 // of the peer
	compiled, compared, same := 0, 0, 0
	for i := range list {
		x := &list[i]
		switch {
		case x.absent:
			continue
		case x.refused != "" && featureOf(x.refused) != "":
			beyond++
		case x.refused == "":
			compiled++
			if x.undrawn == "" {
				compared++
				if x.wrong == "" {
					same++
				}
			}
		}
		theirs++
	}
	good := compiled - (compared - same)
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %.1f %% |\n", name, theirs, beyond, theirs-beyond, compiled, compared, same,
		100*float64(good)/float64(max(theirs-beyond, 1)))
}

// listUncovered lists the shaders that are not compiled, or not drawn, with the reasons.
func listUncovered(w io.Writer, list []coverage) {
	for i := range list {
		x := &list[i]
		switch feature := featureOf(x.refused); {
		case x.absent:
		case feature != "":
			fmt.Fprintf(w, "\n- %s: not reported: %s (%s)", x.name, feature, x.refused)
		case x.refused != "":
			fmt.Fprintf(w, "\n- **%s**: %s", x.name, x.refused)
		case x.wrong != "":
			fmt.Fprintf(w, "\n- **%s**: it draws something else: %s", x.name, x.wrong)
		case x.undrawn != "":
			fmt.Fprintf(w, "\n- %s: compiled, not compared: %s", x.name, x.undrawn)
		}
	}
	fmt.Fprintln(w)
}
