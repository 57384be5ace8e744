// SPDX-License-Identifier: MIT

package modules

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Language is the source language of a unit.
type Language uint8

const (
	GLSL Language = iota
	Assembly
	Prebuilt
)

// Unit is one shader of a package before it is compiled.
type Unit struct {
	Name     string // its path in the package
	Stage    string // glslang's name: comp, vert, frag …; "" for assembly and binaries
	Language Language
	Source   []byte
	Env      string // target environment, as glslangValidator and spirv-as call it
}

// stages are the file extensions that determine a stage.
var stages = map[string]bool{
	"comp": true, "vert": true, "frag": true, "tesc": true, "tese": true, "geom": true,
	"mesh": true, "task": true, "rgen": true, "rchit": true, "rmiss": true, "rahit": true, "rint": true, "rcall": true,
}

// walk calls f for every regular file of at most 1 MiB below dir, in the order of their names.
func walk(dir string, f func(name string, data []byte) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() > 1<<20 {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return f(filepath.ToSlash(name), data)
	})
}

// collectPiglit takes the compute shaders of piglit's tests.
func collectPiglit(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		if !strings.HasSuffix(name, ".shader_test") {
			return nil
		}
		if glsl := PiglitSource(string(data)); glsl != "" {
			units = append(units, Unit{Name: strings.TrimPrefix(name, piglitPrefix), Stage: "comp", Source: []byte(glsl), Env: "vulkan1.1"})
		}
		return nil
	})
	return units, err
}

const piglitPrefix = "usr/lib/x86_64-linux-gnu/piglit/"

var piglitVersion = regexp.MustCompile(`(?m)^GLSL\s*(ES)?\s*>=\s*(\d)\.(\d\d)`)

// PiglitSource returns the compute shader of a .shader_test file. If the shader has no version line, it gets the
// version of the [require] section. The result is "" if there is no compute shader, or if it is split over sections.
func PiglitSource(test string) string {
	var glsl strings.Builder
	in, n := false, 0
	for line := range strings.Lines(test) {
		if strings.HasPrefix(line, "[") {
			if in = strings.HasPrefix(line, "[compute shader]"); in {
				n++
			}
			continue
		}
		if in {
			glsl.WriteString(line)
		}
	}
	if n != 1 {
		return ""
	}
	text := glsl.String()
	if strings.Contains(text, "#version") {
		return text
	}
	version := "430"
	if m := piglitVersion.FindStringSubmatch(test); m != nil {
		version = m[2] + m[3]
		if m[1] != "" {
			version += " es"
		}
	}
	return "#version " + version + "\n" + text
}

// collectSPIRVCross takes the inputs of SPIRV-Cross's tests; the folder
// reference has its outputs. ".asm." in a name means assembly, ".spv14." the
// version (test_shaders.py of SPIRV-Cross).
func collectSPIRVCross(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		_, rest, _ := strings.Cut(name, "/")
		if !strings.HasPrefix(rest, "shaders") {
			return nil
		}
		stage := strings.TrimPrefix(filepath.Ext(name), ".")
		if !stages[stage] {
			return nil
		}
		u := Unit{Name: rest, Stage: stage, Source: data, Env: "vulkan1.1"}
		if strings.Contains(rest, ".spv14.") {
			u.Env = "spirv1.4"
		}
		if strings.Contains(rest, ".asm.") {
			u.Language = Assembly
			u.Stage = ""
		}
		units = append(units, u)
		return nil
	})
	return units, err
}

// collectGlslang takes the GLSL of glslang's tests.
func collectGlslang(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		_, rest, _ := strings.Cut(name, "/")
		stage := strings.TrimPrefix(filepath.Ext(name), ".")
		base := filepath.Base(rest)
		if !strings.HasPrefix(rest, "Test/") || !stages[stage] || strings.HasPrefix(base, "hlsl.") {
			return nil
		}
		units = append(units, Unit{Name: rest, Stage: stage, Source: data, Env: "vulkan1.3"})
		return nil
	})
	return units, err
}

// collectGio takes Gio's prebuilt modules.
func collectGio(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		if strings.HasSuffix(name, ".spirv") {
			units = append(units, Unit{Name: name[strings.Index(name, "@")+len("@v1.0.8/"):], Language: Prebuilt, Source: data})
		}
		return nil
	})
	return units, err
}

// collectTransitions takes gl-transitions' functions and puts them into the
// fragment shader that its README describes.
func collectTransitions(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		if strings.HasSuffix(name, ".glsl") {
			glsl := fmt.Sprintf(transition, data)
			units = append(units, Unit{Name: name, Stage: "frag", Source: []byte(glsl), Env: "vulkan1.1"})
		}
		return nil
	})
	return units, err
}

const transition = `#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
uniform sampler2D fromImage, toImage;
uniform float progress, ratio;
#define texture2D texture
vec4 getFromColor(vec2 uv) { return texture(fromImage, uv); }
vec4 getToColor(vec2 uv) { return texture(toImage, uv); }
%s
void main() { color = transition(at); }
`

// collectGlmark takes the shaders of glmark2.
func collectGlmark(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		if stage := strings.TrimPrefix(filepath.Ext(name), "."); stages[stage] {
			units = append(units, Unit{Name: filepath.Base(name), Stage: stage, Source: data, Env: "vulkan1.1"})
		}
		return nil
	})
	return units, err
}

// collectShadertoy puts the mainImage functions of shaders written for Shadertoy into a shader with the inputs that
// Shadertoy gives them.
func collectShadertoy(dir string) (units []Unit, err error) {
	err = walk(dir, func(name string, data []byte) error {
		if strings.HasSuffix(name, ".glsl") && strings.Contains(string(data), "mainImage") {
			glsl := fmt.Sprintf(shadertoy, data)
			units = append(units, Unit{Name: filepath.Base(name), Stage: "frag", Source: []byte(glsl), Env: "vulkan1.1"})
		}
		return nil
	})
	return units, err
}

const shadertoy = `#version 450
layout(location = 0) out vec4 resultColor;
uniform vec3 iResolution;
uniform float iTime, iGlobalTime, iTimeDelta, iSampleRate, iChannelTime[4];
uniform int iFrame;
uniform vec4 iMouse, iDate;
uniform vec3 iChannelResolution[4];
uniform sampler2D iChannel0, iChannel1, iChannel2, iChannel3;
uniform vec2 cSampler;
#define texture2D texture
#define texture2DLod textureLod
%s
void main() { mainImage(resultColor, gl_FragCoord.xy); }
`
