// SPDX-License-Identifier: MIT

package jacquard

import (
	"encoding/hex"
	"fmt"
	"hash/crc64"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"jacquard.example/core/sha256"
	"jacquard.example/generated/tables"
)

// Key returns the name under which a caller may keep the result of Compile for a source and options: 64 hexadecimal
// digits, the SHA-256 hash of the source, of all options except File and Trace, and of this build of the compiler.
// Whatever can change a program that Compile returns changes the key. A File is only part of errors, and Trace sees only
// passes that run: programs are worth keeping, errors are not, least of all those of a context that was done. A program
// that encoding/json writes and reads back is the same. The key for a Pipeline of Link is made of the keys of both sources.
//
// The build is identified by the hash of the compiler's tables, and by the version and checksum of this module, where
// the program was built with a version from the module cache. Otherwise (in a checkout, after a replace directive or from
// vendored sources) the compiler's code may be any, and the hash of the executable file identifies it: each build
// that differs in any way has its own keys. If that file cannot be read either, as in WebAssembly, Key returns "", and no
// result may be kept.
func Key(source []byte, o Options) string {
	id := build()
	if id == "" {
		return ""
	}
	layout := "none"
	if o.Layout != nil {
		layout = fmt.Sprintf("%v", *o.Layout)
	}
	text := fmt.Appendf(nil, "%s\n%q %d %v %q %q %v %t %q %t %d %s %t %t %q %q\n", id,
		o.Target, o.SIMD, o.Widths, o.Entry, o.Stage, o.Specialize, o.Zebin, o.Buffers, o.Robust, o.Descriptors, layout,
		o.Verify, o.Explain, o.Disable, o.StopAfter)
	sum := sha256.Sum(append(text, source...))
	return hex.EncodeToString(sum[:])
}

// build identifies this build of the compiler, as Key documents; "" if it cannot be identified.
var build = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return identity(info, executable)
})

// identity returns the identity of a build, of which info may be nil. executable opens the running program.
func identity(info *debug.BuildInfo, executable func() (io.ReadCloser, error)) string {
	if info != nil {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == modulePath && m.Replace == nil && m.Sum != "" {
				return "tables " + tables.Hash + " module " + m.Version + " " + m.Sum
			}
		}
	}
	f, err := executable()
	if err != nil {
		return ""
	}
	defer f.Close()
	hash := crc64.New(crc64.MakeTable(crc64.ECMA))
	n, err := io.Copy(hash, f)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("tables %s executable %d %x", tables.Hash, n, hash.Sum(nil))
}

// executable opens the file of the running program. Linux has it under a name that stays right when the file has been
// replaced.
func executable() (io.ReadCloser, error) {
	if f, err := os.Open("/proc/self/exe"); err == nil {
		return f, nil
	}
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}
