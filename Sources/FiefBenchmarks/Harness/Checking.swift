/// The result of a workload is wrong, so its figure is worthless.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless a result equals the known one. `subject` names the result.
@inline(never)
func expect<Result: Equatable>(_ result: Result, _ known: Result, as subject: String) throws {
  if result != known { throw WrongResult(description: "\(subject): \(result) instead of \(known)") }
}

/// Unwraps a value. Throws when it is nil. `subject` names it.
func found<Found>(_ value: Found?, _ what: String) throws -> Found {
  guard let value else { throw WrongResult(description: "\(what) is missing") }
  return value
}
