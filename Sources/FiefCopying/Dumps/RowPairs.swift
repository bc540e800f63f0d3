internal import FiefGraph

/// The pairs of a row of one graph with a row of another.
///
/// Rows with a primary key are paired by it. Other rows are paired by their contents and links (`RowPartition`), and
/// what is left then by likeness: by the number of equal properties and equal links.
struct RowPairs {
  let rows: DumpRows
  /// By row: the row of the other graph.
  private(set) var partners: [Int?]
  private var links: RowPartition.Links?

  /// The maximum number of pairs that are compared for likeness in one class.
  private static let likenessLimit = 20_000

  init(_ a: DumpClasses, _ b: DumpClasses) {
    rows = DumpRows([a, b])
    partners = Array(repeating: nil, count: rows.rows.count)
    if rows.isSettled {
      for (number, start) in rows.starts.enumerated() {
        let end = number + 1 < rows.starts.count ? rows.starts[number + 1] : rows.rows.count
        if end - start == 2 { pair(start, start + 1) }
      }
    } else {
      let links = rows.links()
      var partition = RowPartition(
        count: rows.rows.count, starts: rows.starts, links: links, isSecond: rows.rows.map(\.isSecond))
      partition.pair()
      for (first, second) in partition.pairs { pair(first, second) }
      self.links = links
    }
    pairByLikeness()
    assert(
      partners.indices.allSatisfy { row in partners[row].map { partners[$0] == row } ?? true }, "Pairs are mutual.")
  }

  private mutating func pair(_ a: Int, _ b: Int) {
    assert(partners[a] == nil && partners[b] == nil, "A pair is final.")
    assert(rows.rows[a].isSecond != rows.rows[b].isSecond, "A pair is of both graphs.")
    (partners[a], partners[b]) = (b, a)
  }

  private func hasKey(_ row: Int) -> Bool {
    rows.sides[rows.rows[row].isSecond ? 1 : 0][rows.rows[row].link.table]?.keyLeaf != nil
  }

  // MARK: By likeness

  private mutating func pairByLikeness() {
    var first: [String: [Int]] = [:]
    var second: [String: [Int]] = [:]
    for row in rows.rows.indices where partners[row] == nil && !hasKey(row) {
      let name = rowClass(row).storedName
      if rows.rows[row].isSecond { second[name, default: []].append(row) } else { first[name, default: []].append(row) }
    }
    for (name, ones) in first.sorted(by: { $0.key < $1.key }) {
      guard let others = second[name], ones.count * others.count <= Self.likenessLimit else { continue }
      pairByLikeness(ones, others)
    }
  }

  private mutating func pairByLikeness(_ ones: [Int], _ others: [Int]) {
    assert((ones + others).allSatisfy { partners[$0] == nil }, "A pair is final.")
    let known = links ?? rows.links()
    links = known
    var scores: [(score: Int, one: Int, other: Int)] = []
    let onesFacts = ones.map { (properties(of: $0), neighbours(of: $0, known)) }
    let othersFacts = others.map { (properties(of: $0), neighbours(of: $0, known)) }
    for (one, facts) in zip(ones, onesFacts) {
      for (other, otherFacts) in zip(others, othersFacts) {
        let equal = facts.0.count { otherFacts.0[$0.key] == $0.value }
        let common = facts.1.intersection(otherFacts.1).count
        if 2 * equal >= facts.0.count || common > 0 { scores.append((equal + common, one, other)) }
      }
    }
    scores.sort { ($1.score, $0.one, $0.other) < ($0.score, $1.one, $1.other) }
    for (_, one, other) in scores where partners[one] == nil && partners[other] == nil { pair(one, other) }
  }

  private func rowClass(_ row: Int) -> DumpClass {
    guard let rowClass = rows.sides[rows.rows[row].isSecond ? 1 : 0][rows.rows[row].link.table] else {
      fatalError("A row of a dump has no class.")
    }
    return rowClass
  }

  /// The text of each property, without the numbers of rows.
  private func properties(of row: Int) -> [String: [String]] {
    let side = rows.sides[rows.rows[row].isSecond ? 1 : 0]
    let rowClass = rowClass(row)
    var reader = RowLines(side)
    let labels = RowLabels(side)
    var texts: [String: [String]] = [:]
    for (position, column) in rowClass.columns.enumerated() {
      texts[column.storedName] = labels.texts(
        of: reader.lines(of: rows.rows[row].link, rowClass, columns: position..<position + 1))
    }
    return texts
  }

  private struct Neighbour: Hashable {
    let pair: Int
    let label: UInt64
  }

  private func neighbours(of row: Int, _ links: RowPartition.Links) -> Set<Neighbour> {
    assert(links.starts.count > row + 1, "Each row has its links.")
    var found: Set<Neighbour> = []
    for link in links.starts[row]..<links.starts[row + 1] {
      let target = Int(links.targets[link])
      if let partner = partners[target] { found.insert(.init(pair: min(target, partner), label: links.labels[link])) }
    }
    return found
  }
}
