/// Returns the value, hidden from the optimizer.
///
/// The optimizer cannot compute dependent results in advance or move them out of a loop that calls this. A call costs a
/// few nanoseconds, so it belongs around operations that take much longer, not inside them.
@inline(never)
@_optimize(none)
func opaque<T>(_ value: T) -> T { value }
