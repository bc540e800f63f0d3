public import FiefObjects

// The constants of a condition may stand before the property, too: `["Rex", "Kit"].contains($0.name)`.

extension Sequence where Element: _HasPersistedType {
  /// Whether a property equals one of these constants, as `Query.in(_:)`.
  ///
  ///     dogs.where { ["Rex", "Kit"].contains($0.name) }
  public func contains(_ query: Query<Element>) -> Query<Bool> { query.in(self) }
}

extension Sequence where Element: _HasPersistedType & _RealmSchemaDiscoverable {
  /// Whether an optional property equals one of these constants, which null does not.
  ///
  ///     dogs.where { ["Oslo", "Rome"].contains($0.city) }          // of 'city: String?'
  public func contains(_ query: Query<Element?>) -> Query<Bool> where Element?: _HasPersistedType {
    query.in(map(Optional.some))
  }
}

extension Range {
  /// Whether a property lies in the range, as `Query.contains(_:)`.
  ///
  ///     dogs.where { (3..<9).contains($0.age) }
  public func contains(_ query: Query<Bound>) -> Query<Bool> { query.contains(self) }

  /// Whether an optional property lies in the range, which null does not.
  ///
  ///     dogs.where { (Date.distantPast..<Date()).contains($0.born) }          // of 'born: Date?'
  public func contains(_ query: Query<Bound?>) -> Query<Bool> { query.contains(self) }
}

extension ClosedRange {
  /// Whether a property lies in the range, as `Query.contains(_:)`.
  ///
  ///     dogs.where { (3...8).contains($0.age) }
  public func contains(_ query: Query<Bound>) -> Query<Bool> { query.contains(self) }

  /// Whether an optional property lies in the range, which null does not.
  ///
  ///     dogs.where { (Date.distantPast...Date()).contains($0.born) }          // of 'born: Date?'
  public func contains(_ query: Query<Bound?>) -> Query<Bool> { query.contains(self) }
}
