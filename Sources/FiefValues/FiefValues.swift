// values
