/// The documents that are durable in a store that does not wait for the disk.
///
///     keys of documents     0 1 2 3 4 │ 5 6 7      │ 8 9
///                             durable │ version 12 │ version 15
///                                    end
///
/// Such a store commits first and is synchronized later, so its latest version may hold documents that a power failure
/// would remove. A delivered document has to stay, and its number must not be given again.
struct DurableDocuments: Sendable {
  /// The key after the last document that is known to be durable.
  private(set) var end: Int64
  // The commits with documents that are not durable, in their order, and the keys after their last documents.
  private var later: ContiguousArray<(version: UInt64, end: Int64, line: String)> = []

  /// - Parameter end: the key after the last document of a durable version.
  init(end: Int64) { self.end = end }

  /// Whether all documents are durable.
  var isComplete: Bool { later.isEmpty }

  /// Adds a commit with documents.
  ///
  /// - Parameters:
  ///   - version: its version. Commits are added in nearly any order: a writer begins before the last one comes here.
  ///   - end: the key after its last document.
  ///   - line: the line of its documents.
  mutating func append(version: UInt64, end: Int64, line: String) {
    let place = later.lastIndex { $0.version < version }.map { $0 + 1 } ?? 0
    later.insert((version, end, line), at: place)
  }

  /// Records that all commits up to a version are durable.
  ///
  /// - Returns: the lines with documents that are durable now.
  mutating func note(durable version: UInt64) -> Set<String> {
    let found = later.prefix { $0.version <= version }
    guard let last = found.last else { return [] }
    end = max(end, last.end)
    let lines = Set(found.map(\.line))
    later.removeFirst(found.count)
    return lines
  }
}
