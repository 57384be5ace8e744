package analysis

import "sync"

var (
	pool = sync.Pool{New: func() any { return new(int) }}
	once sync.Once
	rows = func() []int {
		squares[1] = 1
		return squares[:]
	}()
	squares [3]int
)

func init() { squares[2] = 4 }

func fine(list []int) int {
	count := 0
	count++
	list[0] = rows[1]
	local := squares
	local[1] = 7
	x := pool.Get().(*int)
	pool.Put(x)
	return count
}
