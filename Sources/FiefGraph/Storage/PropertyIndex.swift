import FiefRuntime

/// An index from the values of one or several columns to the rows that have them, for equality, ranges and prefixes; or
/// from the words of a string column to the rows that contain them.
///
///     values      "Bergen" #7    "Oslo" ─┐     "Voss" ─┐       each value once, ascending, with its one row,
///                                        ▼             ▼       or with a number for several
///     postings                     [#0, #4, #9]   [#1, #3]     the rows of such a value, ascending
///
/// Counting the rows of a value is one descent in a tree of values, which is small if many rows share a value. Adding a
/// row to a value that other rows have changes no value. (Lists of rows under each value: the inverted index, J. Zobel
/// and A. Moffat, "Inverted files for text search engines", ACM Computing Surveys 38, 2006.)
///
/// An index of words contains each row once under each of its words, and does not contain a row without words. Values
/// that are equal by `StoredOrder` (`1` and `1.0`) are one value, in the form that was inserted first.
///
/// The index is derived from the rows and updated with every change to them. Deltas and files do not contain it.
public struct PropertyIndex: Sendable {
  /// The columns and whether their values are unique.
  public let definition: IndexDefinition
  /// The values of all rows, ascending, each once.
  public private(set) var values = OrderedTree<IndexedValue>()
  /// The rows of the values that several rows have, by posting number.
  private(set) var postings = RadixTree<Posting>()
  /// The number of the next posting. Numbers are reused only after the last posting was removed.
  private(set) var nextPosting: Int64 = 0
  /// How many rows the index contains. A full-text index counts a row once for each of its words.
  public private(set) var count = 0

  init(_ definition: IndexDefinition) { self.definition = definition }

  /// Makes an index of entries that ascend by values and then by keys. Linear.
  init(_ definition: IndexDefinition, ascending entries: [IndexEntry]) {
    assert(
      zip(entries, entries.dropFirst()).allSatisfy { IndexEntry.compare($0, $1) < 0 },
      "The entries of an index ascend.")
    self.definition = definition
    count = entries.count
    var values: [IndexedValue] = []
    var start = 0
    while start < entries.count {
      let end = IndexEntry.endOfRun(from: start, in: entries)
      var value = IndexedValue(entries[start])
      if end - start > 1 { value.posting = add(OrderedTree(entries[start..<end].lazy.map(\.key.rawValue))) }
      values.append(value)
      start = end
    }
    self.values = OrderedTree(values)
    assert(rowCount(in: 0..<values.count) == count, "An index has as many rows as it was made of.")
  }

  /// Makes an index of sorted rows.
  init(_ definition: IndexDefinition, _ sort: ColumnSort) {
    self.definition = definition
    var all: ContiguousArray<(number: Int64, chunk: Posting)> = []
    for part in sort.parts() {
      values.join(part.values)
      all += part.postings
    }
    postings = RadixTree(ascending: all)
    nextPosting = all.last.map { $0.number + 1 } ?? 0
    count = sort.count
    assert(rowCount(in: 0..<values.count) == count, "An index has as many rows as it was made of.")
  }

  // MARK: Changing

  /// Adds a row that is not in the index under these values. O(log n).
  mutating func insert(_ entry: IndexEntry) {
    assert(!contains(entry), "An index has a row once under its values.")
    defer { assert(contains(entry), "An index has a row that was inserted.") }
    count += 1
    switch posting(of: entry) {
    case nil: values.insert(IndexedValue(entry), at: position(of: entry))
    case let reference? where reference < 0: change(reference) { $0.insert(entry.key) }
    case let reference?:
      let other = ObjectKey(reference)
      let both = add(OrderedTree([min(other, entry.key).rawValue, max(other, entry.key).rawValue]))
      values.update(at: position(of: entry)) { $0.posting = both }
    }
  }

  /// Removes a row, which must be in the index. O(log n).
  mutating func remove(_ entry: IndexEntry) {
    guard let reference = posting(of: entry) else { Self.isMissing() }
    defer { assert(!contains(entry), "An index has no row that was removed.") }
    assert(count > 0, "An index counts its rows.")
    count -= 1
    if reference >= 0 {
      if reference != entry.key.rawValue { Self.isMissing() }
      values.remove(at: position(of: entry))
      return
    }
    let last: Int64? = change(reference) { posting in
      guard posting.remove(entry.key) else { Self.isMissing() }
      return posting.count == 1 ? posting.keys[0] : nil
    }
    guard let last else { return }
    postings.set(nil, at: ~reference)
    if postings.isEmpty { nextPosting = 0 }
    values.update(at: position(of: entry)) { $0.posting = last }
  }

  /// Stores rows in a new posting.
  ///
  /// - Returns: The reference that refers to the posting.
  private mutating func add(_ keys: OrderedTree<Int64>) -> Int64 {
    assert(postings[nextPosting] == nil, "The number of a posting is given out once.")
    postings.set(Posting(keys), at: nextPosting)
    nextPosting += 1
    assert(nextPosting > 0, "The numbers of postings do not run out.")
    return ~(nextPosting - 1)
  }

  private mutating func change<Result>(_ reference: Int64, _ body: (Posting) -> Result) -> Result {
    assert(reference < 0, "Only a reference below 0 names a posting.")
    guard let result = postings.change(~reference, body) else { fatalError("An index lost the rows of a value.") }
    return result
  }

  /// Whether the index has a row under its values. O(log n).
  func contains(_ entry: IndexEntry) -> Bool {
    guard let reference = posting(of: entry) else { return false }
    if reference >= 0 { return reference == entry.key.rawValue }
    return postings[~reference]?.contains(entry.key) ?? false
  }

  private static func isMissing() -> Never { fatalError("A row is missing from an index of its table.") }

  /// Another row than `entry`'s own that has the same values, which this unique index forbids, or nil.
  func conflict(with entry: IndexEntry) -> ObjectKey? {
    guard definition.isUnique && !entry.hasNull, let reference = posting(of: entry) else { return nil }
    assert(!definition.isFullText, "A full-text index is not unique.")
    if reference >= 0 { return reference == entry.key.rawValue ? nil : ObjectKey(reference) }
    return postings[~reference]?.keys.first { $0 != entry.key.rawValue }.map { ObjectKey($0) }
  }
}
