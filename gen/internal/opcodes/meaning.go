package opcodes

func (c *checker) meaning(o *Op) {}
