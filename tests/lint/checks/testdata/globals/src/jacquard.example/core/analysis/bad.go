package analysis

var (
	count int
	table [4]int
	cache = map[int]int{}
	info  struct{ n int }
	next  *int
)

func run(list []int) {
	count++                  // want `assigns to count, a variable of package analysis`
	count += 2               // want `assigns to count`
	table[1] = 3             // want `assigns to table`
	cache[2] = 4             // want `assigns to cache`
	info.n = 1               // want `assigns to info`
	*next = 5                // want `assigns to next`
	delete(cache, 2)         // want `assigns to cache`
	copy(table[:], list)     // want `assigns to table`
	for count = range list { // want `assigns to count`
	}
}
