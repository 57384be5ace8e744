package match

import "fmt"

// Error is why.
type Error struct{ Msg string }

func (e *Error) Error() string { return fmt.Sprintf("match: %s", e.Msg) }

func (s *state) fail(format string, args ...any) { s.name = fmt.Sprintf(format, args...) }

func check(n int) *Error {
	if n > 4 {
		return &Error{Msg: fmt.Sprintf("%d sources", n)}
	}
	if n < 0 {
		panic(fmt.Sprintf("match: %d sources", n))
	}
	return nil
}
