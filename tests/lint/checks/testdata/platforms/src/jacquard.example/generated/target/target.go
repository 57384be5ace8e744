package target

type Target struct{ Name string }

var TGL = &Target{"tgl"}

func (t *Target) Can(c int) bool { return c == 0 }
