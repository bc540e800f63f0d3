import FiefGraph
import FiefObjects

extension RealmCollection where Element: _ObjectRepresentable {
  /// The elements in sections by a property, sorted by it.
  ///
  ///     let sections = realm.objects(Song.self).sectioned(by: \.genre)
  ///
  /// The key path may be that of a computed property which reads one kept property: the elements are sorted by that
  /// one.
  ///
  /// Traps when the collection is unmanaged, for a property that cannot be sorted by, and for one that holds objects or
  /// collections.
  ///
  /// - Parameters:
  ///   - keyPath: the property, a path over links to one object, or a projected property, which stands for that of the
  ///     root. Its values are the keys; they cannot be objects or collections.
  ///   - ascending: whether the section with the least key comes first. Null comes before every other key, or after
  ///     them if it is null only because a link on the path is nil.
  /// - Complexity: O(n log n) when it is first read.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let order = [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)]
    return Self.sections(of: sorted(by: order)) { $0[keyPath: keyPath] }
  }

  /// The elements in sections by a property, in an order that begins with it.
  ///
  ///     let sections = songs.sectioned(by: \.genre, sortDescriptors: ["genre", "title"])
  ///
  /// Traps as `sectioned(by:ascending:)` does.
  ///
  /// - Parameters:
  ///   - keyPath: the property, a path over links to one object, or a projected property.
  ///   - sortDescriptors: the order, by properties of the objects; traps unless the first one names that very property.
  /// - Complexity: O(n log n) when it is first read.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    let name = _name(for: keyPath)
    guard let first = sortDescriptors.first else {
      fatalError("Sections by '\(name)' need an order that begins with it: give its sort descriptor first.")
    }
    if first.keyPath != name {
      fatalError("Sections by '\(name)' need an order that begins with it; this one begins with '\(first.keyPath)'.")
    }
    return Self.sections(of: sorted(by: sortDescriptors)) { $0[keyPath: keyPath] }
  }
}

extension RealmCollection where Element: KeypathSortable {
  /// The elements in sections by keys that a block returns.
  ///
  ///     songs.sectioned(by: { String($0.title.prefix(1)) }, sortDescriptors: ["title"])
  ///
  /// Traps when the collection is unmanaged, and when the block returns an object or a collection. The block must not
  /// change the realm.
  ///
  /// - Parameters:
  ///   - block: returns the key of an element. It is called for every element whenever the sections are computed, also
  ///     for frozen objects, and must depend on the element alone.
  ///   - sortDescriptors: the order; traps if it is empty. Sections come in the order of their first elements.
  /// - Complexity: O(n log n) when it is first read.
  public func sectioned<Key: Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if sortDescriptors.isEmpty {
      fatalError(
        "Sections need an order that brings elements of one section together: give at least one sort descriptor.")
    }
    return Self.sections(of: sorted(by: sortDescriptors), block)
  }

  /// The elements in sections by keys that a block returns; otherwise as `sectioned(by:sortDescriptors:)`.
  ///
  ///     let sections = songs.sectioned(sortDescriptors: ["title"]) { String($0.title.prefix(1)) }
  public func sectioned<Key: Hashable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyBlock, sortDescriptors: sortDescriptors)
  }
}

extension RealmCollection where Element.PersistedType: _SectionableType {
  /// The elements in their own order, in sections by keys that a block returns.
  ///
  ///     numbers.sectioned(by: { $0 % 2 == 0 ? "even" : "odd" })
  ///
  /// Traps when the collection is unmanaged, and when the block returns a collection.
  ///
  /// - Parameters:
  ///   - block: returns the key of an element; it must depend on the element alone.
  ///   - ascending: whether the least element comes first.
  /// - Complexity: O(n log n) when it is first read.
  public func sectioned<Key: Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { Self.sections(of: inOrder(ascending: ascending), block) }
}

extension RealmCollection {
  /// The sections of sorted elements.
  fileprivate static func sections<Key: Hashable>(
    of sorted: Results<Element>, _ key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    // Keys are not stored, so their type need not be persistable.
    guard let kept = Key.self as? any _Persistable.Type else {
      return SectionedResults(SectionsCore(sorted.core, key))
    }
    if kept._facts.kind == .link || kept._facts.shape != .single {
      fatalError(
        "Values of type '\(Key.self)' cannot be keys of sections: keys are neither objects nor collections.")
    }
    if kept._facts.kind != .any { return SectionedResults(SectionsCore(sorted.core, key)) }
    return SectionedResults(
      SectionsCore(sorted.core) { element in
        let value = key(element)
        guard case .value? = (value as? any _Persistable)?.content else {
          fatalError("'\(value)' cannot be the key of a section: keys are neither objects nor collections.")
        }
        return value
      })
  }
}
