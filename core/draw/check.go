// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"

	"jacquard.example/generated/kind"
)

// check returns an error if the state is not supported.
func (s *State) check() error {
	for i := range s.Attributes {
		a := &s.Attributes[i]
		if a.Location >= 32 {
			return fmt.Errorf("vertex attribute at location %d; the highest location is 31", a.Location)
		}
		if c := a.Format.Component(0); c != nil && c.Bits > 32 {
			return fmt.Errorf("vertex attributes of format %s are not supported yet", a.Format.Name)
		}
	}
	if s.samples() > MaxSamples || locations[s.samples()] == nil {
		return fmt.Errorf("%d samples; there can be 1, 2, 4, 8 or 16", s.Samples)
	}
	if int(s.Topology) >= len(shapes) {
		return fmt.Errorf("topology %d is unknown", s.Topology)
	}
	if len(s.Colors) > MaxColors {
		return fmt.Errorf("%d color attachments; there can be up to %d", len(s.Colors), MaxColors)
	}
	for i := range s.Colors {
		c := &s.Colors[i]
		if c.Format == nil {
			continue // no attachment
		}
		if err := s.fits(&c.Attachment, fmt.Sprintf("color attachment %d", i)); err != nil {
			return err
		}
		if c.Format.Depth() || HasStencil(c.Format) {
			return fmt.Errorf("color attachment %d has format %s, which is not a color format", i, c.Format.Name)
		}
		if c.Blend.Enabled && c.Format.Base != kind.BaseFloat {
			return fmt.Errorf("color attachment %d has format %s, which cannot be blended", i, c.Format.Name)
		}
	}
	d := &s.Depth.Attachment
	switch {
	case d.Format == nil:
		return nil
	case !d.Format.Depth() && !HasStencil(d.Format):
		return fmt.Errorf("the depth attachment has format %s, which has neither depths nor stencil values", d.Format.Name)
	}
	return s.fits(d, "the depth attachment")
}

// fits returns an error if an attachment does not match the framebuffer.
func (s *State) fits(a *Attachment, name string) error {
	switch {
	case a.Width < s.Width || a.Height < s.Height:
		return fmt.Errorf("%s has %dx%d pixels, but the framebuffer has %dx%d", name, a.Width, a.Height, s.Width, s.Height)
	case a.samples() != s.samples():
		return fmt.Errorf("%s has %d samples, but the framebuffer has %d", name, a.samples(), s.samples())
	case len(a.Data) < a.bytes():
		return fmt.Errorf("%s has %d bytes, but its texels take %d", name, len(a.Data), a.bytes())
	}
	return nil
}

// layers returns the number of layers that every attachment has.
func (s *State) layers() int {
	n := 0
	all := []*Attachment{&s.Depth.Attachment}
	for i := range s.Colors {
		all = append(all, &s.Colors[i].Attachment)
	}
	for _, a := range all {
		if k := max(a.Layers, 1); a.Format != nil && (n == 0 || k < n) {
			n = k
		}
	}
	return max(n, 1)
}
