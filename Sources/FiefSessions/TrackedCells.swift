import FiefGraph

/// The cells that tracking scopes have read, to be found by the cells that a commit changes.
///
///     append ──▶ recent ──settle──▶ runs, sorted, each at most half as long as the one before
///
/// A reading costs an append, or a bit when the scope has read of the row before. Entries are sorted when a change is
/// to be compared with them, and when they may contain many repeated ones. A loop over a table leaves them sorted,
/// which is known from comparing each entry with the one before.
struct TrackedCells {
  /// The columns of one row that a scope has read: up to 64 of them, as bits.
  struct Entry: Equatable {
    let key: ObjectKey
    fileprivate(set) var columns: UInt64
    let page: Page
    let scope: TrackedScope.Number

    /// Entries are ordered by page, row and scope.
    static func < (a: Entry, b: Entry) -> Bool {
      if a.page != b.page { return a.page.rawValue < b.page.rawValue }
      if a.key != b.key { return a.key < b.key }
      return a.scope < b.scope
    }

    fileprivate func isSame(as other: Entry) -> Bool { key == other.key && page == other.page && scope == other.scope }
  }

  /// 64 columns of a table: its number, and a byte for the number of the page.
  struct Page: Equatable {
    let rawValue: UInt32

    /// The page of a column; nil for numbers beyond what fits.
    init?(_ table: TableKey, _ column: ColumnKey) {
      if table.rawValue >= 0xFF_FFFF || column.rawValue >= 256 * 64 { return nil }
      rawValue = table.rawValue << 8 | column.rawValue >> 6
    }

    init(_ table: TableKey, number: UInt32) { rawValue = table.rawValue << 8 | number }

    var table: TableKey { TableKey(rawValue: rawValue >> 8) }

    func column(_ bit: Int) -> ColumnKey { ColumnKey(rawValue: (rawValue & 0xFF) << 6 | UInt32(bit)) }
  }

  /// Sorted entries.
  private struct Run {
    var entries: ContiguousArray<Entry>
    /// The scope of all entries; nil when there are several.
    var scope: TrackedScope.Number?

    init(_ entries: ContiguousArray<Entry>, scope: TrackedScope.Number?) {
      self.entries = entries
      self.scope = scope
    }

    init(merging a: Run, _ b: Run) {
      entries = ContiguousArray(merging: a.entries, b.entries)
      scope = a.scope == b.scope ? a.scope : nil
    }
  }

  private var recent: ContiguousArray<Entry> = []
  /// Whether each recent entry is greater than the one before.
  private var isAscending = true
  /// Whether the recent entries have one scope.
  private var isOfOneScope = true
  /// The number of entries that were recent at the last settling: a scope that runs again reads as much.
  private var expected = 0
  private var runs: [Run] = []
  /// The index of the latest recent entry of a row, at a place that its key determines.
  private var latest = ContiguousArray(repeating: 0, count: Self.places)
  /// The highest number of a page.
  private var lastPage: UInt32 = 0
  /// The number of recent entries at which they are sorted.
  private var limit = 1 << 16
  /// The number of entries that remained when those of ended scopes were removed last.
  private var remained = 0

  private static let places = 256

  var isEmpty: Bool { recent.isEmpty && runs.isEmpty }

  /// The number of entries, including repeated ones.
  var count: Int { runs.reduce(recent.count) { $0 + $1.entries.count } }

  /// Whether it is time to settle.
  var isFull: Bool { recent.count >= limit }

  /// Notes that a scope has read a cell, or that it has asked for the row, when there is no column.
  ///
  /// - Returns: false for numbers of tables and columns beyond what fits.
  @inline(__always)
  mutating func append(_ row: ObjectLink, _ column: ColumnKey?, _ scope: TrackedScope.Number) -> Bool {
    guard let page = Page(row.table, column ?? ColumnKey(rawValue: 0)) else { return false }
    let columns: UInt64 = column.map { 1 << UInt64($0.rawValue & 63) } ?? 0
    let entry = Entry(key: row.key, columns: columns, page: page, scope: scope)
    let place = Int(truncatingIfNeeded: row.key.rawValue) & (Self.places - 1)
    let index = latest[place]
    if index < recent.count, recent[index].isSame(as: entry) {
      // Most repeated reads change nothing.
      if recent[index].columns & columns != columns { recent[index].columns |= columns }
    } else {
      latest[place] = recent.count
      if let last = recent.last {
        if !(last < entry) { isAscending = false }
        if last.scope != scope { isOfOneScope = false }
      } else {
        recent.reserveCapacity(expected)
      }
      recent.append(entry)
      lastPage = max(lastPage, page.rawValue & 0xFF)
    }
    return true
  }

  /// Sorts the recent entries, and joins those of one row and scope. Entries of ended scopes are removed when they may
  /// be as many as the others.
  mutating func settle(keeping isLive: (TrackedScope.Number) -> Bool) {
    // A large scope that ends and runs again has a run of its own.
    runs.removeAll { $0.scope.map { !isLive($0) } ?? false }
    expected = recent.count
    if !isAscending {
      recent.sort(by: <)
      recent.join()
    }
    if let first = recent.first { runs.append(Run(recent, scope: isOfOneScope ? first.scope : nil)) }
    // Where hardly any were joined, sorting gained nothing.
    if recent.count > limit / 2 { limit *= 2 }
    recent = []
    isAscending = true
    isOfOneScope = true
    while runs.count > 1, runs[runs.count - 2].entries.count < 2 * runs[runs.count - 1].entries.count {
      mergeLast()
    }
    if count >= 2 * remained + 1_024 {
      while runs.count > 1 { mergeLast() }
      removeEnded(isLive)
      remained = count
    }
    assertSound()
  }

  private mutating func mergeLast() {
    let last = runs.removeLast()
    runs.append(Run(merging: runs.removeLast(), last))
  }

  private mutating func removeEnded(_ isLive: (TrackedScope.Number) -> Bool) {
    // A few scopes have read most rows, in turn.
    var known = ContiguousArray(repeating: (scope: TrackedScope.Number(0), isLive: false), count: 64)
    for index in runs.indices {
      runs[index].entries.removeAll { entry in
        let place = Int(entry.scope & 63)
        if known[place].scope != entry.scope { known[place] = (entry.scope, isLive(entry.scope)) }
        return !known[place].isLive
      }
    }
    runs.removeAll { $0.entries.isEmpty }
  }

  /// Calls a block for the entries of a table. The entries are settled.
  func forEach(of table: TableKey, _ body: (Entry) -> Void) {
    for run in runs { run.entries[run.entries.range(of: table)].forEach(body) }
  }

  /// The number of entries of a table. The entries are settled.
  func count(of table: TableKey) -> Int { runs.reduce(0) { $0 + $1.entries.range(of: table).count } }

  /// Calls a block with the scopes that have read a cell. The entries are settled.
  func scopes(reading cell: Cell, _ body: (TrackedScope.Number) -> Void) {
    guard let page = Page(cell.table, cell.column) else { return }
    let bit: UInt64 = 1 << UInt64(cell.column.rawValue & 63)
    forEach(of: cell.key, page) { if $0.columns & bit != 0 { body($0.scope) } }
  }

  /// Calls a block with the scopes that have read anything of a row. The entries are settled.
  func scopes(readingRow row: ObjectLink, _ body: (TrackedScope.Number) -> Void) {
    for number in 0...lastPage { forEach(of: row.key, Page(row.table, number: number)) { body($0.scope) } }
  }

  private func forEach(of key: ObjectKey, _ page: Page, _ body: (Entry) -> Void) {
    let first = Entry(key: key, columns: 0, page: page, scope: 0)
    for run in runs.lazy.map(\.entries) {
      var index = run.firstIndex(notBefore: first)
      while index < run.endIndex, run[index].key == key, run[index].page == page {
        body(run[index])
        index += 1
      }
    }
  }

  private func assertSound() {
    assert(recent.isEmpty, "Settled entries are in runs.")
    assert(
      zip(runs, runs.dropFirst()).allSatisfy { $0.entries.count >= 2 * $1.entries.count },
      "Runs are few, as each has at most half the entries of the one before.")
    assert(
      runs.allSatisfy { run in zip(run.entries, run.entries.dropFirst()).allSatisfy { $0 < $1 } }, "Runs ascend.")
    assert(
      runs.allSatisfy { run in run.scope == nil || run.entries.allSatisfy { $0.scope == run.scope } },
      "The entries of a run that states a scope have it.")
  }
}

extension TrackedCells.Entry {
  var row: ObjectLink { ObjectLink(page.table, key) }

  /// Whether one of the columns satisfies a condition.
  func contains(where condition: (ColumnKey) -> Bool) -> Bool {
    var rest = columns
    while rest != 0 {
      if condition(page.column(rest.trailingZeroBitCount)) { return true }
      rest &= rest &- 1
    }
    return false
  }
}

extension ContiguousArray<TrackedCells.Entry> {
  /// Joins the entries of one row and scope in a sorted array.
  fileprivate mutating func join() {
    if isEmpty { return }
    var end = 0
    for index in 1..<count {
      if self[end].isSame(as: self[index]) {
        self[end].columns |= self[index].columns
      } else {
        end += 1
        self[end] = self[index]
      }
    }
    removeLast(count - end - 1)
  }

  /// Merges two sorted arrays. Entries of one row and scope are joined.
  fileprivate init(merging a: Self, _ b: Self) {
    self.init()
    reserveCapacity(a.count + b.count)
    var (left, right) = (0, 0)
    while left < a.count && right < b.count {
      if b[right] < a[left] {
        append(b[right])
        right += 1
        continue
      }
      var entry = a[left]
      left += 1
      if entry.isSame(as: b[right]) {
        entry.columns |= b[right].columns
        right += 1
      }
      append(entry)
    }
    append(contentsOf: a[left...])
    append(contentsOf: b[right...])
  }

  /// The index of the first entry that is not less than the given one.
  fileprivate func firstIndex(notBefore entry: Element) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The range of the entries of a table.
  fileprivate func range(of table: TableKey) -> Range<Int> {
    // Tables beyond what fits have none.
    if table.rawValue >= 0xFF_FFFF { return 0..<0 }
    let after = TableKey(rawValue: table.rawValue + 1)
    func start(_ table: TableKey) -> Int {
      firstIndex(
        notBefore: Element(key: ObjectKey(0), columns: 0, page: TrackedCells.Page(table, number: 0), scope: 0))
    }
    return start(table)..<start(after)
  }
}
