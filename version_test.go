// SPDX-License-Identifier: MIT

package jacquard

import (
	"regexp"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	if v := Version(); !regexp.MustCompile(`^devel \(.*tables [0-9a-f]{12}\)$`).MatchString(v) {
		t.Errorf("the version of a test is %q", v)
	}
	own := debug.Module{Path: modulePath, Version: "(devel)"}
	user := debug.Module{Path: "example.org/user"}
	released := debug.Module{Path: modulePath, Version: "v1.2.3"}
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		info            debug.BuildInfo
		version, commit string
	}{
		{debug.BuildInfo{Main: own}, "devel", ""},
		{debug.BuildInfo{Main: own, Settings: commit}, "devel", "commit 0123456789ab, changed, "},
		{debug.BuildInfo{Main: own, Settings: commit[:1]}, "devel", "commit 0123456789ab, "},
		{debug.BuildInfo{Main: released}, "v1.2.3", ""},
		{debug.BuildInfo{Main: user, Deps: []*debug.Module{&released}, Settings: commit}, "v1.2.3", ""},
	} {
		if version, commit := built(&c.info); version != c.version || commit != c.commit {
			t.Errorf("%+v: %q, %q", c.info, version, commit)
		}
	}
}
