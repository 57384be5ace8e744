package ir // want `package ir has no comment`

func Exported() {} // want `Exported is exported and has no comment`

// Makes a shader. // want `the comment over NewShader does not begin with its name`
func NewShader() {}

// addInst appends an instruction. // want `the comment over addBlock begins with addInst, which is something else`
func addBlock() {}

// addBlock appends a block. // want `the comment over addInst begins with addBlock`
func addInst() {}

type Kind uint8 // want `Kind is exported and has no comment`

// maxLength bounds strings. // want `the comment over maxNames begins with maxLength`
const maxNames = 3

// The longest string.
const maxLength = 7

var Free = func() int { // want `Free is exported and has no comment`
	return 1
}()
