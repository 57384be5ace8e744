package ir

import (
	_ "sort"

	_ "jacquard.example/core/work"
	_ "jacquard.example/generated/op"
)
