// SPDX-License-Identifier: MIT

package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// The parts of a CycloneDX 1.6 document that we write.
type (
	document struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Serial       string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		Scope      string     `json:"scope,omitempty"`
		Hashes     []digest   `json:"hashes,omitempty"`
		Licenses   []license  `json:"licenses,omitempty"`
		Purl       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	digest struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	license struct {
		License struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn"`
	}
)

func licensed(id string) []license {
	var l license
	l.License.ID = id
	return []license{l}
}

// The scopes of components.
const (
	compiledIn = "required"
	forBuild   = "excluded" // used by the generator, the tests and other tools
)

// bill returns the list of components: the command, the modules that are compiled into it, the modules that only the
// repository's tools need, and the files of the release.
func bill(src source, info built, list []platform, made map[string][]byte) ([]byte, error) {
	linked := map[string]bool{}
	for _, p := range list {
		if err := modules(src, p, linked); err != nil {
			return nil, err
		}
	}
	required, err := requirements(src)
	if err != nil {
		return nil, err
	}
	self := component{
		Type: "application", Name: "jacquard", Version: info.version, Licenses: licensed("MIT"),
		Purl:       "pkg:golang/" + info.Main.Path + "@" + info.version,
		Properties: []property{{"commit", src.commit}, {"go", info.GoVersion}},
	}
	self.Ref = self.Purl
	std := component{
		Type: "library", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
		Scope: compiledIn, Licenses: licensed("BSD-3-Clause"),
	}
	std.Purl = "pkg:golang/std@" + std.Version
	std.Ref = std.Purl
	parts, on := []component{std}, []string{std.Ref}
	for _, r := range required {
		c := component{Type: "library", Name: r.Path, Version: r.Version, Scope: forBuild, Purl: "pkg:golang/" + r.Path + "@" + r.Version}
		c.Ref = c.Purl
		if linked[r.Path] {
			c.Scope = compiledIn
			on = append(on, c.Ref)
		}
		delete(linked, r.Path)
		parts = append(parts, c)
	}
	delete(linked, info.Main.Path)
	if len(linked) > 0 {
		return nil, fmt.Errorf("go.mod does not list the modules %v", slices.Sorted(maps.Keys(linked)))
	}
	for _, name := range sorted(made) {
		sum := fmt.Sprintf("%x", sha256.Sum256(made[name]))
		parts = append(parts, component{Type: "file", Ref: "file:" + name, Name: name, Hashes: []digest{{"SHA-256", sum}}})
	}
	doc := document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata:     metadata{src.date.Format(time.RFC3339), self},
		Components:   parts,
		Dependencies: []dependency{{self.Ref, on}},
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	doc.Serial = serial(text)
	text, err = json.MarshalIndent(doc, "", "  ")
	return append(text, '\n'), err
}

// serial returns the serial number of a document: a UUID of version 8 that is a hash of its text.
func serial(text []byte) string {
	h := sha256.Sum256(text)
	h[6] = h[6]&0x0F | 0x80
	h[8] = h[8]&0x3F | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// modules adds the modules whose packages are compiled into the command on a platform.
func modules(src source, p platform, found map[string]bool) error {
	text, err := gocommand(src, p, "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/jacquard")
	for path := range strings.FieldsSeq(text) {
		found[path] = true
	}
	return err
}

// requirement is a module that go.mod lists.
type requirement struct{ Path, Version string }

func requirements(src source) ([]requirement, error) {
	text, err := gocommand(src, hostPlatform(), "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var file struct{ Require []requirement }
	err = json.Unmarshal([]byte(text), &file)
	return file.Require, err
}
