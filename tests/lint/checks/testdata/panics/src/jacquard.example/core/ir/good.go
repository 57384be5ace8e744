package ir

import "fmt"

func at(n int, err error) {
	switch n {
	case 0:
		panic("ir: a removed value still has uses")
	case 1:
		panic(fmt.Sprintf("ir: there is no value %d", n))
	case 2:
		panic("core/ir: " + err.Error())
	}
}
