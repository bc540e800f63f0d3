import FiefCopying
import FiefObjects

// Reads and assigns properties at the end of a path of names.

extension ObjectBase {
  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  ///
  ///     let colour = dog.value(forKeyPath: "toy.colour") as? String
  ///
  /// After a collection, the next name is read from each element, and the result is an array, or the result of an
  /// operator such as `@count`. After a map, the next name is a key.
  ///
  /// Traps for an unknown name.
  public final func value(forKeyPath keyPath: String) -> Any? { KeyedElements.value(of: self, keyPath) }

  /// Assigns to the property at the end of a path of names, with the conversions of `create`.
  ///
  ///     dog.setValue("red", forKeyPath: "toy.color")
  ///
  /// After a collection, the next name applies to each element; after a map, it is a key. Null values on the way are
  /// skipped. A value of a wrong type fails the write.
  ///
  /// - Parameters:
  ///   - value: the value to assign; nil for null.
  ///   - keyPath: names of properties, separated by dots.
  ///
  /// Traps for unknown names, for names after values that have no properties, and outside a write transaction where the
  /// objects are managed.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    NamedPath(keyPath).set(value, from: [self])
  }
}

extension RealmCollection {
  /// Assigns to the property at the end of a path of names, from every element, with the conversions of `create`.
  ///
  ///     realm.objects(Dog.self).setValue("red", forKeyPath: "toy.color")
  ///
  /// Equals `setValue(_:forKeyPath:)` on each element. Traps also for elements that are not objects.
  ///
  /// - Parameters:
  ///   - value: the value to assign; nil for null.
  ///   - keyPath: names of properties, separated by dots.
  /// - Complexity: linear in the elements.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) { NamedPath(keyPath).set(value, from: [self]) }
}

extension Map {
  /// Assigns to the entry or property at the end of a path of names, with the conversions of `create`. The path begins
  /// with a key.
  ///
  ///     person.dogs.setValue(3, forKeyPath: "Rex.age")
  ///
  /// A path of one name is a key. Nothing is set where a key on the way is missing or has null.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) { NamedPath(keyPath).set(value, from: [self]) }
}

/// A path of names, separated by dots, that starts at values of any kind.
private struct NamedPath {
  private let path: String
  private let names: [String]

  init(_ path: String) {
    self.path = path
    names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// Assigns to the last name, on every value that the other names lead to.
  func set(_ value: Any?, from starts: [Any]) {
    var holders = starts
    for name in names.dropLast() {
      holders = holders.flatMap { holder in owners(holder, of: name).compactMap { next(from: $0, name) } }
    }
    let last = names.last ?? ""
    for holder in holders {
      for owner in owners(holder, of: last) { set(value, last, of: owner) }
    }
  }

  /// What may have a name: an object or a map itself, and each element of a collection.
  private func owners(_ holder: Any, of name: String) -> [Any] {
    if holder is ObjectBase || holder is any RealmKeyedCollection { return [holder] }
    guard let elements = holder as? any RealmCollectionBase else { hasNoProperties(name) }
    return Self.elements(elements)
  }

  /// The value that a name leads to: a property of an object, or an entry of a map; nil for null.
  private func next(from owner: Any, _ name: String) -> Any? {
    switch owner {
    case let object as ObjectBase: object.value(named: name)
    case let map as any RealmKeyedCollection: Self.value(of: map, name)
    default: hasNoProperties(name)
    }
  }

  private func set(_ value: Any?, _ name: String, of owner: Any) {
    switch owner {
    case let object as ObjectBase: object.setValue(value, named: name)
    case let map as any NamedEntries: map.setValue(value, forKey: name)
    default: hasNoProperties(name)
    }
  }

  private static func elements<Elements: RealmCollectionBase>(_ elements: Elements) -> [Any] {
    elements.compactMap { plain($0) }.map { ($0 as? any ProjectionObservable)?._object ?? $0 }
  }

  private static func value<Keyed: RealmKeyedCollection>(of map: Keyed, _ name: String) -> Any? {
    (name as? Keyed.Key).flatMap { map[$0] }.flatMap { plain($0) }
  }

  private func hasNoProperties(_ name: String) -> Never {
    fatalError("Cannot set '\(path.prefix(200))': '\(name.prefix(200))' follows a value that has no properties.")
  }
}
