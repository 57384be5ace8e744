package texture

import (
	_ "jacquard.example/core/ir" // want `core/texture imports core/ir; the arrows of "core/texture" allow: core/num generated/kind`
	_ "jacquard.example/core/num"
	_ "other.example/lib" // want `core/texture is part of the product and imports other.example/lib`
)
