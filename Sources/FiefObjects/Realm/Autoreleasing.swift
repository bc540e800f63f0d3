#if !canImport(ObjectiveC)
  /// Calls `body` and returns its result. Only Apple's platforms have autorelease pools; here everything is released
  /// when its last reference goes.
  ///
  ///     for record in records {
  ///       try autoreleasepool { try realm.write { realm.create(Dog.self, value: record) } }
  ///     }
  ///
  /// - Throws: the error of `body`.
  public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
