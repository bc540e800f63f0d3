import FiefGraph

/// What makes an element of an observed collection count as modified: everything about it, or what key paths name.
struct WatchedProperties {
  /// The classes that elements can be of; none of any-values.
  private let classes: [ClassBinding]
  /// The paths by the tables at which they begin; nil when everything counts.
  private let paths: [TableKey: [ObservedPath]]?

  /// Traps for a name that is not that of a property.
  init(_ keyPaths: [String]?, of base: ResultsBase) {
    let classes = base.classes
    self.classes = classes
    guard let keyPaths, !keyPaths.isEmpty else {
      paths = nil
      return
    }
    if classes.isEmpty { fatalError("Key paths can only be observed of objects and of collections of objects.") }
    paths = Dictionary(
      uniqueKeysWithValues: classes.map { root in (root.table, keyPaths.map { ObservedPath($0, root) }) })
  }

  /// The rows of each class that count as modified.
  func modified(in difference: Difference) -> ModifiedRows {
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
  let difference: Difference
  /// Those of the classes that the elements can be of.
  let rows: [TableKey: Set<ObjectKey>]

  /// Whether there may be any: among any-values that is not known.
  var mayBeAny: Bool { rows.isEmpty || rows.values.contains { !$0.isEmpty } }

  /// Whether a row counts as modified.
  func contains(_ link: ObjectLink) -> Bool {
    (rows[link.table] ?? difference.rowsReachingChanges(in: link.table)).contains(link.key)
  }

  /// Whether an element is a row that counts as modified.
  func contains(_ element: HashedValue) -> Bool {
    if case .link(let link) = element.value { contains(link) } else { false }
  }
}
