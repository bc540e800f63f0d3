#if !canImport(ObjectiveC)
  /// Calls `body`. Only Apple's platforms have autorelease pools; here everything is released when its last reference
  /// goes.
  public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
