// Does not parse. Expected: runtime_error, because types are stripped as the program starts.
let never: number = ;
