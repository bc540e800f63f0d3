import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

extension MutableSet {
  /// Inserts an element, unless the set has it. An unmanaged object is added to the realm of a managed set.
  ///
  ///     try realm.write { person.tags.insert("tall") }
  ///
  /// - Complexity: O(log n); O(1) in an unmanaged set.
  public func insert(_ element: Element) {
    guard let location else { return unmanaged.insert(element) }
    let content = Element._encode(element)
    change(location) { try insert([content], at: location, $0) }
  }

  /// Inserts the elements of a sequence that the set does not have. Unmanaged objects are added to the realm of a
  /// managed set.
  ///
  ///     try realm.write { person.tags.insert(objectsIn: ["tall", "shy"]) }
  ///
  /// - Complexity: O(m log n) for m elements; O(m) in an unmanaged set.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    guard let location else {
      // The sequence may read this set, so its elements are read before the set changes.
      for element in Array(objects) { unmanaged.insert(element) }
      return
    }
    let contents = objects.map(Element._encode)
    change(location) { try insert(contents, at: location, $0) }
  }

  /// Removes an element, if the set has it. The object itself stays in the realm.
  ///
  ///     try realm.write { person.tags.remove("shy") }
  ///
  /// - Complexity: O(log n); O(n) in an unmanaged set.
  public func remove(_ element: Element) {
    guard let location else { return unmanaged.remove(element) }
    let content = Element._encode(element)
    change(location) { transaction in
      if let value = location.presentValue(content) {
        try transaction.remove(value, fromSet: location.cell)
      }
    }
  }

  /// Removes all elements. Objects stay in the realm.
  ///
  ///     try realm.write { person.tags.removeAll() }
  ///
  /// - Complexity: O(n).
  public func removeAll() {
    guard let location else {
      unmanaged = UnmanagedSet()
      return
    }
    change(location) { try $0.removeAll(from: location.cell) }
  }

  /// Removes the elements that satisfy a condition. Objects stay in the realm.
  ///
  ///     try realm.write { person.tags.removeAll(where: { $0.isEmpty }) }
  ///
  /// - Parameter shouldBeRemoved: the condition.
  /// - Throws: the error that the condition throws. No element is removed then.
  /// - Complexity: O(n), and O(log n) for each element that is removed from a managed set.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let gone = try Array(self).filter(shouldBeRemoved)
    if location == nil { return subtractUnmanaged(UnmanagedSet(gone)) }
    for element in gone { remove(element) }
  }

  // MARK: With another set

  /// Whether every element is also an element of another set.
  ///
  ///     if person.tags.isSubset(of: other.tags) { print("\(other.name) has every tag of \(person.name).") }
  ///
  /// - Parameter possibleSuperset: a set of the same realm when this one is managed, else an unmanaged set. Traps for
  ///   any other set.
  /// - Complexity: O(m + n log m) for another set of m elements; O(n) for unmanaged sets.
  public func isSubset(of possibleSuperset: MutableSet) -> Bool {
    guard let (own, other) = storedPair(possibleSuperset) else {
      return unmanaged.elements.allSatisfy(possibleSuperset.unmanaged.contains)
    }
    return own.all.allSatisfy(other.contains)
  }

  /// Whether an element is also an element of another set.
  ///
  ///     if person.tags.intersects(other.tags) { print("They have something in common.") }
  ///
  /// - Parameter otherSet: as for `isSubset(of:)`.
  /// - Complexity: O(m + n log m) for another set of m elements; O(n) for unmanaged sets.
  public func intersects(_ otherSet: MutableSet) -> Bool {
    guard let (own, other) = storedPair(otherSet) else {
      return unmanaged.elements.contains(where: otherSet.unmanaged.contains)
    }
    return own.all.contains(where: other.contains)
  }

  /// Inserts the elements of another set.
  ///
  ///     try realm.write { person.tags.formUnion(other.tags) }
  ///
  /// - Parameter other: as for `isSubset(of:)`.
  /// - Complexity: O(n + m log n) for another set of m elements; O(m) for unmanaged sets.
  public func formUnion(_ other: MutableSet) {
    guard let location, let (_, values) = storedPair(other) else {
      for element in other.unmanaged.elements { unmanaged.insert(element) }
      return
    }
    change(location) { try $0.formUnion(Array(values.all), inSet: location.cell) }
  }

  /// Removes the elements that another set does not have.
  ///
  ///     try realm.write { person.tags.formIntersection(other.tags) }
  ///
  /// - Parameter other: as for `isSubset(of:)`.
  /// - Complexity: O((n + m) log n) for another set of m elements; O(n) for unmanaged sets.
  public func formIntersection(_ other: MutableSet) {
    guard let location, let (_, values) = storedPair(other) else {
      let others = other.unmanaged
      return unmanaged.removeAll { !others.contains($0) }
    }
    change(location) { try $0.formIntersection(Array(values.all), inSet: location.cell) }
  }

  /// Removes the elements that another set has.
  ///
  ///     try realm.write { person.tags.subtract(other.tags) }
  ///
  /// - Parameter other: as for `isSubset(of:)`.
  /// - Complexity: O(n + m log n) for another set of m elements; O(n + m) for unmanaged sets.
  public func subtract(_ other: MutableSet) {
    guard let location, let (_, values) = storedPair(other) else { return subtractUnmanaged(other.unmanaged) }
    change(location) { try $0.subtract(Array(values.all), fromSet: location.cell) }
  }

  /// The elements of both sets; nil when both are unmanaged. Traps when they cannot be compared.
  private func storedPair(_ other: MutableSet) -> (StoredSetElements, StoredSetElements)? {
    guard let location else {
      guard other.location == nil else {
        fatalError(
          "A set operation of an unmanaged set was given a managed one: both must be managed by one realm, or neither.")
      }
      return nil
    }
    guard let otherLocation = other.location, otherLocation.session.sees(sameAs: location.session) else {
      fatalError("A set operation was given a set that is not managed by the same realm: insert its elements instead.")
    }
    return (
      StoredSetElements(borrowedContents(location), location.type),
      StoredSetElements(other.borrowedContents(otherLocation), otherLocation.type)
    )
  }

  private func subtractUnmanaged(_ others: UnmanagedSet<Element>) { unmanaged.removeAll(where: others.contains) }

  // MARK: Managed

  private func insert(_ contents: [_PropertyContent], at location: CollectionLocation, _ transaction: Transaction)
    throws
  {
    let holdsCollection = contents.contains { if case .collection = $0 { true } else { false } }
    if holdsCollection {
      throw Realm.Error(
        .invalidValue, "Invalid value for property '\(location.path)': a set cannot hold lists or dictionaries.")
    }
    try put(
      contents, in: location, transaction, position: { _ in nil },
      one: { transaction, value, _ in try transaction.insert(value, inSet: location.cell) },
      all: { transaction, values in try transaction.formUnion(values, inSet: location.cell) })
  }

  /// The elements in order.
  public var _elements: [Element] { Array(self) }

  /// Replaces the elements.
  public func _replaceElements(with elements: [Element]) {
    guard let location else {
      unmanaged = UnmanagedSet(elements)
      return
    }
    let contents = elements.map(Element._encode)
    change(location) { transaction in
      try transaction.undoing { transaction in
        try transaction.removeAll(from: location.cell)
        // The insertion may run conversions of the application.
        location.session.noteChanges()
        try insert(contents, at: location, transaction)
      }
    }
  }
}

/// The elements of a managed set at one moment.
private struct StoredSetElements {
  private let elements: AnyStoredElements?
  private let type: ColumnType
  let all: ContiguousArray<StoredValue>

  init(_ contents: StoredCollection?, _ type: ColumnType) {
    elements = contents as? AnyStoredElements
    self.type = type
    all = contents?.values(from: 0, atMost: contents?.count ?? 0, as: type) ?? []
  }

  func contains(_ value: StoredValue) -> Bool { elements?.find(value, as: type).isPresent ?? false }
}
