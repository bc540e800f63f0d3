public import Fief
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

/// A binding to a collection of a realm, or the results of `@ObservedResults`: a collection that views can change.
///
/// Each change is a write: in a transaction of its own, or in the one that is under way. Frozen objects are thawed
/// before they are stored. Nothing happens when the owner of the collection was deleted.
@MainActor
public protocol BoundCollection {
  /// The type of the collection.
  associatedtype Value
  /// The type of the elements.
  associatedtype Element: RealmCollectionValue

  /// The collection as the view shows it.
  var wrappedValue: Value { get }

  /// The collection that is changed. Taking it counts as no evaluation: the positions of views stay what they are.
  var _target: Value { get }

  /// Requests that views are evaluated again, after a change of an unmanaged collection.
  func _changedDirectly()
}

extension Binding: BoundCollection where Value: RealmCollection {
  /// The type of the elements.
  public typealias Element = Value.Element

  /// The present collection.
  public var _target: Value { wrappedValue }

  /// Requests that views are evaluated again, after a change of an unmanaged collection.
  public func _changedDirectly() { wrappedValue = wrappedValue }
}

extension BoundCollection where Value: ThreadConfined {
  /// Changes the collection.
  fileprivate func change(_ body: (Value) -> Void) {
    let value = _target
    ImplicitWrite.change(value, body)
    if value.realm == nil { _changedDirectly() }
  }
}

extension BoundCollection where Value == Fief.List<Element> {
  /// Appends an element.
  ///
  ///     $person.dogs.append(Dog(value: ["name": "Rex"]))
  ///
  /// - Parameter value: an unmanaged object is added to the realm; a frozen one is thawed.
  public func append(_ value: Element) { change { $0.append(ImplicitWrite.thawed(value)) } }

  /// Removes the element at a position. Objects stay in the realm; embedded ones are deleted.
  ///
  ///     Button("Remove the first") { $person.dogs.remove(at: 0) }
  ///
  /// - Parameter index: a position in the list as the view shows it. Nothing happens when that element is no longer in
  ///   the list.
  public func remove(at index: Int) { remove(atOffsets: IndexSet(integer: index)) }

  /// Removes the elements at the given positions. Objects stay in the realm; embedded ones are deleted.
  ///
  ///     ForEach(person.dogs) { dog in DogRow(dog: dog) }.onDelete(perform: $person.dogs.remove)
  ///
  /// - Parameter offsets: positions in the list as the view shows it. Elements that are no longer in the list are
  ///   skipped.
  public func remove(atOffsets offsets: IndexSet) {
    let shown = ShownValues.reading { wrappedValue }
    change { list in list.remove(atOffsets: IndexSet(list.positions(of: offsets, in: shown).compactMap { $0 })) }
  }

  /// Moves elements to the position before another element, as list views request it.
  ///
  ///     ForEach(person.dogs) { dog in DogRow(dog: dog) }.onMove(perform: $person.dogs.move)
  ///
  /// The elements keep their order among each other. Those that are no longer in the list are skipped.
  ///
  /// - Parameters:
  ///   - offsets: positions in the list as the view shows it.
  ///   - destination: the position before which they are inserted, 0...count, in the list as the view shows it.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let shown = ShownValues.reading { wrappedValue }
    change { list in
      let moved = list.positions(of: offsets, in: shown).compactMap { $0 }
      // The first element at or behind the destination that is still in the list; the end without one.
      let followers = list.positions(of: IndexSet(integersIn: destination..<max(destination, shown.count)), in: shown)
      let target = followers.lazy.compactMap { $0 }.first ?? list.count
      list.move(fromOffsets: IndexSet(moved), toOffset: target)
    }
  }
}

extension BoundCollection where Value == MutableSet<Element> {
  /// Inserts an element.
  ///
  ///     $pond.ducks.insert("mallard")          // of 'ducks: MutableSet<String>'
  ///
  /// - Parameter value: an unmanaged object is added to the realm; a frozen one is thawed.
  public func insert(_ value: Element) { change { $0.insert(ImplicitWrite.thawed(value)) } }

  /// Removes an element, if the set contains it.
  ///
  ///     $pond.ducks.remove("mallard")
  ///
  /// - Parameter value: the element; a frozen object is thawed.
  public func remove(_ value: Element) {
    change { set in
      let live = ImplicitWrite.thawed(value)
      // What was deleted is in no set.
      if !ImplicitWrite.isGone(live) { set.remove(live) }
    }
  }
}

extension BoundCollection where Value == Results<Element>, Element: _ObjectRepresentable & ThreadConfined {
  /// Adds an object, or the root object of a projection, to the realm.
  ///
  ///     $dogs.append(Dog(value: ["name": "Bandido"]))
  ///
  /// - Parameter value: an unmanaged object. An object of this realm stays as it is.
  public func append(_ value: Element) {
    guard let object = ImplicitWrite.thawed(value._object) as? Object else {
      fatalError("An embedded object cannot be added to results: assign it to its owner.")
    }
    ImplicitWrite.change(_target) { $0.realm?.add(object) }
  }

  /// Deletes an object, or the root object of a projection, if it is one of the results.
  ///
  ///     Button("Delete") { $dogs.remove(dog) }
  ///
  /// - Parameter object: live or frozen. Traps for an unmanaged object.
  public func remove(_ object: Element) {
    if object.isInvalidated { return }
    if object.realm == nil { fatalError("An unmanaged object cannot be removed from results: only a realm deletes.") }
    ImplicitWrite.change(_target) { results in
      guard let live = object.isFrozen ? object.thaw() : object, !live.isInvalidated, results.index(of: live) != nil
      else { return }
      results.realm?.delete(live._object)
    }
  }

  /// Deletes the objects, or the root objects of the projections, at the given positions.
  ///
  ///     ForEach(dogs) { dog in DogRow(dog: dog) }.onDelete(perform: $dogs.remove)
  ///
  /// - Parameter offsets: positions in the results as the view shows them. Objects that no longer exist are skipped.
  public func remove(atOffsets offsets: IndexSet) {
    let shown = ShownValues.reading { wrappedValue }
    if let realm = shown.realm { delete(at: offsets, of: shown, in: realm) }
  }
}

/// Deletes the objects at positions of what a view shows.
@MainActor
func delete<Shown: RandomAccessCollection<Element>, Element: _ObjectRepresentable & ThreadConfined>(
  at offsets: IndexSet, of shown: Shown, in realm: Realm
) where Shown.Index == Int {
  let objects = offsets.filter { $0 < shown.count }.map { shown[$0] }
  ImplicitWrite.run(realm.isFrozen ? realm.thaw() : realm) {
    for object in objects {
      if let live = object.isFrozen ? object.thaw() : object, !live.isInvalidated { live.realm?.delete(live._object) }
    }
  }
}
