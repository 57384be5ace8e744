// SPDX-License-Identifier: MIT

package lavapipe

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"jacquard.example/core/texture"
)

// InChild is set in the environment of a process that runs the driver for another one.
const InChild = "JACQUARD_LAVAPIPE_CHILD"

// A Runner runs dispatches and draws: a Device in this process, or a Child in a process of its own.
type Runner interface {
	Run(*Dispatch) error
	Draw(*Draw) error
}

// message is a dispatch, or a draw, sent to another process, with the names of formats instead of the
// formats.
type message struct {
	Dispatch *Dispatch
	Draw     *Draw
	Formats  []string
}

// formats returns pointers to all formats in a message; a format may be nil.
func (m *message) formats() (out []**texture.Format) {
	for i := range m.bindings() {
		out = append(out, &m.bindings()[i].Format)
	}
	if m.Draw == nil {
		return out
	}
	s := &m.Draw.State
	for i := range s.Attributes {
		out = append(out, &s.Attributes[i].Format)
	}
	for i := range s.Colors {
		c := &s.Colors[i]
		out = append(out, &c.Format)
		if c.Resolve != nil {
			out = append(out, &c.Resolve.Format)
		}
	}
	return append(out, &s.Depth.Attachment.Format)
}

func (m *message) bindings() []Binding {
	if m.Draw != nil {
		return m.Draw.Bindings
	}
	return m.Dispatch.Bindings
}

// results returns the data that a run replaces.
func (m *message) results() (out [][]byte) {
	for i := range m.bindings() {
		out = append(out, m.bindings()[i].Data)
	}
	if m.Draw == nil {
		for i := range m.Dispatch.Memory {
			out = append(out, m.Dispatch.Memory[i].Data)
		}
		return out
	}
	s := &m.Draw.State
	for i := range s.Colors {
		c := &s.Colors[i]
		out = append(out, c.Data)
		if c.Resolve != nil {
			out = append(out, c.Resolve.Data)
		}
	}
	return append(out, s.Depth.Attachment.Data)
}

// answer is the reply of the other process: the value of message.results.
type answer struct {
	Data [][]byte
	Err  string
}

// Serve runs incoming dispatches and draws on lavapipe until the parent exits. A test binary that has [InChild] in
// its environment calls it instead of running its tests.
func Serve() error {
	device, err := Open()
	if err != nil {
		return err
	}
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.NewFile(3, "answers"))
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			return err
		}
		var a answer
		if err := m.run(device); err != nil {
			a.Err = err.Error()
		}
		a.Data = m.results()
		if err := out.Encode(&a); err != nil {
			return err
		}
	}
}

func (m *message) run(device *Device) error {
	for i, to := range m.formats() {
		name := m.Formats[i]
		if name == "" {
			continue
		}
		f, err := texture.Named(name)
		if err != nil {
			return err
		}
		*to = f
	}
	if m.Draw != nil {
		return device.Draw(m.Draw)
	}
	return device.Run(m.Dispatch)
}

// A Child is a process that runs the driver: lavapipe trusts its input, so a shader can crash
// its process, or never end. The process is this test's own binary, whose TestMain calls
// [Serve]. A Child is safe for concurrent use; dispatches run one after the other.
type Child struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  *gob.Encoder
	out *gob.Decoder
	end func()
}

// patience is the time limit for a shader on lavapipe, including compilation.
const patience = 10 * time.Second

// The errors of Run and Draw if the shader crashed the process or exceeded the time limit.
var (
	ErrEnded   = errors.New("lavapipe takes the process down")
	ErrEndless = fmt.Errorf("lavapipe takes longer than %v", patience)
)

// Run sends a dispatch to the process, starting it if necessary, and replaces the data of the
// bindings as [Device.Run] does. After [ErrEnded] and [ErrEndless] the process is gone.
func (c *Child) Run(d *Dispatch) error {
	w := *d
	w.Bindings = slices.Clone(d.Bindings)
	return c.send(&message{Dispatch: &w})
}

// Draw sends a draw to the process, as Run does a dispatch.
func (c *Child) Draw(d *Draw) error {
	w := *d
	w.Bindings = slices.Clone(d.Bindings)
	w.State.Attributes = slices.Clone(d.State.Attributes)
	w.State.Colors = slices.Clone(d.State.Colors)
	for i := range w.State.Colors {
		if to := w.State.Colors[i].Resolve; to != nil {
			resolve := *to
			w.State.Colors[i].Resolve = &resolve
		}
	}
	return c.send(&message{Draw: &w})
}

// send runs a message, whose formats it changes, and replaces the data that it refers to.
func (c *Child) send(m *message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return err
		}
	}
	for _, f := range m.formats() {
		name := ""
		if *f != nil {
			name = (*f).Name
		}
		m.Formats = append(m.Formats, name)
		*f = nil
	}
	type got struct {
		answer
		err error
	}
	done := make(chan got, 1)
	in, out := c.in, c.out
	go func() {
		var g got
		if g.err = in.Encode(m); g.err == nil {
			g.err = out.Decode(&g.answer)
		}
		done <- g
	}()
	select {
	case g := <-done:
		if g.err != nil {
			c.stop()
			return ErrEnded
		}
		if g.Err != "" {
			return errors.New(g.Err)
		}
		for i, data := range m.results() {
			copy(data, g.Data[i])
		}
		return nil
	case <-time.After(patience):
		c.stop()
		return ErrEndless
	}
}

func (c *Child) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), InChild+"=1", "LP_NUM_THREADS=1")
	cmd.ExtraFiles = []*os.File{write}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	write.Close()
	if err != nil {
		read.Close()
		return err
	}
	c.cmd, c.in, c.out = cmd, gob.NewEncoder(stdin), gob.NewDecoder(read)
	c.end = func() { stdin.Close(); read.Close() }
	return nil
}

// Stop ends the process, if there is one.
func (c *Child) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
}

func (c *Child) stop() {
	if c.cmd == nil {
		return
	}
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.end()
	c.cmd = nil
}
