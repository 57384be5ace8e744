package mir
