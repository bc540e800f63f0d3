package import FiefGraph
import FiefRuntime

/// The difference between two graphs, as text: lines of their dumps, `-` of the first and `+` of the second.
struct GraphDifference {
  private let sides: [DumpClasses]
  private let labels: [RowLabels]
  private let pairs: RowPairs
  private let numberings: [RowNumbering]
  /// By the side: the index of each row in `pairs`.
  private var indexes: [[ObjectLink: Int]]

  /// The maximum number of lines that are printed of one object.
  static let linesOfObject = 40
  /// The maximum number of lines of a property that are compared one by one.
  private static let comparedLines = 1000

  init(_ a: Graph, _ b: Graph) {
    let sides = [DumpClasses(a), DumpClasses(b)]
    // Rows are paired first, and then the pairs are compared.
    WorkMeter.current?.begin(
      .comparing, of: sides.reduce(0) { $0 + $1.classes.reduce(0) { $0 + $1.table.count } }, passes: 2)
    let pairs = RowPairs(sides[0], sides[1])
    let numberings = sides.map { RowNumbering($0) }
    var indexes: [[ObjectLink: Int]] = [[:], [:]]
    for (index, row) in pairs.rows.rows.enumerated() { indexes[row.isSecond ? 1 : 0][row.link] = index }
    let known = indexes
    labels = sides.indices.map { side in
      var labels = RowLabels(sides[side])
      // A row of the second graph is named like its partner.
      labels.number = { link in
        guard side == 1, let index = known[1][link], let partner = pairs.partners[index] else {
          return numberings[side].number(link)
        }
        return numberings[0].number(pairs.rows.rows[partner].link)
      }
      labels.suffix = { link in
        guard numberings[side].number(link) != nil, let index = known[side][link], pairs.partners[index] == nil else {
          return ""
        }
        return side == 0 ? " of a" : " of b"
      }
      return labels
    }
    (self.sides, self.pairs, self.numberings, self.indexes) = (sides, pairs, numberings, indexes)
  }

  /// The difference; nil without one.
  ///
  /// - Parameter limit: the maximum number of objects that are described.
  func text(limit: Int) -> String? {
    assert(limit >= 0, "A limit is a number of objects.")
    var text: [String] = []
    var described = 0
    var left = 0
    func describe(_ lines: [String]) {
      if lines.isEmpty { return }
      if described < limit {
        described += 1
        let more = lines.count - Self.linesOfObject
        text += more > 1 ? lines.prefix(Self.linesOfObject) + ["  … \(more) more lines"] : lines
      } else {
        left += 1
      }
    }
    forEachObject { first, second in
      if let first, let second {
        describe(difference(first, second))
      } else if let first {
        describe(whole(first, side: 0))
      } else if let second {
        describe(whole(second, side: 1))
      }
    }
    if left > 0 { text.append("… and \(left) more \(left == 1 ? "object" : "objects")") }
    return text.isEmpty ? nil : text.joined(separator: "\n")
  }

  /// Calls a body with each object of either graph, in the order of the classes: with its rows in the first graph and
  /// in the second, one of which may be missing.
  private func forEachObject(_ body: (ObjectLink?, ObjectLink?) -> Void) {
    let meter = WorkMeter.current
    var second = numberings[1].order[...]
    func rest(before name: String?) {
      while let link = second.first, let rowClass = sides[1][link.table],
        name.map({ StoredOrder.compare(rowClass.storedName, $0) < 0 }) ?? true
      {
        second = second.dropFirst()
        meter?.advance(by: 1)
        if partner(of: link, side: 1) == nil { body(nil, link) }
      }
    }
    var name: String?
    for link in numberings[0].order {
      guard let rowClass = sides[0][link.table] else { continue }
      if name != rowClass.storedName {
        rest(before: rowClass.storedName)
        name = rowClass.storedName
      }
      body(link, partner(of: link, side: 0))
      meter?.advance(by: 1)
    }
    rest(before: nil)
  }

  /// The objects that differ, with the names of the properties that do.
  func objects() -> [ObjectDifference] {
    var objects: [ObjectDifference] = []
    forEachObject { first, second in
      var names: [String] = []
      if let first, let second {
        names = properties(first, second)
        if names.isEmpty { return }
      }
      objects.append(ObjectDifference(first: first, second: second, properties: names))
    }
    return objects
  }

  /// The stored names of the properties that differ in two rows that are paired: first those of the first row.
  private func properties(_ a: ObjectLink, _ b: ObjectLink) -> [String] {
    assert(partner(of: a, side: 0) == b, "Rows that are compared are a pair.")
    guard let first = sides[0][a.table], let second = sides[1][b.table] else { return [] }
    let others = Set(second.columns.map(\.storedName))
    let names = Set(first.columns.map(\.storedName))
    return first.columns.map(\.storedName).filter { name in
      guard others.contains(name) else { return true }
      return !isEqual(name, a, first, b, second)
    } + second.columns.map(\.storedName).filter { !names.contains($0) }
  }

  private func isEqual(
    _ name: String, _ a: ObjectLink, _ first: DumpClass, _ b: ObjectLink, _ second: DumpClass
  ) -> Bool {
    guard let one = first.columns.firstIndex(where: { $0.storedName == name }),
      let other = second.columns.firstIndex(where: { $0.storedName == name })
    else { return false }
    if first.columns[one].isScalar && second.columns[other].isScalar
      && first.table.value(a.key, leaf: first.columns[one].leaf)
        == second.table.value(b.key, leaf: second.columns[other].leaf)
    {
      return true
    }
    return property(one, of: a, side: 0) == property(other, of: b, side: 1)
  }

  private func partner(of link: ObjectLink, side: Int) -> ObjectLink? {
    indexes[side][link].flatMap { pairs.partners[$0] }.map { pairs.rows.rows[$0].link }
  }

  /// A row that only one graph has.
  private func whole(_ link: ObjectLink, side: Int) -> [String] {
    assert(partner(of: link, side: side) == nil, "A row that is shown whole has no partner.")
    guard let rowClass = sides[side][link.table] else { return [] }
    var reader = RowLines(sides[side])
    let lines = labels[side].texts(of: reader.lines(of: link, rowClass, columns: 0..<rowClass.columns.count))
    return ([labels[side][link]] + lines).map { (side == 0 ? "- " : "+ ") + $0 }
  }

  /// The difference of two rows that are paired.
  private func difference(_ a: ObjectLink, _ b: ObjectLink) -> [String] {
    assert(partner(of: a, side: 0) == b && partner(of: b, side: 1) == a, "Rows that are compared are a pair.")
    guard let first = sides[0][a.table], let second = sides[1][b.table] else { return [] }
    var lines: [String] = []
    var positions: [String: Int] = [:]
    for (position, column) in second.columns.enumerated() { positions[column.storedName] = position }
    for (position, column) in first.columns.enumerated() {
      if let other = positions.removeValue(forKey: column.storedName) {
        if column.isScalar && second.columns[other].isScalar
          && first.table.value(a.key, leaf: column.leaf) == second.table.value(b.key, leaf: second.columns[other].leaf)
        {
          continue
        }
        lines += Self.difference(property(position, of: a, side: 0), property(other, of: b, side: 1))
      } else {
        lines += property(position, of: a, side: 0).map { "- " + $0 }
      }
    }
    for (position, column) in second.columns.enumerated() where positions[column.storedName] != nil {
      lines += property(position, of: b, side: 1).map { "+ " + $0 }
    }
    // The names differ when only one of the graphs has a primary key for the class.
    let (name, other) = (labels[0][a], labels[1][b])
    if name != other { return ["- " + name, "+ " + other] + lines }
    return lines.isEmpty ? [] : ["  " + name] + lines
  }

  private func property(_ position: Int, of link: ObjectLink, side: Int) -> [String] {
    assert(side == 0 || side == 1, "A side is one of two.")
    guard let rowClass = sides[side][link.table] else { return [] }
    var reader = RowLines(sides[side])
    return labels[side].texts(of: reader.lines(of: link, rowClass, columns: position..<position + 1))
  }

  /// The changed lines, each behind the unchanged lines that it is nested in.
  private static func difference(_ a: [String], _ b: [String]) -> [String] {
    assert(!a.isEmpty && !b.isEmpty, "A property has a line.")
    if a == b { return [] }
    var changes: [String] = []
    // The unchanged lines above that were not printed yet.
    var context: [String] = []
    func depth(_ line: String) -> Int { line.utf8.prefix { $0 == UInt8(ascii: " ") }.count }
    func change(_ sign: String, _ line: String) {
      changes += context.filter { depth($0) < depth(line) }.map { "  " + $0 }
      context.removeAll()
      changes.append(sign + line)
    }
    func keep(_ line: String) {
      context.removeAll { depth($0) >= depth(line) }
      context.append(line)
    }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a.dropFirst(start).reversed(), b.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    for line in a.prefix(start) { keep(line) }
    assert(start + end <= min(a.count, b.count), "No line is both at the beginning and at the end.")
    let removed = Array(a[start..<a.count - end])
    let inserted = Array(b[start..<b.count - end])
    if removed.count + inserted.count > comparedLines {
      for line in removed { change("- ", line) }
      for line in inserted { change("+ ", line) }
      return changes
    }
    var (one, other) = (0, 0)
    let edits = inserted.difference(from: removed)
    let gone = Set(edits.removals.compactMap { if case .remove(let offset, _, _) = $0 { offset } else { nil } })
    let new = Set(edits.insertions.compactMap { if case .insert(let offset, _, _) = $0 { offset } else { nil } })
    while one < removed.count || other < inserted.count {
      if one < removed.count && gone.contains(one) {
        change("- ", removed[one])
        one += 1
      } else if other < inserted.count && new.contains(other) {
        change("+ ", inserted[other])
        other += 1
      } else {
        keep(inserted[other])
        (one, other) = (one + 1, other + 1)
      }
    }
    return changes
  }
}

/// An object that differs in two graphs, or that only one of them has.
package struct ObjectDifference: Sendable {
  /// Its row in the first graph; nil if only the second has it.
  package let first: ObjectLink?
  /// Its row in the second graph; nil if only the first has it.
  package let second: ObjectLink?
  /// The stored names of the properties that differ. Empty for an object of one graph.
  package let properties: [String]
}

extension Graph {
  /// The objects that differ between this graph and another one, in the order of their classes. Objects without a
  /// primary key are paired as in `difference(from:limit:)`.
  ///
  /// - Complexity: O(n log n) in the objects, links and values of both.
  package func objectDifferences(from other: Graph) -> [ObjectDifference] { GraphDifference(self, other).objects() }

  /// The difference between this graph and another one; nil for equal ones. FiefOpening describes the form at
  /// `Realm.difference`.
  package func difference(from other: Graph, limit: Int) -> String? { GraphDifference(self, other).text(limit: limit) }
}
