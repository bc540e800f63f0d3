public import FiefObjects
public import Foundation

// Orders that are given in Foundation's terms, which the store computes: no object is made, and the results stay live.

extension RealmCollection where Element: ObjectBase {
  /// The elements in the order of a comparator of key paths, live. Equal ones stay in their present order.
  ///
  ///     let oldestFirst = dogs.sorted(using: KeyPathComparator(\.age, order: .reverse))
  ///
  /// Strings are in the order of their bytes. Traps for a comparator that compares values by anything but their own
  /// order: sort `Array(dogs)` by such a one.
  ///
  /// - Parameter comparator: the property, or a path over links, and the direction.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted(using comparator: KeyPathComparator<Element>) -> Results<Element> { sorted(using: [comparator]) }

  /// The elements in the order of several comparators of key paths, live; the first counts most.
  ///
  ///     let ordered = dogs.sorted(using: [KeyPathComparator(\.age, order: .reverse), KeyPathComparator(\.name)])
  ///
  /// - Parameter comparators: the properties and directions, as for `sorted(using:)` with one of them.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted<S: Sequence>(using comparators: S) -> Results<Element>
  where S.Element == KeyPathComparator<Element> {
    sorted(
      by: comparators.map { comparator in
        guard comparator.comparesPlainly else {
          fatalError(
            "Cannot sort by '\(_name(for: comparator.keyPath))' with a comparator of one's own: sort an Array of the "
              + "elements by it.")
        }
        return SortDescriptor(keyPath: comparator.keyPath, ascending: comparator.order == .forward)
      })
  }

  /// The elements in the order of a sort descriptor of Foundation's, live. Equal ones stay in their present order.
  ///
  ///     let oldestFirst = dogs.sorted(using: Foundation.SortDescriptor(\.age, order: .reverse))
  ///
  /// Strings are in the order of the current language where the descriptor asks for a language's, and in that of their
  /// bytes elsewhere. Traps for a descriptor without a key path.
  ///
  /// - Parameter descriptor: the property, or a path over links, and the direction.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted(using descriptor: Foundation.SortDescriptor<Element>) -> Results<Element> {
    sorted(using: [descriptor])
  }

  /// The elements in the order of several sort descriptors of Foundation's, live; the first counts most.
  ///
  ///     let ordered = dogs.sorted(using: [Foundation.SortDescriptor(\.age), Foundation.SortDescriptor(\.name)])
  ///
  /// - Parameter descriptors: the properties and directions, as for `sorted(using:)` with one of them.
  /// - Complexity: O(m log m) for m elements when the results are first read.
  public func sorted<S: Sequence>(using descriptors: S) -> Results<Element>
  where S.Element == Foundation.SortDescriptor<Element> {
    sorted(
      by: descriptors.map { descriptor in
        guard let keyPath = descriptor.keyPath else {
          fatalError("Cannot sort by a descriptor without a key path: sort an Array of the elements by it.")
        }
        let (name, ascending) = (_name(for: keyPath), descriptor.order == .forward)
        return descriptor.isOfLanguage
          ? SortDescriptor(keyPath: name, ascending: ascending, locale: .current)
          : SortDescriptor(keyPath: name, ascending: ascending)
      })
  }
}

extension Foundation.SortDescriptor {
  /// Whether strings are compared as a language does. Foundation's own comparators outside of Apple's platforms do not.
  fileprivate var isOfLanguage: Bool {
    #if canImport(Darwin)
      stringComparator.map { $0 != .lexical } ?? false
    #else
      false
    #endif
  }
}

extension KeyPathComparator {
  /// Whether values are compared by their own order.
  fileprivate var comparesPlainly: Bool {
    // Comparators of strings have a type of their own, which the initialisers for strings alone choose.
    if let path = path(to: String.self) { return self == KeyPathComparator(path, order: order) }
    if let path = path(to: String?.self) { return self == KeyPathComparator(path, order: order) }
    switch type(of: keyPath).valueType {
    case let type as any Comparable.Type: return compares(type)
    case let type as any OptionalComparable.Type: return type.compares(self)
    default: return false
    }
  }

  fileprivate func compares<Value: Comparable>(_ type: Value.Type) -> Bool {
    path(to: type).map { self == KeyPathComparator($0, order: order) } ?? false
  }

  /// The key path, if it leads to values of a type.
  fileprivate func path<Value>(to type: Value.Type) -> (any KeyPath<Compared, Value> & Sendable)? {
    // Right because the comparator was made of a key path that is sendable: a cast cannot ask for that.
    (keyPath as? KeyPath<Compared, Value>).map {
      unsafe unsafeDowncast($0, to: (KeyPath<Compared, Value> & Sendable).self)
    }
  }
}

/// An optional of a comparable type.
private protocol OptionalComparable {
  /// Whether a comparator compares values of the type by their own order.
  static func compares<Compared>(_ comparator: KeyPathComparator<Compared>) -> Bool
}

extension Optional: OptionalComparable where Wrapped: Comparable {
  fileprivate static func compares<Compared>(_ comparator: KeyPathComparator<Compared>) -> Bool {
    comparator.path(to: Wrapped?.self).map { comparator == KeyPathComparator($0, order: comparator.order) } ?? false
  }
}
