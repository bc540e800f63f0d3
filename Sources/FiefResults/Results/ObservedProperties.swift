import FiefCopying
import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// The properties that make an element of an observed collection count as modified: all of them, or those on the key
/// paths.
struct ObservedProperties {
  /// The classes of the elements; empty for any-values.
  private let classes: [ClassBinding]
  /// The paths, by the table at which they start; nil when all properties count.
  private let paths: [TableKey: [ObservedPath]]?

  /// Traps for a name that is not a property.
  init(_ keyPaths: [String]?, of base: ResultsSource) {
    let classes = base.classes
    self.classes = classes
    guard let keyPaths, !keyPaths.isEmpty else {
      paths = nil
      return
    }
    if classes.isEmpty { fatalError("Key paths can only be observed of objects and of collections of objects.") }
    paths = Dictionary(
      uniqueKeysWithValues: classes.map { root in (root.table, keyPaths.map { ObservedPath($0, from: root) }) })
  }

  /// Returns the rows of each class that count as modified.
  func modified(in difference: VersionDifference) -> ModifiedRows {
    var rows: [TableKey: Set<ObjectKey>] = [:]
    for binding in classes {
      rows[binding.table] =
        paths?[binding.table].map { $0.reduce(into: []) { $0.formUnion(difference.rows(changedOn: $1)) } }
        ?? difference.rowsReachingChanges(in: binding.table)
    }
    return ModifiedRows(difference: difference, rows: rows)
  }
}

/// The rows that count as modified between two versions.
struct ModifiedRows {
  let difference: VersionDifference
  /// The modified rows of the classes that the elements can have.
  let rows: [TableKey: Set<ObjectKey>]

  /// Whether a row may count as modified. Always true for any-values, whose classes are unknown.
  var mayBeAny: Bool { rows.isEmpty || rows.values.contains { !$0.isEmpty } }

  /// Whether an element that a cell had in the old version may count as modified.
  ///
  /// The links to the modified rows tell that, and the elements of most collections need not be read. Of any-values the
  /// classes are unknown.
  func mayBe(in elements: StoredCollection, of cell: Cell) -> Bool {
    if rows.isEmpty { return true }
    for (table, keys) in rows where !keys.isEmpty {
      if keys.count >= elements.count { return true }
      let incoming = difference.old[table]?.incoming.first { $0.origin == cell.table && $0.column == cell.column }
      if let incoming, keys.contains(where: { incoming.bag(of: $0)?.contains(cell.key) ?? false }) { return true }
    }
    return false
  }

  /// Whether a row counts as modified.
  func contains(_ link: ObjectLink) -> Bool {
    (rows[link.table] ?? difference.rowsReachingChanges(in: link.table)).contains(link.key)
  }

  /// Whether an element is a row that counts as modified.
  func contains(_ element: HashedValue) -> Bool {
    if case .link(let link) = element.value { contains(link) } else { false }
  }
}

extension BacklinkBag {
  /// Whether a row is among those that link. Logarithmic.
  fileprivate func contains(_ source: ObjectKey) -> Bool {
    switch self {
    case .one(let key): key == source
    case .many(let keys): keys.find(source.rawValue).isPresent
    }
  }
}

extension ObservedPath {
  /// Resolves a key path of names that starts at a class to the tables and columns of its store.
  ///
  ///     "dog.toy.name" of Person      Person.dog ──▶ Dog.toy ──▶ Toy.name
  ///
  /// Traps when a name is not a property, or when a property before the last one does not hold objects.
  init(_ text: String, from root: ClassBinding) {
    var steps: [ObservedPath.Step] = []
    var current: ClassBinding? = root
    for name in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let binding = current else {
        fatalError("Invalid property name '\(name)' in key path '\(text)': the property before it holds no objects.")
      }
      guard let number = binding.model.number(of: String(name)) else {
        fatalError(
          "Invalid property name '\(name)' in key path '\(text)': class '\(binding.model.name)' has no such property: "
            + binding.model.advice(on: String(name)))
      }
      if let (source, property) = binding.origin(number) {
        steps.append(.backlinks(binding.table, origin: source.table, source.columns[property]))
      } else {
        steps.append(.property(binding.table, binding.columns[number]))
      }
      current = binding.borrowedTarget(number)?.counted
    }
    self.init(steps)
  }
}
