package jacquard

import (
	"errors"
	"fmt"
	"testing"

	"jacquard.example/backend/intel"
)

// TestCheckErrorIsInternal: a failed check is a defect of the compiler, reported with
// pass, function and instruction.
func TestCheckErrorIsInternal(t *testing.T) {
	check := &intel.CheckError{Pass: "allocate", Function: "main", Err: errors.New("block 3: add(8) r10:ud")}
	err := compileError("x.spv", fmt.Errorf("wrapped: %w", check))
	const want = "internal error in pass allocate, function main: block 3: add(8) r10:ud"
	var internal *InternalError
	if !errors.As(err, &internal) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	err = compileError("x.spv", errors.New("no room"))
	var input *Error
	if !errors.As(err, &input) || err.Error() != "x.spv: error: no room" {
		t.Errorf("got %v", err)
	}
}
