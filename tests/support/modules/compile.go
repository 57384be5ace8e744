// SPDX-License-Identifier: MIT

package modules

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Module is a unit that was compiled.
type Module struct {
	Package string
	Name    string
	Stage   string // the unit's stage; "" if only the module determines it
	Env     string
	Way     string // "relaxed", "modern", "assembled" or "prebuilt"
	SPIRV   []byte
	Invalid string // message of spirv-val, or "" if the module is valid
}

// ID names a module in reports.
func (m *Module) ID() string { return m.Package + " " + m.Name }

// workers is the number of tools that run at once.
const workers = 2

// Compiler compiles units with stock tools and caches their output.
type Compiler struct {
	dir      string
	versions map[string]string
}

// NewCompiler returns a compiler. It asks the tools for their versions; a missing tool is an error.
func NewCompiler(ctx context.Context) (*Compiler, error) {
	cache, err := Cache()
	if err != nil {
		return nil, err
	}
	c := &Compiler{dir: filepath.Join(cache, "modules"), versions: map[string]string{}}
	for _, tool := range []string{"glslangValidator", "spirv-as", "spirv-val"} {
		out, err := exec.CommandContext(ctx, tool, "--version").Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tool, err)
		}
		c.versions[tool] = string(out)
	}
	return c, os.MkdirAll(c.dir, 0o755)
}

// All compiles units and returns the modules in the order of the units, without the units that do not compile.
func (c *Compiler) All(ctx context.Context, pkg string, units []Unit) ([]Module, error) {
	out := make([]Module, len(units))
	errs := make([]error, workers)
	next := make(chan int)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range next {
				m, err := c.unit(ctx, &units[i])
				if err != nil {
					errs[w] = fmt.Errorf("%s: %w", units[i].Name, err)
				} else if m != nil {
					m.Package = pkg
					out[i] = *m
				}
			}
		})
	}
	for i := range units {
		next <- i
	}
	close(next)
	wg.Wait()
	kept := out[:0]
	for _, m := range out {
		if m.SPIRV != nil {
			kept = append(kept, m)
		}
	}
	return kept, errors.Join(errs...)
}

// unit compiles one unit; the result is nil if no way of compiling it succeeds.
func (c *Compiler) unit(ctx context.Context, u *Unit) (*Module, error) {
	m := &Module{Name: u.Name, Stage: u.Stage, Env: u.Env}
	var err error
	switch u.Language {
	case Prebuilt:
		m.SPIRV, m.Way = u.Source, "prebuilt"
	case Assembly:
		env := strings.Replace(u.Env, "spirv", "spv", 1)
		m.SPIRV, _, err = c.run(ctx, u.Source, ".spvasm", true, "spirv-as", "--target-env", env, "--preserve-numeric-ids")
		m.Way = "assembled"
	default:
		glslang := []string{"glslangValidator", "-V", "-R", "--auto-map-bindings", "--auto-map-locations", "--target-env", u.Env, "-S", u.Stage}
		m.SPIRV, _, err = c.run(ctx, u.Source, "."+u.Stage, true, glslang...)
		m.Way = "relaxed"
		if err == nil && m.SPIRV == nil {
			m.SPIRV, _, err = c.run(ctx, []byte(modern(u.Stage, string(u.Source))), "."+u.Stage, true, glslang...)
			m.Way = "modern"
		}
	}
	if err != nil || m.SPIRV == nil {
		return nil, err
	}
	return m, c.validate(ctx, m)
}

// validate asks spirv-val about a module and sets m.Invalid.
func (c *Compiler) validate(ctx context.Context, m *Module) error {
	env := strings.Replace(m.Env, "spirv", "spv", 1)
	if env == "" {
		env = "vulkan1.1"
	}
	_, said, err := c.run(ctx, m.SPIRV, ".spv", false, "spirv-val", "--target-env", env, "--scalar-block-layout")
	m.Invalid = said
	return err
}

// run runs a tool on a file, or uses the cached result. out is the file that the tool wrote, or nil if it failed;
// said is then its message.
func (c *Compiler) run(ctx context.Context, in []byte, ext string, writes bool, args ...string) (out []byte, said string, err error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %d\n", args, c.versions[args[0]], len(in))
	h.Write(in)
	key := hex.EncodeToString(h.Sum(nil)[:20])
	base := filepath.Join(c.dir, key[:2], key[2:])
	if out, err := os.ReadFile(base + ".yes"); err == nil {
		return out, "", nil
	}
	if said, err := os.ReadFile(base + ".no"); err == nil {
		return nil, string(said), nil
	}
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return nil, "", err
	}
	tmp, err := os.MkdirTemp(c.dir, "run-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(tmp)
	src, dst := filepath.Join(tmp, "in"+ext), filepath.Join(tmp, "out")
	if err := os.WriteFile(src, in, 0o644); err != nil {
		return nil, "", err
	}
	argv := args[1:]
	if writes {
		argv = append(argv[:len(argv):len(argv)], "-o", dst)
	}
	cmd := exec.CommandContext(ctx, args[0], append(argv, src)...)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && ctx.Err() == nil:
		said = strings.TrimSpace(string(bytes.ReplaceAll(text, []byte(src), []byte("in"+ext))))
		if said == "" {
			said = exit.Error()
		}
		return nil, said, keep(base+".no", []byte(said))
	case err != nil:
		return nil, "", err
	}
	if writes {
		if out, err = os.ReadFile(dst); err != nil {
			return nil, "", err
		}
	}
	return out, "", keep(base+".yes", out)
}

// keep writes a file atomically.
func keep(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "new-")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
