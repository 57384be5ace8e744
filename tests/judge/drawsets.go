package main

import (
	"context"
	"os"
	"path/filepath"

	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/cmd/jacquard/amber/tools"
)

// drawnSamples are the scripts of tests/suite/draw/testdata that are judged, with what rounding makes of
// their pictures: compilers contract and reorder operations of floats.
var drawnSamples = []drawn{
	{name: "mvp"},
	{name: "skin"},
	{name: "lit"},
	{name: "noise", step: 0.1, share: 0.01}, // a hash takes the fraction of a product of large numbers
	{name: "branchy", share: 0.001},         // at the edge of a fractal an iteration more or less
}

// drawnSampleSet reads the samples below the project's root.
func drawnSampleSet(ctx context.Context, root string) (set []drawn, err error) {
	for _, d := range drawnSamples {
		dir, file := filepath.Join(root, "tests", "suite", "draw", "testdata"), d.name+".amber"
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, err
		}
		script, err := amber.ParseIn(ctx, os.DirFS(dir), file, text)
		if err != nil {
			return nil, err
		}
		var cache tools.Cache
		d.module = func(ctx context.Context, s *amber.Shader) ([]byte, error) { return cache.Shader(ctx, file, s) }
		d.run = func(ctx context.Context, e amber.Engine) error {
			_, err := script.Run(ctx, e)
			return err
		}
		set = append(set, d)
	}
	return set, nil
}
