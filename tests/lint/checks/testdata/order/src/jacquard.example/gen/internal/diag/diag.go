package diag

type List struct{ n int }

func (l *List) Addf(format string) { l.n++ }
