import FiefGraph
import FiefQueries
import FiefValues
import Foundation

// The simplest implementation of sorts, distincts, limits and groups: the other half of the oracle.

extension NaiveQuery {
  /// The rows after a step.
  func arranged(_ rows: [ObjectLink], _ modifier: QueryModifier) -> [ObjectLink] {
    switch modifier {
    case .limit(let count, let offset): return Array(rows.dropFirst(offset).prefix(count))
    case .sort(let keys):
      let values = rows.map { row in keys.map { isReached($0.path, row) ? value($0.path, row) : nil } }
      let order = rows.indices.sorted { a, b in
        for (index, key) in keys.enumerated() {
          let relation = compare(values[a][index], values[b][index], key.collation)
          if relation != 0 { return (relation < 0) == key.ascending }
        }
        return a < b
      }
      return order.map { rows[$0] }
    case .distinct(let paths):
      var seen: [[Value]] = []
      return rows.filter { row in
        // A row with a null link on a path has no combination of values.
        if paths.contains(where: { $0.components.count > 1 && value(PropertyPath([$0.components[0]]), row).isNull }) {
          return false
        }
        let values = paths.map { value($0, row) }
        if seen.contains(where: { isSame($0, values) }) { return false }
        seen.append(values)
        return true
      }
    }
  }

  /// Groups of rows with equal values, in the order of the values.
  func groups(_ rows: [ObjectLink], by paths: [PropertyPath]) -> [[ObjectLink]] {
    var groups: [(values: [Value], rows: [ObjectLink])] = []
    for row in rows {
      let values = paths.map { value($0, row) }
      if let index = groups.firstIndex(where: { isSame($0.values, values) }) {
        groups[index].rows.append(row)
      } else {
        groups.append((values, [row]))
      }
    }
    return groups.sorted { a, b in
      zip(a.values, b.values).map { StoredOrder.compare($0, $1) }.first { $0 != 0 } ?? 0 < 0
    }.map(\.rows)
  }

  /// Whether no link on the way to the value of a path is null.
  private func isReached(_ path: PropertyPath, _ row: ObjectLink) -> Bool {
    var way = PropertyPath([])
    for step in path.components.dropLast() {
      way = way.appending(step)
      let links = ["link", "other", "owner"].map { PropertyPath.Component.property($0) }
      guard links.contains(step) else { return true }
      if value(way, row).isNull { return false }
    }
    return true
  }

  /// Rows behind null links come last.
  private func compare(_ a: Value?, _ b: Value?, _ collation: TextCollation) -> Int {
    guard let a, let b else { return (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
    return compare(a, b, collation)
  }

  private func isSame(_ a: [Value], _ b: [Value]) -> Bool {
    zip(a, b).allSatisfy { StoredOrder.compare($0, $1) == 0 }
  }

  private func compare(_ a: Value, _ b: Value, _ collation: TextCollation) -> Int {
    guard case .string(let a) = a, case .string(let b) = b else { return StoredOrder.compare(a, b) }
    switch collation {
    case .bytes: return StoredOrder.compare(a, b)
    case .folded(let options):
      let (a, b) = (folded(a, options), folded(b, options))
      return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case .locale(let name): return a.compare(b, locale: Locale(identifier: name)).rawValue
    }
  }
}
