// Command newrow folds an opcode by its name, so that it needs no symbol of it.
package main

import (
	"fmt"
	"os"

	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

func main() {
	o, ok := op.ByName(os.Args[1])
	if !ok {
		fmt.Println("unknown")
		return
	}
	src := [op.MaxSrc][fold.MaxComps]uint64{{5}, {7}}
	var dst [fold.MaxComps]uint64
	ok = fold.Eval(o, 32, 1, &src, &dst, 0)
	fmt.Println(o, o.Info().Doc, ok, dst[0])
}
