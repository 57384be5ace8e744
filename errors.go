// SPDX-License-Identifier: MIT

package jacquard

import "jacquard.example/backend/driver"

// Error is an error in the input or the options, with its position.
type Error = driver.Error

// InternalError is a defect of the compiler: no input should cause one.
type InternalError = driver.InternalError

// ErrUnsupported marks errors about valid input that requires a feature which the compiler or the target lacks, or that
// exceeds a limit of the target; test for it with errors.Is. Other errors are about invalid input or options, or an
// exceeded budget of package core/work.
var ErrUnsupported = driver.ErrUnsupported
