package ir

// LocatedError is an error about an instruction with a known location in the source.
type LocatedError struct {
	File         string
	Line, Column uint32
	Err          error
}

func (e *LocatedError) Error() string { return e.Err.Error() }
func (e *LocatedError) Unwrap() error { return e.Err }

// Located adds a location to an error, unless the location is unknown. The error's text does not change.
func (s *Shader) Located(err error, at Loc) error {
	file, line, column := s.LocOf(at)
	if line == 0 {
		return err
	}
	return &LocatedError{file, line, column, err}
}
