package jacquard

import _ "jacquard.example/cmd/jacquard" // want `jacquard imports cmd/jacquard; the arrows of "jacquard" allow: core backend generated`
