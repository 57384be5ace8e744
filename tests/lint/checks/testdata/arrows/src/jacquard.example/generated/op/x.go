package op
