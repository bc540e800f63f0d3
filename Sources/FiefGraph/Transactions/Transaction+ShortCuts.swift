import FiefRuntime

extension Transaction {
  /// Tries a short cut that changes the working copy. Debug builds trap if it changed something and then did not apply,
  /// or threw.
  @inlinable
  @inline(__always)
  package func attempt<Result>(_ cut: ShortCut, _ way: () throws -> Result?) rethrows -> Result? {
    #if DEBUG
      let before = unsafe changeCount
      var isHandled = false
      defer { if !isHandled { checkUnchanged(since: before, cut) } }
      let answer = try cut.attempt(way)
      isHandled = answer != nil
      return answer
    #else
      return try cut.attempt(way)
    #endif
  }

  #if DEBUG
    @usableFromInline
    func checkUnchanged(since before: Int, _ cut: ShortCut) {
      if unsafe changeCount != before {
        fatalError("The short cut '\(cut)' changed the graph before it did not apply: check everything first.")
      }
    }
  #endif
}
