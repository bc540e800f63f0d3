import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

extension List {
  /// Appends an element. An unmanaged object is added to the realm of a managed list.
  ///
  ///     try realm.write { person.dogs.append(dog) }
  ///
  /// - Complexity: O(log n).
  @inlinable
  public func append(_ element: Element) {
    // Inlined, so that an object becomes a content without being retained.
    if location == nil { appendUnmanaged(element) } else { append(content: Element._encode(element)) }
  }

  @usableFromInline
  func appendUnmanaged(_ element: Element) { unmanaged.append(element) }

  /// Appends elements in their order. Values and objects that the realm already has are stored by one operation.
  ///
  ///     try realm.write { person.dogs.append(objectsIn: realm.objects(Dog.self)) }
  ///
  /// - Complexity: O(m + log n) for m values; each object takes O(log n) more.
  public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    // The sequence may read this list, so its elements are read before the list changes.
    guard let location else { return unmanaged.append(contentsOf: Array(objects)) }
    let contents = objects.map(Element._encode)
    change(location) { transaction in
      try put(contents, at: transaction.count(of: location.cell), in: location, transaction)
    }
  }

  /// Appends elements in their order, as `append(objectsIn:)` does.
  ///
  ///     try realm.write { dog.tags.append(contentsOf: ["good", "small"]) }
  public func append<S: Sequence>(contentsOf elements: S) where S.Element == Element { append(objectsIn: elements) }

  /// Appends elements in their order, as `append(objectsIn:)` does.
  ///
  ///     try realm.write { dog.tags += ["good", "small"] }
  public static func += <S: Sequence>(list: List, elements: S) where S.Element == Element {
    list.append(objectsIn: elements)
  }

  /// Inserts an element before the one at a position.
  ///
  ///     try realm.write { person.dogs.insert(dog, at: 0) }
  ///
  /// - Parameters:
  ///   - element: the new element; an unmanaged object is added to the realm of a managed list.
  ///   - index: the position of the new element, 0...count.
  /// - Complexity: O(log n).
  public func insert(_ element: Element, at index: Int) {
    checkGap(index)
    guard let location else { return unmanaged.insert(element, at: index) }
    let content = Element._encode(element)
    change(location) { transaction in
      if let value = location.plainValue(content) {
        return try transaction.insert(value, at: index, inList: location.cell)
      }
      try put([content], at: index, in: location, transaction)
    }
  }

  /// Inserts elements before the one at a position, in their order.
  ///
  ///     try realm.write { person.lucky.insert(contentsOf: [1, 2], at: 0) }
  ///
  /// - Parameters:
  ///   - newElements: the new elements; unmanaged objects are added to the realm of a managed list.
  ///   - index: the position of the first new element, 0...count.
  /// - Complexity: O(m + log n) for m values; each object takes O(log n) more.
  public func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
    checkGap(index)
    guard let location else { return unmanaged.insert(contentsOf: Array(newElements), at: index) }
    let contents = newElements.map(Element._encode)
    change(location) { try put(contents, at: index, in: location, $0) }
  }

  /// Removes the element at a position, 0..<count. An embedded object is deleted; any other object stays in the realm.
  ///
  ///     try realm.write { person.dogs.remove(at: 0) }
  ///
  /// - Complexity: O(log n).
  public func remove(at index: Int) {
    checkPosition(index)
    guard let location else {
      unmanaged.remove(at: index)
      return
    }
    change(location) { try $0.remove(at: index, fromList: location.cell) }
  }

  /// Removes the first elements. Embedded objects are deleted.
  ///
  ///     try realm.write { person.dogs.removeFirst(2) }
  ///
  /// - Parameter number: the number of elements to remove, 0...count.
  /// - Complexity: O(log n) for values; each object takes O(log n) more.
  public func removeFirst(_ number: Int = 1) {
    let count = count
    if number < 0 || number > count { Misuse.tooMany(number, count) }
    removeSubrange(0..<number)
  }

  /// Removes the last elements. Embedded objects are deleted.
  ///
  ///     try realm.write { person.dogs.removeLast() }
  ///
  /// - Parameter number: the number of elements to remove, 0...count.
  /// - Complexity: O(log n) for values; each object takes O(log n) more.
  public func removeLast(_ number: Int = 1) {
    let count = count
    if number < 0 || number > count { Misuse.tooMany(number, count) }
    removeSubrange(count - number..<count)
  }

  /// Removes all elements. Embedded objects are deleted; other objects stay in the realm.
  ///
  ///     try realm.write { person.dogs.removeAll() }
  ///
  /// `Realm.delete(_:)` also deletes the objects themselves.
  ///
  /// - Complexity: O(n).
  public func removeAll() {
    guard let location else {
      unmanaged = []
      return
    }
    change(location) { try $0.removeAll(from: location.cell) }
  }

  /// Removes the elements that satisfy a condition. Embedded objects are deleted; other objects stay in the realm.
  ///
  ///     try realm.write { person.dogs.removeAll(where: { $0.age > 20 }) }
  ///
  /// - Parameter shouldBeRemoved: the condition. Traps when it changes the list.
  /// - Throws: the error that the condition throws. No element is removed then.
  /// - Complexity: O(n), and that of `remove(atOffsets:)`.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let count = count
    var offsets = IndexSet()
    for (position, element) in enumerated() where try shouldBeRemoved(element) { offsets.insert(position) }
    if count != self.count {
      fatalError("A list was changed by the condition of its removeAll(where:). Change it before or afterwards.")
    }
    remove(atOffsets: offsets)
  }

  /// Removes the elements of a range of positions. Embedded objects are deleted.
  ///
  ///     try realm.write { person.dogs.removeSubrange(2...) }
  ///
  /// - Parameter boundsExpression: a range within 0...count.
  /// - Complexity: O(log n) for values; each object takes O(log n) more.
  public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
    let range = boundsExpression.relative(to: self)
    checkRange(range)
    guard let location else { return unmanaged.removeSubrange(range) }
    change(location) { try $0.removeSubrange(range, fromList: location.cell) }
  }

  /// Removes the elements at the given positions. Embedded objects are deleted.
  ///
  ///     try realm.write { person.dogs.remove(atOffsets: IndexSet([0, 2])) }
  ///
  /// - Parameter offsets: positions in 0..<count.
  /// - Complexity: O(log n) for each run of adjacent positions; each object takes O(log n) more. O(n) in an unmanaged
  ///   list.
  public func remove(atOffsets offsets: IndexSet) {
    if let last = offsets.last, last >= count { Misuse.outOfRange(last, count) }
    guard let location else {
      var rest: [Element] = []
      var end = 0
      for range in offsets.rangeView {
        rest += unmanaged[end..<range.lowerBound]
        end = range.upperBound
      }
      unmanaged = rest + unmanaged[end...]
      return
    }
    change(location) { transaction in
      if offsets.rangeView.count == 1, let range = offsets.rangeView.first {
        return try transaction.removeSubrange(range, fromList: location.cell)
      }
      try transaction.undoing { transaction in
        for range in offsets.rangeView.reversed() { try transaction.removeSubrange(range, fromList: location.cell) }
      }
    }
  }

  /// Replaces the element at a position. An embedded object at that position is deleted.
  ///
  ///     try realm.write { person.dogs.replace(index: 0, object: dog) }
  ///
  /// An object may replace itself; nothing changes then.
  ///
  /// - Parameters:
  ///   - index: the position, 0..<count.
  ///   - object: the new element; an unmanaged object is added to the realm of a managed list.
  /// - Complexity: O(log n).
  public func replace(index: Int, object: Element) {
    checkPosition(index)
    guard let location else {
      unmanaged[index] = object
      return
    }
    let content = Element._encode(object)
    change(location) { transaction in
      // Assigning the object that is already at the position is permitted, even for embedded objects.
      if case .object(let object) = content, object.retainedSession === location.session, let link = object.rowLink,
        transaction.read({ $0.collection(location.cell)?.value(at: index, as: location.type) }) == .link(link)
      {
        return
      }
      if let value = location.plainValue(content) {
        return try transaction.replace(at: index, with: value, inList: location.cell)
      }
      try location.session.importer.insert(
        [content], into: location.cell, transaction, emptying: nil, position: { _ in .element(at: index) }
      ) { transaction, value, _ in try transaction.replace(at: index, with: value, inList: location.cell) }
    }
  }

  /// Replaces the elements of a range of positions; the number of elements may differ. Embedded objects in the range
  /// are deleted.
  ///
  ///     try realm.write { person.lucky.replaceSubrange(0..<2, with: [1, 2, 3]) }
  ///
  /// - Parameters:
  ///   - subrange: a range within 0...count.
  ///   - newElements: the new elements; unmanaged objects are added to the realm of a managed list.
  /// - Complexity: O(m + log n) for m new values; each object that comes or goes takes O(log n) more.
  public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
  where C.Element == Element, R.Bound == Int {
    let range = subrange.relative(to: self)
    checkRange(range)
    guard let location else { return unmanaged.replaceSubrange(range, with: Array(newElements)) }
    let contents = newElements.map(Element._encode)
    change(location) { try replace(range, with: contents, in: location, $0) }
  }

  /// Traps unless the list has an element at the position.
  final func checkPosition(_ index: Int) {
    let count = count
    if index < 0 || index >= count { Misuse.outOfRange(index, count) }
  }

  /// Traps unless an element can be inserted at the position.
  private func checkGap(_ index: Int) {
    let count = count
    if index < 0 || index > count { Misuse.outOfRange(index, count) }
  }

  // MARK: Managed

  /// Replaces the elements of a range. The new contents are planned before the old elements are removed, as they may be
  /// made of these, and inserted afterwards, as they may have values of these that must not repeat.
  private func replace(
    _ range: Range<Int>, with contents: [_PropertyContent], in location: CollectionLocation, _ transaction: Transaction
  ) throws {
    if let values = location.plainValues(contents) {
      return try transaction.replaceSubrange(range, with: values, inList: location.cell)
    }
    if holds(contents, at: range, location) { return }
    try put(contents, at: range.lowerBound, in: location, transaction) {
      try $0.removeSubrange(range, fromList: location.cell)
    }
  }

  /// Whether a range already has exactly the objects of `contents`. Embedded objects that have an owner cannot be
  /// inserted again.
  private func holds(_ contents: [_PropertyContent], at range: Range<Int>, _ location: CollectionLocation) -> Bool {
    guard contents.count == range.count else { return false }
    for (position, content) in zip(range, contents) {
      guard case .object(let object) = content, object.retainedSession === location.session, let link = object.rowLink,
        storedValue(at: position) == .link(link)
      else { return false }
    }
    return true
  }

  /// The elements in order.
  public var _elements: [Element] { location == nil && !isTracing ? unmanaged : Array(self) }

  /// Replaces the elements.
  public func _replaceElements(with elements: [Element]) {
    guard let location else {
      unmanaged = elements
      return
    }
    let contents = elements.map(Element._encode)
    change(location) { try replace(0..<$0.count(of: location.cell), with: contents, in: location, $0) }
  }
}
