// SPDX-License-Identifier: MIT

//go:build !linux || !(amd64 || arm64)

package lavapipe

import "errors"

// ErrMissing reports that the driver cannot be loaded on this platform.
var ErrMissing = errors.New("lavapipe is loaded on linux/amd64 and linux/arm64 only")

// A Device never exists on this platform.
type Device struct{}

// Open fails on this platform.
func Open() (*Device, error) { return nil, ErrMissing }

// Name returns "".
func (*Device) Name() string { return "" }

// Subgroup returns 0.
func (*Device) Subgroup() int { return 0 }

// Has returns false.
func (*Device) Has(string) bool { return false }

// Run fails on this platform.
func (*Device) Run(*Dispatch) error { return ErrMissing }

// Draw fails on this platform.
func (*Device) Draw(*Draw) error { return ErrMissing }
