package jacquard
