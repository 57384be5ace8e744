//go:build tools

package jacquard

import (
	_ "github.com/BurntSushi/toml"
	_ "github.com/dave/jennifer/jen"
	_ "github.com/ebitengine/purego"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "golang.org/x/tools/imports"
	_ "pgregory.net/rapid"
)
