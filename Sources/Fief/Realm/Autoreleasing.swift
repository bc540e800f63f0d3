#if !canImport(ObjectiveC)
  /// Calls `body` and returns its result. Only Apple's platforms have autorelease pools; here everything is released
  /// when its last reference goes.
  ///
  /// - Throws: the error of `body`.
  public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
