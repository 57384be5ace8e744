package gen

import (
	_ "jacquard.example/core/num"
	_ "other.example/lib"
)
