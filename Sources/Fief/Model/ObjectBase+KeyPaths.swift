// Setting what a path of names leads to.

extension ObjectBase {
  /// Gives the property at the end of a path of names a value, converted as `create` does.
  ///
  ///     dog.setValue("red", forKeyPath: "toy.color")
  ///
  /// A step from a collection goes on from each of its elements, one from a map from the value under a key. What is
  /// null on the way takes nothing. A value of a wrong type fails the write.
  ///
  /// - Parameters:
  ///   - value: what to set; nil for null.
  ///   - keyPath: names of properties with dots between them.
  ///
  /// Traps for names that are no properties, behind values that have none, and outside a write transaction.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    NamedPath(keyPath).set(value, from: [self])
  }
}

extension RealmCollection {
  /// Gives what a path of names leads to from every element a value, converted as `create` does.
  ///
  /// As `setValue(_:forKeyPath:)` of each element does; traps also for elements that are no objects.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) { NamedPath(keyPath).set(value, from: [self]) }
}

extension Map {
  /// Gives what a path of names leads to a value, converted as `create` does. The path begins with a key.
  ///
  ///     person.dogs.setValue(3, forKeyPath: "Rex.age")
  ///
  /// A path of one name is a key. Where there is no entry, or one with null, nothing is set.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) { NamedPath(keyPath).set(value, from: [self]) }
}

/// A path of names with dots between them, which is gone from values of any kind.
private struct NamedPath {
  private let path: String
  private let names: [String]

  init(_ path: String) {
    self.path = path
    names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// Sets what the last name stands for, of everything that the others lead to.
  func set(_ value: Any?, from starts: [Any]) {
    var holders = starts
    for name in names.dropLast() { holders = holders.flatMap { next(from: $0, name) } }
    for holder in holders { set(value, names.last ?? "", of: holder) }
  }

  /// What a name leads to: of an object a property's value, of a collection that of each element.
  private func next(from holder: Any, _ name: String) -> [Any] {
    switch holder {
    case let object as ObjectBase: return object.value(named: name).map { [$0] } ?? []
    case let map as any RealmKeyedCollection: return Self.value(of: map, name).map { [$0] } ?? []
    case let elements as any RealmCollectionBase:
      return Self.elements(elements).flatMap { element in objectOf(element, name).value(named: name).map { [$0] } ?? []
      }
    default: hasNoProperties(name)
    }
  }

  private func set(_ value: Any?, _ name: String, of holder: Any) {
    switch holder {
    case let object as ObjectBase: object.setValue(value, named: name)
    case let map as any SettableByName: map.setValue(value, forKey: name)
    case let elements as any RealmCollectionBase:
      for element in Self.elements(elements) { objectOf(element, name).setValue(value, named: name) }
    default: hasNoProperties(name)
    }
  }

  private static func elements<Elements: RealmCollectionBase>(_ elements: Elements) -> [Any] {
    elements.compactMap { flattened($0) }
  }

  private static func value<Keyed: RealmKeyedCollection>(of map: Keyed, _ name: String) -> Any? {
    (name as? Keyed.Key).flatMap { map[$0] }.flatMap { flattened($0) }
  }

  private func objectOf(_ element: Any, _ name: String) -> ObjectBase {
    if let object = element as? ObjectBase { return object }
    hasNoProperties(name)
  }

  private func hasNoProperties(_ name: String) -> Never {
    fatalError("Cannot set '\(path.prefix(200))': '\(name.prefix(200))' follows a value that has no properties.")
  }
}

/// A map, whatever its keys and values are.
private protocol SettableByName {
  func setValue(_ value: Any?, forKey key: String)
}

extension Map: SettableByName {}
