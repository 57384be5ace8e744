package corpus

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"jacquard.example/core/texture"
	"jacquard.example/tests/oracle/lavapipe"
)

// dispatch is a lavapipe.Dispatch that can be sent to another process.
type dispatch struct {
	Words    []uint32
	Entry    string
	Push     []byte
	Groups   [3]uint32
	Bindings []lavapipe.Binding // without formats
	Formats  []string           // of each of Bindings
}

// answer is what the other process says: the data of all bindings.
type answer struct {
	Data [][]byte
	Err  string
}

// inChild is set in the environment of the process that has the driver.
const inChild = "JACQUARD_LAVAPIPE_CHILD"

// Serve runs what comes in on lavapipe until the parent ends. A test binary
// that has [inChild] in its environment calls it instead of its tests.
func Serve() error {
	device, err := lavapipe.Open()
	if err != nil {
		return err
	}
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.NewFile(3, "answers"))
	for {
		var d dispatch
		if err := in.Decode(&d); err != nil {
			return err
		}
		var a answer
		if err := d.run(device); err != nil {
			a.Err = err.Error()
		}
		for i := range d.Bindings {
			a.Data = append(a.Data, d.Bindings[i].Data)
		}
		if err := out.Encode(&a); err != nil {
			return err
		}
	}
}

func (d *dispatch) run(device *lavapipe.Device) error {
	for i, name := range d.Formats {
		if name == "" {
			continue
		}
		f, err := texture.Named(name)
		if err != nil {
			return err
		}
		d.Bindings[i].Format = f
	}
	return device.Run(&lavapipe.Dispatch{Words: d.Words, Entry: d.Entry, Push: d.Push, Groups: d.Groups, Bindings: d.Bindings})
}

// child is the process that has the driver: lavapipe trusts its input, so a
// shader can take down the process that it runs in, or never end.
type child struct {
	cmd *exec.Cmd
	in  *gob.Encoder
	out *gob.Decoder
	end func()
}

// patience is how long a shader may take on lavapipe, compiling included.
const patience = 10 * time.Second

var (
	errEnded   = errors.New("lavapipe takes the process down")
	errEndless = fmt.Errorf("lavapipe takes longer than %v", patience)
)

// run sends a dispatch to the child, which is started if there is none. It is
// gone after [errEnded] and [errEndless].
func (c *child) run(d *dispatch) (*answer, error) {
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	type got struct {
		answer
		err error
	}
	done := make(chan got, 1)
	in, out := c.in, c.out
	go func() {
		var g got
		if g.err = in.Encode(d); g.err == nil {
			g.err = out.Decode(&g.answer)
		}
		done <- g
	}()
	select {
	case g := <-done:
		if g.err != nil {
			c.stop()
			return nil, errEnded
		}
		if g.Err != "" {
			return nil, errors.New(g.Err)
		}
		return &g.answer, nil
	case <-time.After(patience):
		c.stop()
		return nil, errEndless
	}
}

func (c *child) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), inChild+"=1", "LP_NUM_THREADS=1")
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
	*c = child{cmd: cmd, in: gob.NewEncoder(stdin), out: gob.NewDecoder(read), end: func() { stdin.Close(); read.Close() }}
	return nil
}

// stop ends the child.
func (c *child) stop() {
	if c.cmd == nil {
		return
	}
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.end()
	*c = child{}
}
