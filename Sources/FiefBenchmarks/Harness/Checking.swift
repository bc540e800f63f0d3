/// A workload's result was not what it must be: its figure would be worth nothing.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless a result is what it must be. `subject` says of what.
@inline(never)
func expect<Result: Equatable>(_ result: Result, _ known: Result, _ subject: String) throws {
  if result != known { throw WrongResult(description: "\(subject): \(result) instead of \(known)") }
}
