import FiefGraph
public import FiefRuntime
import FiefSessions

/// Iterates over the elements of a realm's collection.
@frozen
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// The objects of a realm, one after another. `holder` retains the walk; this reference is not counted, as retaining
  /// it for each element would cost more than a step of the walk.
  @usableFromInline let rows: Borrowed<RowWalk>?
  @usableFromInline let holder: RowWalk?
  /// Other stored elements.
  @usableFromInline let values: ValueWalk?
  @usableFromInline let context: _StoreContext?
  /// Elements of an unmanaged collection.
  @usableFromInline var elements: IndexingIterator<[Element]>

  @usableFromInline
  package init(_ elements: [Element]) {
    rows = nil
    holder = nil
    values = nil
    context = nil
    self.elements = elements.makeIterator()
  }

  /// A walk over rows returns objects of the class `Element`, and exists for no other element type.
  @usableFromInline
  package init(walk: ElementWalk, context: _StoreContext) {
    switch walk {
    case .rows(let walk):
      rows = unsafe Borrowed(walk)
      holder = walk
      values = nil
    case .values(let walk):
      rows = nil
      holder = nil
      values = walk
    }
    self.context = context
    elements = [].makeIterator()
  }

  /// The next element; nil after the last.
  ///
  ///     var iterator = person.dogs.makeIterator()
  ///     while let dog = iterator.next() { print(dog.name) }
  @inlinable
  public mutating func next() -> Element? {
    if let rows {
      let object = rows.with { $0.next() }
      withExtendedLifetime(holder) {}
      guard let object else { return nil }
      return unsafe unsafeBitCast(object, to: Element.self)
    }
    if let values, let context {
      guard let value = values.next() else { return nil }
      return Element._fromStored(value, context)
    }
    return elements.next()
  }
}

/// The way to iterate over the elements of a realm's collection.
@usableFromInline
package enum ElementWalk {
  /// Iterates over objects.
  case rows(RowWalk)
  /// Iterates over stored values.
  case values(ValueWalk)
}

extension CollectionBase {
  /// Iterates over the elements of a managed list or set, or over the values of a map.
  ///
  /// - Parameter objects: whether the elements are objects of a model class, and not of a type that stands for one.
  @usableFromInline
  final func elementWalk(objects: Bool) -> ElementWalk {
    guard let location else { fatalError("An unmanaged collection has no stored elements.") }
    let contents = borrowedContents(location)
    if objects, let target = location.target, location.type.kind == .link, location.type.shape != .dictionary {
      return .rows(RowWalk((contents?.rowKeys).map { .tree($0) } ?? .none, of: target, in: location.session))
    }
    if location.session.transaction != nil && location.type.shape != .dictionary {
      return .values(ValueWalk(live: self))
    }
    return .values(ValueWalk(contents, location.type))
  }
}
