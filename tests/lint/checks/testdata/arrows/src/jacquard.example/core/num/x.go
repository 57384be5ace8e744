package num
