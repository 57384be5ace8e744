package unheard // want `package core/unheard has no row in the table of arrows`
