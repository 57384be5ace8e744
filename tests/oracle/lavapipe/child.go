package lavapipe

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"jacquard.example/core/texture"
)

// InChild is set in the environment of a process that runs the driver for another one.
const InChild = "JACQUARD_LAVAPIPE_CHILD"

// A Runner runs dispatches: a Device in this process, or a Child in its own.
type Runner interface {
	Run(*Dispatch) error
}

// message is a dispatch sent to another process, with the names of formats instead of the
// formats.
type message struct {
	Dispatch
	Formats []string
}

// answer is the reply of the other process: the data of all bindings, then of all memory.
type answer struct {
	Data [][]byte
	Err  string
}

// Serve runs incoming dispatches on lavapipe until the parent exits. A test binary that has
// [InChild] in its environment calls it instead of running its tests.
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
		for i := range m.Bindings {
			a.Data = append(a.Data, m.Bindings[i].Data)
		}
		for i := range m.Memory {
			a.Data = append(a.Data, m.Memory[i].Data)
		}
		if err := out.Encode(&a); err != nil {
			return err
		}
	}
}

func (m *message) run(device *Device) error {
	for i, name := range m.Formats {
		if name == "" {
			continue
		}
		f, err := texture.Named(name)
		if err != nil {
			return err
		}
		m.Bindings[i].Format = f
	}
	return device.Run(&m.Dispatch)
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

// Errors of Run when the shader crashed the process or exceeded the time limit.
var (
	ErrEnded   = errors.New("lavapipe takes the process down")
	ErrEndless = fmt.Errorf("lavapipe takes longer than %v", patience)
)

// Run sends a dispatch to the process, starting it if necessary, and replaces the data of the
// bindings as [Device.Run] does. After [ErrEnded] and [ErrEndless] the process is gone.
func (c *Child) Run(d *Dispatch) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return err
		}
	}
	m := &message{Dispatch: *d}
	m.Bindings = append([]Binding(nil), d.Bindings...)
	for i := range m.Bindings {
		name := ""
		if f := m.Bindings[i].Format; f != nil {
			name = f.Name
		}
		m.Formats = append(m.Formats, name)
		m.Bindings[i].Format = nil
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
		for i := range d.Bindings {
			copy(d.Bindings[i].Data, g.Data[i])
		}
		for i := range d.Memory {
			copy(d.Memory[i].Data, g.Data[len(d.Bindings)+i])
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
