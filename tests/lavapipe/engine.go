package lavapipe

import (
	"context"
	"encoding/binary"
	"fmt"

	"jacquard.example/core/amber"
)

// An Engine runs the dispatches of AmberScript on a device.
type Engine struct {
	Device *Device
	// Module compiles a shader of a script.
	Module func(*amber.Shader) ([]uint32, error)
}

// Dispatch runs one RUN command.
func (e *Engine) Dispatch(_ context.Context, c *amber.Call) error {
	words, err := e.Module(c.Shader)
	if err != nil {
		return err
	}
	d := &Dispatch{Words: words, Entry: c.Entry, Push: c.PushConstants, Groups: c.Groups}
	if c.Subgroup != (amber.Subgroup{}) {
		return fmt.Errorf("lavapipe has one subgroup size and takes no requirement")
	}
	for _, s := range c.Specialize {
		value := binary.LittleEndian.AppendUint64(nil, s.Bits)
		d.Specs = append(d.Specs, Spec{ID: s.ID, Value: value[:s.Size]})
	}
	for _, b := range c.Bindings {
		kind := Storage
		if b.Kind == amber.Uniform {
			kind = Uniform
		}
		d.Bindings = append(d.Bindings, Binding{Set: b.Set, Binding: b.Binding, Kind: kind, Data: b.Data})
	}
	return e.Device.Run(d)
}
