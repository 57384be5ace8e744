// SPDX-License-Identifier: MIT

package lavapipe

import (
	"errors"
	"testing"

	"jacquard.example/tests/oracle"
)

// Need returns the device. If the driver is not installed, the test is skipped, or failed in
// CI, with one line that names the Debian package.
func Need(t testing.TB) *Device {
	t.Helper()
	d, err := Open()
	if errors.Is(err, ErrMissing) {
		oracle.Missing(t, "lavapipe", "mesa-vulkan-drivers")
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}
