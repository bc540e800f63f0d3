import FiefRuntime

internal import FiefGraph

/// The rows of one or two graphs that stand alone, in the order of a dump, as far as their own contents determine it.
///
/// Classes are ordered by name; rows with a primary key by the key, other rows by their contents, property by property.
/// Rows without a key and with equal contents share a cell; so do the rows of two graphs with one key.
struct DumpRows {
  struct Row {
    let link: ObjectLink
    let isSecond: Bool
  }

  let sides: [DumpClasses]
  private(set) var rows: [Row] = []
  private(set) var starts: [Int] = []

  init(_ sides: [DumpClasses]) {
    assert(sides.count == 1 || sides.count == 2, "Rows are of one graph or two.")
    self.sides = sides
    var names = sides.flatMap { $0.classes.map(\.storedName) }
    names.sort { StoredOrder.compare($0, $1) < 0 }
    var last: String?
    for name in names where !(last.map { ByteOrder.areIdentical($0, name) } ?? false) {
      last = name
      add(sides.map { side in side.classes.first { ByteOrder.areIdentical($0.storedName, name) } })
    }
  }

  private mutating func add(_ classes: [DumpClass?]) {
    assert(classes.count == sides.count, "A class is looked for in each graph.")
    var added: [Row] = []
    for (side, rowClass) in classes.enumerated() {
      guard let rowClass else { continue }
      rowClass.table.forEachRow(from: ObjectKey(0)) { key, _, _ in
        added.append(Row(link: ObjectLink(rowClass.table.schema.key, key), isSecond: side == 1))
        return true
      }
    }
    let present = classes.compactMap { $0 }
    let hasKey = present.allSatisfy { $0.keyLeaf != nil }
    let order = ContentOrder(sides, classes, byKey: hasKey)
    if hasKey {
      added.sort { order.compare($0, $1) < 0 }
    } else {
      // Rows of two graphs alternate where they are alike, so that pairs of them are found at once.
      let firstCount = added.count { !$0.isSecond }
      let ranks = added.indices.map { $0 < firstCount ? $0 : $0 - firstCount }
      let sorted = added.indices.sorted {
        let result = order.compare(added[$0], added[$1])
        return result != 0 ? result < 0 : (ranks[$0], $0) < (ranks[$1], $1)
      }
      added = sorted.map { added[$0] }
    }
    let first = rows.count
    for (position, row) in added.enumerated()
    where position == 0 || order.compare(added[position - 1], row) != 0 {
      starts.append(first + position)
    }
    rows += added
    WorkMeter.current?.advance(by: added.count)
    assert(starts.last ?? 0 <= rows.count, "A cell begins at a row.")
  }

  /// Whether every cell has at most one row of each graph, so that links need not be looked at.
  var isSettled: Bool {
    for (number, start) in starts.enumerated() {
      let end = number + 1 < starts.count ? starts[number + 1] : rows.count
      if end - start > 2 || end - start == 2 && rows[start].isSecond == rows[start + 1].isSecond { return false }
    }
    return true
  }

  /// The links between the rows. Linear in all values that can link.
  func links() -> RowPartition.Links {
    var numbers: [[ObjectLink: Int32]] = sides.map { _ in [:] }
    for (number, row) in rows.enumerated() { numbers[row.isSecond ? 1 : 0][row.link] = Int32(number) }
    assert(numbers.reduce(0) { $0 + $1.count } == rows.count, "A row is found once.")
    var found: [(from: Int32, to: Int32, path: UInt64)] = []
    for (number, row) in rows.enumerated() {
      let side = row.isSecond ? 1 : 0
      guard let rowClass = sides[side][row.link.table] else { continue }
      var reader = RowLines(sides[side])
      for column in rowClass.columns.indices where rowClass.columns[column].type.canLink {
        for line in reader.lines(of: row.link, rowClass, columns: column..<column + 1) {
          guard let link = line.link, let target = numbers[side][link] else { continue }
          found.append((Int32(number), target, line.path))
        }
      }
    }
    return .init(found, count: rows.count)
  }
}

extension RowPartition.Links {
  /// The links, and the same links from their other ends.
  fileprivate init(_ found: [(from: Int32, to: Int32, path: UInt64)], count: Int) {
    var counts = Array(repeating: 0, count: count + 1)
    for link in found {
      counts[Int(link.from)] += 1
      counts[Int(link.to)] += 1
    }
    assert(found.allSatisfy { Int($0.from) < count && Int($0.to) < count }, "Links are between the rows.")
    starts = []
    var sum = 0
    for count in counts {
      starts.append(sum)
      sum += count
    }
    targets = Array(repeating: 0, count: sum)
    labels = Array(repeating: 0, count: sum)
    var next = starts
    func add(_ from: Int32, _ to: Int32, label: UInt64) {
      targets[next[Int(from)]] = to
      labels[next[Int(from)]] = label
      next[Int(from)] += 1
    }
    for link in found {
      add(link.from, link.to, label: link.path)
      add(link.to, link.from, label: PathHash.joined(link.path, 1))
    }
  }
}

/// The order of the rows of one class by their own contents, links counted by the class and key of their targets alone.
struct ContentOrder {
  private let sides: [DumpClasses]
  /// The columns that the class has in all graphs, by the graph.
  private let columns: [[Int]]
  private let classes: [DumpClass?]

  /// - Parameter byKey: whether the primary key decides alone.
  init(_ sides: [DumpClasses], _ classes: [DumpClass?], byKey: Bool) {
    self.sides = sides
    self.classes = classes
    if byKey {
      columns = classes.map { _ in [0] }
      return
    }
    let present = classes.compactMap { $0 }
    let names = present[0].columns.map(\.storedName).filter { name in
      present.allSatisfy { $0.columns.contains { $0.storedName == name } }
    }
    columns = classes.map { rowClass in
      names.compactMap { name in rowClass?.columns.firstIndex { $0.storedName == name } }
    }
  }

  func compare(_ a: DumpRows.Row, _ b: DumpRows.Row) -> Int {
    guard let first = classes[a.isSecond ? 1 : 0], let second = classes[b.isSecond ? 1 : 0] else { return 0 }
    for (one, other) in zip(columns[a.isSecond ? 1 : 0], columns[b.isSecond ? 1 : 0]) {
      let result =
        first.columns[one].isScalar && second.columns[other].isScalar
        ? Self.compareScalars(
          first.table.value(a.link.key, leaf: first.columns[one].leaf) ?? .null,
          second.table.value(b.link.key, leaf: second.columns[other].leaf) ?? .null)
        : compareTexts(a, at: one, of: first, b, at: other, of: second)
      if result != 0 { return result }
    }
    return 0
  }

  /// Compares by meaning, and what is equal then by its text.
  private static func compareScalars(_ a: Value, _ b: Value) -> Int {
    let result = StoredOrder.compare(a, b)
    if result != 0 || a == b { return result }
    return StoredOrder.compare(
      DumpText.lines(a, isAny: false).joined(separator: "\n"), DumpText.lines(b, isAny: false).joined(separator: "\n"))
  }

  private func compareTexts(
    _ a: DumpRows.Row, at one: Int, of first: DumpClass, _ b: DumpRows.Row, at other: Int, of second: DumpClass
  ) -> Int {
    if haveObviouslyEqualTexts(a, at: one, of: first, b, at: other, of: second) { return 0 }
    let texts = text(of: a, one, first)
    let others = text(of: b, other, second)
    for (text, other) in zip(texts, others) {
      let result = StoredOrder.compare(text, other)
      if result != 0 { return result }
    }
    return texts.count - others.count
  }

  /// Whether two properties have one text, as far as this shows without making the text: both are null or empty, have
  /// one value without links, or link to classes of one name without keys.
  private func haveObviouslyEqualTexts(
    _ a: DumpRows.Row, at one: Int, of first: DumpClass, _ b: DumpRows.Row, at other: Int, of second: DumpClass
  ) -> Bool {
    let (column, otherColumn) = (first.columns[one], second.columns[other])
    guard column.type.shape == otherColumn.type.shape, column.type.kind == otherColumn.type.kind else { return false }
    guard column.type.shape == .single else {
      return first.table.collection(a.link.key, leaf: column.leaf) == nil
        && second.table.collection(b.link.key, leaf: otherColumn.leaf) == nil
    }
    let value = first.table.value(a.link.key, leaf: column.leaf) ?? .null
    let otherValue = second.table.value(b.link.key, leaf: otherColumn.leaf) ?? .null
    guard let link = value.linked, let otherLink = otherValue.linked else { return value == otherValue }
    guard let target = sides[a.isSecond ? 1 : 0][link.table],
      let otherTarget = sides[b.isSecond ? 1 : 0][otherLink.table],
      !target.isOwned, !otherTarget.isOwned, target.keyLeaf == nil, otherTarget.keyLeaf == nil
    else { return false }
    return ByteOrder.areIdentical(target.storedName, otherTarget.storedName)
  }

  private func text(of row: DumpRows.Row, _ column: Int, _ rowClass: DumpClass) -> [String] {
    let side = sides[row.isSecond ? 1 : 0]
    var reader = RowLines(side)
    return RowLabels(side).texts(of: reader.lines(of: row.link, rowClass, columns: column..<column + 1))
  }
}
