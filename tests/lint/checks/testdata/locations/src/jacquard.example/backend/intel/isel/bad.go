package isel

import "jacquard.example/generated/intrinsic"

type shader struct{}

func (shader) Index(int) int { return 0 }
func (shader) Fail(...any)   {}

var slots = map[int]int{}

func slot(s shader) int {
	return slots[s.Index(intrinsic.IxLocation)] // want `a location is used for something other than the name of a slot`
}

func number(s shader) int {
	if s.Index(intrinsic.IxLocation) != 0 { // want `a location is used for something other`
		return 7
	}
	return s.Index(intrinsic.IxBase)
}

const _ = intrinsic.IxLocation // want `a location is used for something other`
