// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"os"

	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
)

func ExampleRead() {
	module, err := os.ReadFile("../../tests/shaders/saxpy.comp.spv")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Strs.Text(s.Func(s.Entry()).Name), s.Info.WorkgroupSize)
	for v := range s.Vars(kind.ModeSSBO) {
		info := s.Var(v)
		fmt.Println("set", info.Set, "binding", info.Binding, s.Strs.Text(s.Types.At(info.Type).Name))
	}

	_, err = spirv.Read(module[:100], spirv.Options{Stage: kind.StageCompute})
	fmt.Println(err)
	// Output:
	// main [128 1 1]
	// set 0 binding 1 Y
	// set 0 binding 0 X
	// word 22: OpExecutionMode: word count 6 exceeds the remaining 3 words
}
