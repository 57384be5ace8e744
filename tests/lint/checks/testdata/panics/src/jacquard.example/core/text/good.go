package text

type failure struct{ msg string }

func parse(s string) (err error) {
	defer func() {
		if f, ok := recover().(*failure); ok {
			println(f.msg)
		}
	}()
	panic(&failure{s})
}
