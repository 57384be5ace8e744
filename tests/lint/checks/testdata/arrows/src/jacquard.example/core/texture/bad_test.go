package texture

import _ "jacquard.example/core/ir"
