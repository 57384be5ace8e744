package spirv

import (
	"errors"
	"fmt"
	"log"
	"os"
)

func read(n int, err error) {
	switch n {
	case 0:
		panic("no words") // want `the message of a panic begins with the package, as in "spirv: "`
	case 1:
		panic(fmt.Sprintf("%d words", n)) // want `begins with the package`
	case 2:
		panic(err) // want `a panic whose value nothing in the package recovers`
	case 3:
		log.Fatal(err) // want `log.Fatal outside of package main`
	case 4:
		os.Exit(1) // want `os.Exit outside of package main`
	case 5:
		panic(errors.New("opt: not this package")) // want `begins with the package`
	}
}
