import FiefGraph

extension Binder {
  /// Resolves the paths of modifiers and checks them.
  mutating func bind(_ modifiers: [QueryModifier]) throws(QueryError) -> [BoundQueryModifier] {
    var bound: [BoundQueryModifier] = []
    for modifier in modifiers {
      switch modifier {
      case .limit(let count, let offset):
        guard count >= 0 && offset >= 0 else {
          throw QueryError(.unsupported, "A limit and its offset are not negative.")
        }
        bound.append(.limit(count, offset: offset))
      case .sort(let keys):
        var paths: [BoundSortKey] = []
        for key in keys {
          let path = try single(key.path, "sorted", orOverBacklinks: true)
          if path.kind == .link {
            throw QueryError(
              .unsupported,
              "'\(key.path)' is a link, by which nothing can be sorted: sort by a path to a property of its objects.")
          }
          if path.kind == .data {
            throw QueryError(
              .unsupported,
              "'\(key.path)' is data, by which nothing can be sorted: sort by another property, or sort an array of "
                + "the elements in Swift.")
          }
          guard key.collation == .bytes || path.kind == .string else {
            throw QueryError(
              .unsupported, "'\(key.path)' is \(path.kind.phrase): only text has other orders than that of bytes.")
          }
          paths.append(
            BoundSortKey(
              name: key.path, path: path, ascending: key.ascending, collation: key.collation,
              setsNullLinksApart: true))
        }
        if !paths.isEmpty { bound.append(.sort(paths)) }
      case .distinct(let names):
        var paths: [BoundPath] = []
        for name in names {
          let path = try single(name, "told apart")
          if path.kind == .data || path.isAggregate {
            throw QueryError(.unsupported, "'\(name)' is nothing by which rows can be told apart.")
          }
          paths.append(path)
        }
        if !paths.isEmpty { bound.append(.distinct(paths)) }
      }
    }
    assert(bound.count <= modifiers.count, "Modifiers without paths are left out.")
    return bound
  }

  /// Resolves a path to one value. With `orOverBacklinks`, it may also lead over backlinks to a value of each linking
  /// row.
  mutating func single(
    _ name: PropertyPath, _ verb: String, orOverBacklinks: Bool = false
  ) throws(QueryError) -> BoundPath {
    let path = try resolve(name, at: nil)
    if path.hops.contains(where: { if case .entry = $0 { true } else { false } }) {
      throw QueryError(.unsupported, "'\(name)' goes on behind a key, by which nothing can be \(verb).")
    }
    if orOverBacklinks, case .cell = path.end, path.walk.isEmpty,
      path.hops.allSatisfy({ if case .links = $0 { false } else { true } })
    {
      return path
    }
    guard !path.isMany else {
      throw QueryError(.unsupported, "'\(name)' leads to several values, by which nothing can be \(verb).")
    }
    assert(path.hops.allSatisfy { !$0.isMany }, "A path to one value leads over links to one row.")
    return path
  }
}
