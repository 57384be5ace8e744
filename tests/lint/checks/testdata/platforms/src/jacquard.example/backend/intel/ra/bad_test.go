package ra

import "jacquard.example/generated/target"

var machine = target.TGL
