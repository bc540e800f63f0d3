public import FiefDurability
public import FiefObjects
public import FiefResults

// Closures that return objects and collections of objects, which leave as frozen values.

extension RealmStore {
  /// Runs a closure with a realm that shows the latest version, and returns its object or collection as a frozen value.
  ///
  ///     let oldest = try await store.read { realm in realm.objects(Dog.self).sorted(by: \.age).last }
  ///     print(oldest?.name ?? "no dogs")
  ///
  /// `read(_:)` with a `Sendable` result explains the rest. Traps for something that is unmanaged or was deleted.
  @concurrent
  @_disfavoredOverload
  public func read<Thing: ThreadConfined>(
    _ body: sending (Realm) throws -> Thing?
  ) async throws -> Frozen<Thing>? {
    try await read { realm in try body(realm).map { Frozen($0) } }
  }

  /// Runs a closure with a realm that shows the latest version, and returns its object or collection as a frozen value.
  ///
  ///     let old = try await store.read { realm in realm.objects(Dog.self).where { $0.age > 9 } }
  ///     print(old.map(\.name))
  ///
  /// `read(_:)` with a `Sendable` result explains the rest. Results are evaluated where they are read first. Traps for
  /// something that is unmanaged or was deleted.
  @concurrent
  public func read<Thing: ThreadConfined>(
    _ body: sending (Realm) throws -> Thing
  ) async throws -> Frozen<Thing> {
    try await read { realm in Frozen(try body(realm)) }
  }

  /// Runs a closure in a write transaction, commits it, and returns its object or collection as a frozen value.
  ///
  ///     let dog = try await store.write { realm in realm.create(Dog.self, value: ["name": "Rex"]) }
  ///     print(dog.name)
  ///
  /// The value shows the object at the end of the closure. `write(durability:_:)` with a `Sendable` result explains the
  /// rest. Traps for something that is unmanaged or was deleted.
  @discardableResult
  public func write<Thing: ThreadConfined>(
    durability: Durability? = nil, _ body: sending (Realm) throws -> Thing
  ) async throws -> Frozen<Thing> {
    try await write(durability: durability) { realm in try Self.written(body(realm), realm) }
  }

  /// Runs a closure in a write transaction, commits it, and returns its object or collection as a frozen value.
  ///
  ///     let dog = try await store.write { realm in
  ///       let dog = realm.object(ofType: Dog.self, forPrimaryKey: 1)
  ///       dog?.age += 1
  ///       return dog
  ///     }
  ///
  /// The value shows the object at the end of the closure. `write(durability:_:)` with a `Sendable` result explains the
  /// rest. Traps for something that is unmanaged or was deleted.
  @discardableResult
  @_disfavoredOverload
  public func write<Thing: ThreadConfined>(
    durability: Durability? = nil, _ body: sending (Realm) throws -> Thing?
  ) async throws -> Frozen<Thing>? {
    try await write(durability: durability) { realm in try body(realm).map { try Self.written($0, realm) } }
  }

  /// The frozen value of what a write returns. An object that could not be created is unmanaged: the write fails with
  /// the reason, and not with that.
  private static func written<Thing: ThreadConfined>(_ thing: Thing, _ realm: Realm) throws -> Frozen<Thing> {
    if let failure = realm.session.failure { throw failure }
    return Frozen(thing)
  }

  /// The object of a closure as a frozen value, again and again: the present one, and each later one that differs.
  ///
  ///     for await oldest in store.values({ realm in realm.objects(Dog.self).sorted(by: \.age).last }) {
  ///       print(oldest?.name ?? "no dogs")
  ///     }
  ///
  /// The closure runs again when a property of the object has changed, and when something else has changed that it has
  /// read. `values(_:)` with `Equatable` values explains the rest.
  @_disfavoredOverload
  public func values<Thing: ThreadConfined, Failure: Error>(
    _ body: @escaping @Sendable (Realm) throws(Failure) -> Thing?
  ) -> Values<Frozen<Thing>?, Failure> {
    values { realm throws(Failure) -> Frozen<Thing>? in
      guard let thing = try body(realm) else { return nil }
      return Frozen(thing)
    }
  }

  /// The collection or object of a closure as a frozen value, again and again: the present one, and each later one that
  /// differs.
  ///
  ///     for await old in store.values({ realm in realm.objects(Dog.self).where { $0.age > 9 } }) {
  ///       print(old.map(\.name))
  ///     }
  ///
  /// The closure runs again when there are other objects or a property of one has changed, and when something else has
  /// changed that it has read. `values(_:)` with `Equatable` values explains the rest.
  public func values<Thing: ThreadConfined, Failure: Error>(
    _ body: @escaping @Sendable (Realm) throws(Failure) -> Thing
  ) -> Values<Frozen<Thing>, Failure> {
    values { realm throws(Failure) -> Frozen<Thing> in Frozen(try body(realm)) }
  }
}
