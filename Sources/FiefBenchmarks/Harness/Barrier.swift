/// The value, of which the optimiser knows nothing any more.
///
/// What depends on it cannot be worked out beforehand or moved out of a loop that calls this. It costs a few
/// nanoseconds, so it stands around an operation that takes many, never inside one.
@inline(never)
@_optimize(none)
func opaque<T>(_ value: T) -> T { value }
