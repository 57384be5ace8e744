package below

import _ "jacquard.example/backend/intel/mir" // want `the arrows of "core/ir" allow`
