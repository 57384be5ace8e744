// Package whole tests shaders from source to result: AmberScripts on the
// interpreter, the model and lavapipe, machine code against iga64, instruction
// counts, round trips and damaged input of every format.
package whole
