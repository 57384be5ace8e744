package stageio

import "jacquard.example/generated/intrinsic"

func slot(index func(int) int) int { return index(intrinsic.IxLocation) } // the passes number the slots
