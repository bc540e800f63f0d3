extension Realm {
  /// The policy for an object whose primary key exists already.
  ///
  ///     realm.create(Person.self, value: ["id": 7, "name": "Ann"], update: .modified)
  ///
  /// A policy other than `.error` for a class without a primary key fails the write.
  @frozen
  public enum UpdatePolicy: Int, Sendable {
    /// Fail the write with `Realm.Error.duplicatePrimaryKey`.
    case error = 1
    /// Change only the properties that differ.
    case modified = 3
    /// Set every property to the new value.
    case all = 2
  }
}
