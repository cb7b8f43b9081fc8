// Does not parse. Expected: runtime_error, because JavaScript has no compile step.
let never = ;
