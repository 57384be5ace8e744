// SPDX-License-Identifier: MIT

package pass

import (
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// AddressFormat is the form of the addresses in memory accesses.
type AddressFormat = target.AddressFormat

// The formats to which accesses to uniform and storage buffers can be lowered. Addresses are computed from the buffer's
// descriptor.
const (
	IndexOffset = target.IndexOffset
	Address64   = target.Address64
	Bounded64   = target.Bounded64
)

// BufferFormats lists the address formats of buffers with their names.
var BufferFormats = []struct {
	Name   string
	Format AddressFormat
}{{"index-offset", IndexOffset}, {"address64", Address64}, {"bounded64", Bounded64}}

// BufferFormat finds a format of buffers by its name.
func BufferFormat(name string) (f AddressFormat, ok bool) {
	for _, x := range BufferFormats {
		if x.Name == name {
			return x.Format, true
		}
	}
	return 0, false
}

// BufferFormat returns the format of accesses to uniform or storage buffers. atomics is the size in bits of an atomic
// access, or 0 for other accesses.
func (c *Context) BufferFormat(mode kind.Mode, atomics uint8) AddressFormat {
	f := c.Target().Format(mode, atomics)
	if o := &c.Options; o.Buffers == Address64 || o.Buffers == Bounded64 {
		f = o.Buffers
	}
	if f == Address64 && c.Options.Robust {
		f = Bounded64
	}
	return f
}
