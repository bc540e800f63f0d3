import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
import FiefSessions
import Foundation

/// Reads properties by name from all elements of a collection, and evaluates key path operators.
///
///     "name"                    the values of a property; nil as `NSNull`
///     "owner.name"              the values of a property of the linked objects
///     "scores.chess"            the values for a key of a map
///     "dogs.name"               an array; for a collection in each element, an array of arrays
///     "self"                    the elements
///     "@count"                  the number of elements, null ones among them; a name behind it is not read
///     "@sum.age", "@max.age"    the result over a property; "@sum" alone over the numbers themselves
///
/// The names of a projection are those of its root object, as in queries.
enum KeyedElements {
  /// Reads the value at the end of a path of names from one element. After a collection, the next name is read from
  /// each of its elements; after a map, the next name is a key.
  static func value(of element: Any, _ path: String) -> Any? {
    path == "self" || path.isEmpty ? plain(element) : value(behind: plain(element), path)
  }

  /// Reads the value at the end of a path of names that begins behind a value.
  static func value(behind start: Any?, _ path: String) -> Any? {
    var current = start
    var rest = Substring(path)
    func takeName() -> String {
      let name = rest.prefix { $0 != "." }
      rest = rest.dropFirst(name.count + 1)
      return String(name)
    }
    var isNamed = false
    while !rest.isEmpty {
      guard let value = current else { return nil }
      switch value {
      case let object as ObjectBase: current = object.value(named: takeName())
      // The names are those of the root.
      case let projection as any _ObjectRepresentable: current = projection._object
      case let map as any NamedEntries:
        if rest.hasPrefix("@") { return map.value(forKeyPath: String(rest)) }
        let entry = map.value(forKey: takeName())
        // At the end, null is told from a missing key.
        if rest.isEmpty { return entry }
        current = entry.flatMap(DynamicValue.present)
      // A list that is directly in another list has no properties; such lists may be nested to any depth.
      case let elements as any RealmCollectionBase where isNamed: return behind(elements, String(rest))
      default:
        fatalError(
          "Invalid property name '\(rest.prefix { $0 != "." }.prefix(200))' in the key path "
            + "'\(path.prefix(200))': it follows "
            + "a value that has no properties.")
      }
      isNamed = true
    }
    return current
  }

  private static func behind<Elements: RealmCollectionBase>(_ elements: Elements, _ path: String) -> Any? {
    let value = evaluate(elements, path)
    guard (Elements.self as? any _Persistable.Type)?._facts.shape == .set, let values = value as? [Any] else {
      return value
    }
    return distinct(values)
  }

  /// The values of all elements; `NSNull` for nil.
  static func values(of elements: some Sequence, _ path: String) -> [Any] {
    elements.map { value(of: $0, path) ?? NSNull() }
  }

  /// The result of a path, with or without an operator, for some elements: an array, or one value.
  static func evaluate(_ elements: some Sequence, _ path: String) -> Any? {
    guard path.hasPrefix("@") else { return values(of: elements, path) }
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? parts[1] : "self"
    if rest.contains(".") || rest.contains("@") {
      fatalError("Nested key path '\(path)' is not supported: an operator takes one property.")
    }
    if parts[0] == "@count" { return elements.count { _ in true } }
    let values = elements.compactMap { value(of: $0, rest) }
    switch parts[0] {
    case "@min": return comparable(values).min { StoredOrder.compare($0.stored, $1.stored) < 0 }?.value
    case "@max": return comparable(values).max { StoredOrder.compare($0.stored, $1.stored) < 0 }?.value
    case "@sum", "@avg":
      let numbers = comparable(values)
      let total = total(of: numbers.lazy.map(\.stored), parts[0] == "@sum" ? .sum : .average)
      if total.count < numbers.count { fatalError("Cannot evaluate '\(path)': the values are no numbers.") }
      return total.result.plain
    case "@unionOfObjects": return values
    case "@distinctUnionOfObjects": return distinct(values)
    case "@unionOfArrays": return flat(values)
    case "@distinctUnionOfArrays": return distinct(flat(values))
    default: fatalError("Unsupported key path operator '\(parts[0])' in '\(path)'.")
    }
  }

  /// The result of `evaluate` as an array: the result of an operator becomes an array of one element.
  static func array(_ elements: some Sequence, _ path: String) -> [Any] {
    let value = evaluate(elements, path)
    return value as? [Any] ?? [value ?? NSNull()]
  }

  // MARK: Operators

  /// The stored form of a value, by which values are compared.
  static func stored(_ value: Any) -> StoredValue? {
    switch (value as? any RealmCollectionValue)?.content {
    case .value(let value): value
    case .object(let object): object.rowLink.map { .link($0) }
    default: nil
    }
  }

  /// The values that are not null, with their stored forms.
  private static func comparable(_ values: [Any]) -> [(value: Any, stored: StoredValue)] {
    values.compactMap { value in stored(value).flatMap { $0.isNull ? nil : (value, $0) } }
  }

  /// The aggregate of stored values.
  ///
  /// - Parameter kind: `any` where the values are any-values, whose sum is a decimal; otherwise the values determine
  /// it.
  static func total(
    of values: some Sequence<StoredValue>, _ operation: PropertyPath.Aggregate, _ kind: ValueKind? = nil
  ) -> Accumulator {
    var total = Accumulator(operation, kind == .any ? kind : nil)
    for value in values { total.add(value) }
    return total
  }

  /// The first of each group of equal values.
  static func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { value in
      // Strings are equal if their bytes are.
      if let text = value as? String { return seen.insert(IdenticalText(text)).inserted }
      return (value as? AnyHashable).map { seen.insert($0).inserted } ?? true
    }
  }

  private static func flat(_ values: [Any]) -> [Any] {
    func all<S: Sequence>(_ sequence: S) -> [Any] { sequence.map { $0 as Any } }
    return values.flatMap { value in (value as? any Sequence).map { all($0) } ?? [value] }
  }
}

/// A map of any key and value type.
protocol NamedEntries {
  func value(forKey key: String) -> Any?
  func value(forKeyPath keyPath: String) -> Any?
  func setValue(_ value: Any?, forKey key: String)
}

extension Map: NamedEntries {}

extension RealmCollection {
  /// Sets a property of every element, with the conversions of `create`.
  ///
  ///     try realm.write { realm.objects(Dog.self).setValue(3, forKey: "age") }
  ///
  /// A value of a wrong type fails the write. Traps outside a write transaction, for elements that are not objects, and
  /// for an unknown name.
  ///
  /// - Parameters:
  ///   - value: the value to assign; nil for null.
  ///   - key: the Swift name of the property; that of the root object for projections.
  /// - Complexity: linear in the elements, times O(log n) for each index of the property.
  public func setValue(_ value: Any?, forKey key: String) {
    checkSetting()
    for element in self {
      guard let shown = plain(element) as? any _ObjectRepresentable else {
        fatalError("Cannot set '\(key)' of elements that are no objects.")
      }
      shown._object.setValue(value, named: key)
    }
  }

  /// Sets a property of every element.
  ///
  ///     try realm.write { realm.objects(Dog.self).where { $0.age > 9 }.set(\.isOld, to: true) }
  ///
  /// Elements that no longer belong to the collection while it runs are set nevertheless. A value that cannot be stored
  /// fails the write. Traps outside a write transaction.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: the value to assign.
  /// - Complexity: linear in the elements, times O(log n) for each index of the property.
  public func set<Value>(_ keyPath: ReferenceWritableKeyPath<Element, Value>, to value: Value)
  where Element: ObjectBase {
    checkSetting()
    for element in self { element[keyPath: keyPath] = value }
  }

  private func checkSetting() {
    guard let session = realm?.session else { return }
    checkPresence(in: session)
    session.checkWriting("The elements of a collection were changed")
  }

  /// The values of a property of all elements, as an array, with `NSNull` for nil. `"self"` returns the elements.
  ///
  ///     let names = realm.objects(Dog.self).value(forKey: "name") as? [String]
  ///
  /// - Parameter key: a name, or a path as for `value(forKeyPath:)`; of the root objects for projections.
  /// - Complexity: linear in the elements.
  ///
  /// Traps for an unknown name.
  public func value(forKey key: String) -> Any? { KeyedElements.evaluate(self, key) }

  /// The values at the end of a path of names, as an array, or the result of an operator: `"@count"`, `"@min.age"`,
  /// `"@max.age"`, `"@sum.age"`, `"@avg.age"`, `"@unionOfObjects.name"`, `"@distinctUnionOfObjects.name"`,
  /// `"@unionOfArrays.dogs"`, `"@distinctUnionOfArrays.dogs"`.
  ///
  ///     let oldest = realm.objects(Dog.self).value(forKeyPath: "@max.age") as? Int
  ///
  /// - Parameter keyPath: names separated by dots, or an operator and at most one name.
  /// - Returns: an array, or the result of the operator. `@min`, `@max` and `@avg` are nil without values.
  /// - Complexity: linear in the elements.
  ///
  /// Traps for unknown names, for an unknown operator, for a path of several names after an operator, and for a sum or
  /// an average of values that are not numbers.
  public func value(forKeyPath keyPath: String) -> Any? { KeyedElements.evaluate(self, keyPath) }
}

extension List {
  /// The values of a property of all elements, with `NSNull` for nil. `"self"` returns the elements.
  ///
  ///     let names = person.dogs.value(forKey: "name")
  ///
  /// - Parameter key: a name, or a path as for `value(forKeyPath:)`.
  /// - Complexity: linear in the elements.
  ///
  /// Traps for an unknown name.
  public func value(forKey key: String) -> [Any] { value(forKeyPath: key) }

  /// The values at the end of a path of names; the result of an operator is the only element. The paths and traps are
  /// those of `RealmCollection.value(forKeyPath:)`.
  ///
  ///     let ages = person.dogs.value(forKeyPath: "@sum.age").first as? Int
  ///
  /// - Complexity: linear in the elements.
  public func value(forKeyPath keyPath: String) -> [Any] { KeyedElements.array(self, keyPath) }
}

extension MutableSet {
  /// The distinct values of a property of all elements, with `NSNull` for nil. `"self"` returns the elements.
  ///
  ///     let names = person.friends.value(forKey: "name") as? [String]
  ///
  /// - Parameter key: a name, or a path as for `value(forKeyPath:)`.
  /// - Complexity: linear in the elements.
  ///
  /// Traps for an unknown name.
  public func value(forKey key: String) -> [Any] { KeyedElements.distinct(KeyedElements.array(self, key)) }

  /// The distinct values at the end of a path of names, as an array, or the result of an operator. The paths and traps
  /// are those of `RealmCollection.value(forKeyPath:)`.
  ///
  ///     let oldest = person.friends.value(forKeyPath: "@max.age") as? Int
  ///
  /// - Complexity: linear in the elements.
  public func value(forKeyPath keyPath: String) -> Any? {
    let value = KeyedElements.evaluate(self, keyPath)
    return (value as? [Any]).map(KeyedElements.distinct) ?? value
  }
}

extension Map {
  /// The value for a key, `NSNull` for null; nil when the key is missing. `"@allKeys"`, `"@allValues"` and operators
  /// work as in `value(forKeyPath:)`.
  ///
  ///     let score = person.scores.value(forKey: "chess") as? Int
  ///
  /// - Complexity: O(log n); linear in the entries for an operator.
  public func value(forKey key: String) -> Any? {
    if key.hasPrefix("@") { return value(forKeyPath: key) }
    return self[Self.key(key)].map { plain($0) ?? NSNull() }
  }

  /// The result of an operator on the values, as for other collections; all keys (`"@allKeys"`) or values
  /// (`"@allValues"`); or the value at the end of a path that begins with a key.
  ///
  ///     let sum = person.scores.value(forKeyPath: "@sum") as? Int
  ///     let age = person.dogsByName.value(forKeyPath: "Rex.age") as? Int
  ///
  /// The value for a key alone is `NSNull` for null, and nil when the key is missing. A collection for a key is read as
  /// one that a property has.
  ///
  /// - Complexity: linear in the entries for an operator.
  ///
  /// Traps for unknown names after the key, and for an operator after one whose value is no collection.
  public func value(forKeyPath keyPath: String) -> Any? {
    switch keyPath {
    case "@allKeys": return keys
    case "@allValues": return values
    case _ where keyPath.hasPrefix("@"): return KeyedElements.evaluate(values, keyPath)
    default: return keyPath.isEmpty ? nil : KeyedElements.value(behind: self, keyPath)
    }
  }

  /// Sets the value for a key, with the conversions of `create`; nil removes the entry.
  ///
  ///     try realm.write { person.scores.setValue(7, forKey: "chess") }
  ///
  /// A value of a wrong type fails the write. In an unmanaged map of values it traps; in an unmanaged map of objects,
  /// the write that adds the map fails. Traps outside a write transaction for a managed map.
  ///
  /// - Parameters:
  ///   - value: the value to set; nil removes the entry.
  ///   - key: the key.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value = value.flatMap(flattened) else { return removeObject(for: Self.key(key)) }
    if let converted = Value._fromAny(value) { return updateValue(converted, forKey: Self.key(key)) }
    if let location { return setConverted(value, forKey: key, in: location) }
    // A value that a custom type has no value for.
    if Value._encodeAny(value) != nil, let null = Value._fromAny(NSNull()) {
      return updateValue(null, forKey: Self.key(key))
    }
    guard let target = Value._facts.target else {
      fatalError("Cannot put a value of type '\(type(of: value))' into '\(Self.self)'.")
    }
    let made = target.init()
    // An object that keeps its error: a write that adds it, with the map or alone, fails with that.
    do { try UnmanagedBuilder.fill(made, value) } catch { made.note(error) }
    if let converted = Value._fromAny(made) { updateValue(converted, forKey: Self.key(key)) }
  }

  /// Sets the value for a key when it needs a conversion by `create`, such as a dictionary for an object.
  private func setConverted(_ value: Any, forKey key: String, in location: CollectionLocation) {
    location.checkWriting()
    guard let (binding, number) = location.property else {
      let problem = "Invalid value \(DynamicValue.description(of: value)) for key '\(PlanPath.shortened(key))' of "
      return location.session.fail(
        Realm.Error(.invalidValue, problem + "'\(location.fullPath)': it is of another type than the map's values."))
    }
    let name = binding.model.properties[number].name
    Inserter(location.session).assign([key: value], to: name, of: location.cell.object.key, as: binding, .modified)
  }
}
