// SPDX-License-Identifier: MIT

package modules

// Package is an archive in a registry.
type Package struct {
	Name   string
	URL    string
	SHA256 string
	Collect
}

// Collect finds the shaders in the folder that a package was unpacked to.
type Collect func(dir string) ([]Unit, error)

const debian = "https://deb.debian.org/debian/pool/main/"

// Packages are the sources of the corpus.
var Packages = []Package{
	{"piglit", debian + "p/piglit/piglit_0~git20220119-124bca3c9-1_amd64.deb",
		"37dd651ae04419602b4287ea590fca1f5bcaabc0ea4bf32fe48ffe86b946c986", collectPiglit},
	{"spirv-cross", debian + "s/spirv-cross/spirv-cross_2021.01.15+1.3.239.0.orig.tar.gz",
		"be1267736db2960a44a89875f680e015062e6f172ff6996633a882b93a088cf3", collectSPIRVCross},
	{"glslang", debian + "g/glslang/glslang_12.0.0.orig.tar.gz",
		"7cb45842ec1d4b6ea775d624c3d2d8ba9450aa416b0482b0cc7e4fdd399c3d75", collectGlslang},
	{"gioui.org/shader", "https://proxy.golang.org/gioui.org/shader/@v/v1.0.8.zip",
		"f116e8d78442fbfea26f0e89232d94cdcd284206d12dc04f95fc76f076c9badc", collectGio},
	{"gl-transitions", "https://registry.npmjs.org/gl-transitions/-/gl-transitions-1.71.0.tgz",
		"25d4ca522e9af1fbad3054bd4c7683fae5264949111cce0f14ff1d2e81148ea3", collectTransitions},
	{"glmark2-data", debian + "g/glmark2/glmark2-data_2023.01+dfsg-1_all.deb",
		"14a62322c6131ac9d846f428f06056a1de85caded38c77cb497b73e9ec316bd9", collectGlmark},
	{"kodi-visualization-shadertoy-data", debian + "k/kodi-visualization-shadertoy/kodi-visualization-shadertoy-data_20.3.0+ds1-1_all.deb",
		"bd0f99ed26727f193095d0570ed5d0ecdc7a8e218ad0418f204f5ac441045f9f", collectShadertoy},
	{"kodi-screensaver-shadertoy", debian + "k/kodi-screensaver-shadertoy/kodi-screensaver-shadertoy_20.1.0+ds1-2_amd64.deb",
		"f18f528363a53b484adb209b2cc2069a4dde573071ec63758d27ecc2547c3733", collectShadertoy},
}

// Named returns the package with a name, or nil if there is none.
func Named(name string) *Package {
	for i := range Packages {
		if Packages[i].Name == name {
			return &Packages[i]
		}
	}
	return nil
}
