// SPDX-License-Identifier: MIT

package ir

// Loc is a handle of a location in the shader's source; 0 if unknown.
type Loc uint32

// Location is a location in the shader's source. The line is 0 if it is unknown.
type Location struct {
	File         Str
	Line, Column uint32
}

// Locations is the table of locations in a shader's source.
type Locations struct{ list []Location }

func (t *Locations) reset() { t.list = append(t.list[:0], Location{}) }

// New returns a handle for a location. Consecutive calls with the same location return
// the same handle.
func (t *Locations) New(x Location) Loc {
	if n := len(t.list); t.list[n-1] == x {
		return Loc(n - 1)
	}
	t.list = append(t.list, x)
	return Loc(len(t.list) - 1)
}

// At returns the location that a handle names, or an unknown location if there is no such handle.
func (t *Locations) At(l Loc) Location {
	if int(l) >= len(t.list) {
		return Location{}
	}
	return t.list[l]
}

// Num returns one more than the last handle.
func (t *Locations) Num() int { return len(t.list) }

// LocatedError is an error about an instruction with a known location in the source.
type LocatedError struct {
	File         string
	Line, Column uint32
	Err          error
}

func (e *LocatedError) Error() string { return e.Err.Error() }
func (e *LocatedError) Unwrap() error { return e.Err }

// Located adds a location in a shader's source to an error, unless the location is unknown. The error's text does not
// change.
func Located(s *Shader, err error, at Loc) error {
	x := s.Locs.At(at)
	if x.Line == 0 {
		return err
	}
	return &LocatedError{s.Strs.Text(x.File), x.Line, x.Column, err}
}
