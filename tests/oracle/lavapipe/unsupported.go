//go:build !linux || !(amd64 || arm64)

package lavapipe

import "errors"

// ErrMissing says that the driver cannot be loaded on this platform.
var ErrMissing = errors.New("lavapipe is loaded on linux/amd64 and linux/arm64 only")

// A Device never exists on this platform.
type Device struct{}

// Open fails on this platform.
func Open() (*Device, error) { return nil, ErrMissing }

// Name is empty.
func (*Device) Name() string { return "" }

// Subgroup is 0.
func (*Device) Subgroup() int { return 0 }

// Has says no.
func (*Device) Has(string) bool { return false }

// Run fails on this platform.
func (*Device) Run(*Dispatch) error { return ErrMissing }
