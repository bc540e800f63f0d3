/// Rows in cells, which are split until all rows of a cell have the same links to and from each other cell.
///
/// The order of the cells, and so of the rows, depends on the rows' contents and links alone, not on the order in which
/// they were made. This is colour refinement with a work list, in which the largest part of a split cell is not looked
/// at again: J. Hopcroft, "An n log n algorithm for minimizing states in a finite automaton" (1971); R. Paige and R. E.
/// Tarjan, "Three partition refinement algorithms" (1987). Rows that it cannot distinguish are set apart one by one, as
/// in B. D. McKay, "Practical graph isomorphism" (1981), but without trying other choices: where such rows are not
/// interchangeable, which happens in regular graphs only, the order may depend on their age.
///
/// With the rows of two graphs, it finds pairs. Cells of one row of each graph are pairs, and are not split any more.
/// Only cells with as many rows of the one as of the other split others, so that a difference does not spread.
struct RowPartition {
  /// The links of all rows in both directions: those of row `i` are at `starts[i]..<starts[i + 1]`.
  struct Links {
    var starts: [Int] = [0]
    var targets: [Int32] = []
    var labels: [UInt64] = []
  }

  /// The rows, cell by cell.
  private(set) var order: [Int32]
  private var positions: [Int32]
  /// By row: the start of its cell in `order`.
  private var cells: [Int32]
  /// By the start of a cell: its rows, and those of the second graph.
  private var counts: [Int32]
  private var seconds: [Int32]
  private let links: Links
  /// By row, whether it is of the second graph. Empty for one graph.
  private let isSecond: [Bool]
  private var queue: [Int32] = []
  private var isQueued: [Bool]

  /// Starts with the rows in order; `starts` are those of the cells.
  init(count: Int, starts: [Int], links: Links, isSecond: [Bool] = []) {
    assert(links.starts.count == count + 1 || count == 0, "Each row has its links.")
    assert(starts.first ?? 0 == 0 && (count == 0) == starts.isEmpty, "The cells hold all rows.")
    order = (0..<count).map { Int32($0) }
    positions = order
    cells = Array(repeating: 0, count: count)
    counts = Array(repeating: 0, count: count)
    seconds = counts
    isQueued = Array(repeating: false, count: count)
    self.links = links
    self.isSecond = isSecond
    for (number, start) in starts.enumerated() {
      let end = number + 1 < starts.count ? starts[number + 1] : count
      for row in start..<end { cells[row] = Int32(start) }
      counts[start] = Int32(end - start)
      countSeconds(start)
      enqueue(start)
    }
  }

  private var isPairing: Bool { !isSecond.isEmpty }

  private func rows(_ start: Int) -> Range<Int> {
    assert(counts[start] > 0, "A cell has rows.")
    return start..<start + Int(counts[start])
  }

  private mutating func countSeconds(_ start: Int) {
    guard isPairing else { return }
    seconds[start] = Int32(rows(start).count { isSecond[Int(order[$0])] })
    assert(seconds[start] <= counts[start], "The rows of the second graph are some of the cell's.")
  }

  /// Whether nothing is left to be distinguished in a cell.
  private func isFinal(_ start: Int) -> Bool {
    counts[start] == 1 || isPairing && counts[start] == 2 && seconds[start] == 1
  }

  private func isBalanced(_ start: Int) -> Bool { !isPairing || 2 * seconds[start] == counts[start] }

  private mutating func enqueue(_ start: Int) {
    assert(counts[start] > 0, "A cell has rows.")
    if isQueued[start] { return }
    isQueued[start] = true
    queue.append(Int32(start))
  }

  /// The start of each cell, in order.
  var starts: [Int] {
    var starts: [Int] = []
    var next = 0
    while next < order.count {
      starts.append(next)
      next += Int(counts[next])
    }
    assert(next == order.count, "The cells hold all rows.")
    return starts
  }

  // MARK: Splitting

  private struct Touch {
    let cell: Int32
    let row: Int32
    let label: UInt64
  }

  /// Splits cells until all rows of a cell have the same links to and from each cell.
  mutating func refine() {
    assert(isQueued.count == order.count && cells.count == order.count, "Each row has a cell.")
    var next = 0
    while next < queue.count {
      let start = Int(queue[next])
      next += 1
      isQueued[start] = false
      if isBalanced(start) { split(by: start) }
      if next > 4096 {
        queue.removeFirst(next)
        next = 0
      }
    }
    queue = []
  }

  private mutating func split(by splitter: Int) {
    assert(isBalanced(splitter), "Only cells with as many rows of the one graph as of the other split others.")
    var touches: [Touch] = []
    for position in rows(splitter) {
      let row = Int(order[position])
      for link in links.starts[row]..<links.starts[row + 1] {
        let target = links.targets[link]
        let cell = cells[Int(target)]
        if !isFinal(Int(cell)) { touches.append(Touch(cell: cell, row: target, label: links.labels[link])) }
      }
    }
    touches.sort { ($0.cell, $0.row, $0.label) < ($1.cell, $1.row, $1.label) }
    var next = 0
    while next < touches.count {
      let cell = touches[next].cell
      // The touched rows of the cell, each with the labels of its links.
      var members: [Range<Int>] = []
      while next < touches.count, touches[next].cell == cell {
        let first = next
        while next < touches.count, touches[next].row == touches[first].row { next += 1 }
        members.append(first..<next)
      }
      split(Int(cell), into: members, touches: touches)
    }
  }

  /// Sets rows of a cell apart by the labels of their links.
  private mutating func split(_ cell: Int, into members: [Range<Int>], touches: [Touch]) {
    func compare(_ a: Range<Int>, _ b: Range<Int>) -> Int {
      if a.count != b.count { return a.count < b.count ? -1 : 1 }
      for (first, second) in zip(a, b) where touches[first].label != touches[second].label {
        return touches[first].label < touches[second].label ? -1 : 1
      }
      return 0
    }
    let sorted = members.count == 1 ? members : members.sorted { compare($0, $1) < 0 }
    var groups: [Range<Int>] = []
    var first = 0
    for position in 1...sorted.count
    where position == sorted.count || compare(sorted[position - 1], sorted[position]) != 0 {
      groups.append(first..<position)
      first = position
    }
    assert(members.count <= Int(counts[cell]) && groups.count <= members.count, "Groups are parts of the cell.")
    let untouched = Int(counts[cell]) - members.count
    if untouched == 0 && groups.count == 1 { return }
    var end = cell + Int(counts[cell])
    var parts: [Int] = []
    for group in groups.reversed() {
      for member in group {
        end -= 1
        swap(Int(positions[Int(touches[sorted[member].lowerBound].row)]), end)
      }
      parts.append(end)
      let moved = cutOff(end, group.count)
      if end > cell { seconds[cell] -= moved }
    }
    if untouched > 0 {
      counts[cell] = Int32(untouched)
      parts.append(cell)
    }
    parts.reverse()
    // A cell that still waits to split others does so with its new rows. Otherwise one part may be left out: what it
    // would split is split by the others.
    let mayOmit = !isQueued[cell] && parts.allSatisfy { isBalanced($0) }
    let largest = mayOmit ? parts.max { (counts[$0], $1) < (counts[$1], $0) } : nil
    for part in parts where part != largest { enqueue(part) }
  }

  /// Makes rows a cell of their own, and returns how many of them are of the second graph.
  private mutating func cutOff(_ start: Int, _ count: Int) -> Int32 {
    assert(count > 0 && start + count <= order.count, "A cell has rows.")
    counts[start] = Int32(count)
    for position in start..<start + count { cells[Int(order[position])] = Int32(start) }
    countSeconds(start)
    return seconds[start]
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    assert(cells[Int(order[a])] == cells[Int(order[b])], "Rows change places within their cell.")
    if a == b { return }
    order.swapAt(a, b)
    positions[Int(order[a])] = Int32(a)
    positions[Int(order[b])] = Int32(b)
  }

  // MARK: Telling apart what is alike

  /// Makes the last rows of a cell a cell of their own.
  private mutating func cutLast(_ count: Int, of cell: Int) {
    assert(count < Int(counts[cell]), "Some rows stay in a cell.")
    let start = cell + Int(counts[cell]) - count
    counts[cell] -= Int32(count)
    let moved = cutOff(start, count)
    seconds[cell] -= moved
    enqueue(start)
  }

  /// Sets rows apart until each has its own cell.
  mutating func separate() {
    refine()
    var cell = 0
    while cell < order.count {
      if counts[cell] > 1 {
        cutLast(1, of: cell)
        refine()
      } else {
        cell += 1
      }
    }
    assert(starts.count == order.count, "Each row has its own cell.")
  }

  /// Sets pairs apart until no cell has rows of both graphs but pairs.
  mutating func pair() {
    assert(isPairing, "Pairs are of two graphs.")
    refine()
    // Rows that look alike are paired where both graphs have as many of them, and where they have not.
    for allowsRest in [false, true] {
      var hasPaired = true
      while hasPaired {
        hasPaired = false
        var cell = 0
        while cell < order.count {
          while hasBoth(cell) && !isFinal(cell) && (allowsRest || isBalanced(cell)) {
            pairOne(in: cell)
            refine()
            hasPaired = true
          }
          cell += Int(counts[cell])
        }
      }
    }
  }

  private func hasBoth(_ cell: Int) -> Bool { seconds[cell] > 0 && seconds[cell] < counts[cell] }

  private mutating func pairOne(in cell: Int) {
    assert(hasBoth(cell) && !isFinal(cell), "A pair is of both graphs.")
    let range = rows(cell)
    let second = range.last { isSecond[Int(order[$0])] }
    if let second { swap(second, range.upperBound - 1) }
    let first = range.dropLast().last { !isSecond[Int(order[$0])] }
    if let first { swap(first, range.upperBound - 2) }
    if range.count > 2 { cutLast(2, of: cell) }
  }

  var pairs: [(first: Int, second: Int)] {
    starts.compactMap { start in
      guard isFinal(start), counts[start] == 2 else { return nil }
      let (a, b) = (Int(order[start]), Int(order[start + 1]))
      return isSecond[a] ? (b, a) : (a, b)
    }
  }
}
