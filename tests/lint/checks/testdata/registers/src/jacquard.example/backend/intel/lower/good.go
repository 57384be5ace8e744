package lower

func good(k uint, Exec, Width, bits int) bool {
	_ = 1<<32 - 1
	_ = 1 << (k & 31)
	_ = []int{8, 16, 32}
	return Exec == 32 || Width != 32 || bits > 32
}
