// SPDX-License-Identifier: MIT

package amber_test

import (
	"context"
	"fmt"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
)

// A script is parsed once and run on an engine. This engine doubles the data without looking at the shader.
func Example() {
	script, err := amber.Parse("double.amber", []byte(`#!amber
SHADER compute twice GLSL
#version 450
layout(set = 0, binding = 0) buffer B { uint v[]; };
void main() { v[gl_WorkGroupID.x] *= 2; }
END
BUFFER buf DATA_TYPE uint8 DATA 1 2 3 END
PIPELINE compute p
  ATTACH twice
  BIND BUFFER buf AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN p 3 1 1
EXPECT buf IDX 0 EQ 2 4 7
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := script.Run(context.Background(), runner.EngineFunc(func(_ context.Context, c *runner.Call) error {
		for i := range c.Groups[0] {
			c.Bindings[0].Data[i] *= 2
		}
		return nil
	}))
	fmt.Println(report.Dispatches, report.Errors(), err)
	// Output: 1 [double.amber:13:1: error: EXPECT buf IDX 0 EQ: value 2 (byte 2): wanted 7, got 6] <nil>
}
