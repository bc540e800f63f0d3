import FiefGraph
import FiefTestSupport
import Testing

/// Full-text indexes: rows under each word of a string.
struct FullTextIndexTests {
  let transaction = Transaction(.empty)
  let table: TableKey
  let title: ColumnKey
  let year: ColumnKey

  init() throws {
    table = try transaction.addTable("Ballet")
    title = try transaction.addColumn(to: table, "title", ColumnType(.string, isOptional: true))
    year = try transaction.addColumn(to: table, "year", ColumnType(.int))
  }

  private func add(_ text: String?) throws {
    try transaction.create(in: table) { if let text { try $0.set(text, title) } }
  }

  private var entries: [String] {
    let entries = transaction.graph[table]?.indexes[0].entries.map { entry -> String in
      if case .string(let word) = entry.first { "\(word)\(entry.key)" } else { "?" }
    }
    return entries ?? []
  }

  private func fill() throws {
    for text in ["Swan Lake", "lake, LAKE", nil, "", "the Lake of swans"] { try add(text) }
  }

  private let filled = ["lake#0", "lake#1", "lake#4", "of#4", "swan#0", "swans#4", "the#4"]

  @Test func rowsStandUnderEachOfTheirWordsOnce() throws {
    try transaction.addIndex(.fullText(title), to: table)
    try fill()
    #expect(entries == filled)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func rowsThatAreThereAreIndexedWhenItComes() throws {
    try fill()
    try transaction.addIndex(.fullText(title), to: table)
    #expect(entries == filled)
  }

  @Test func changesAndDeletionsAreFollowed() throws {
    try transaction.addIndex(.fullText(title), to: table)
    try fill()
    try transaction.set(.string("Swan"), Cell(table, ObjectKey(0), title))
    try transaction.set(.null, Cell(table, ObjectKey(1), title))
    try transaction.set(.string("new"), Cell(table, ObjectKey(2), title))
    try transaction.delete(ObjectLink(table, ObjectKey(4)))
    #expect(entries == ["new#2", "swan#0"])
    try transaction.clear(table)
    #expect(entries == [])
  }

  @Test func aDeltaCarriesTheDeclarationAlone() throws {
    try transaction.addIndex(.fullText(title), to: table)
    try fill()
    let other = Transaction(.empty)
    try other.apply(Delta(from: .empty, to: transaction.graph))
    #expect(other.graph == transaction.graph)
    #expect(other.graph[table]?.indexes[0].entries.count == 7)
    #expect(other.graph.checkInvariants() == [])
  }

  /// An index without words is no table without rows. Reading all rows for each delta takes a hundred million steps.
  @Test func deltasReadTheirOwnRowsAlone() throws {
    try transaction.addIndex(.fullText(title), to: table)
    for _ in 0..<50_000 { try add(nil) }
    var before = transaction.graph
    let other = Transaction(before)
    for number in 0..<2000 {
      try add(number == 1999 ? "Swan" : nil)
      let after = transaction.graph
      try other.apply(Delta(from: before, to: after))
      before = after
    }
    #expect(other.graph == before)
    #expect(other.graph[table]?.indexes[0].entries.map(\.key) == [ObjectKey(51_999)])
    #expect(other.graph.checkInvariants() == [])
  }

  @Test func itStandsBesideAnIndexOfTheValues() throws {
    try transaction.addIndex(.fullText(title), to: table)
    try transaction.addIndex(IndexDefinition([title]), to: table)
    try fill()
    #expect(transaction.graph[table]?.indexes.map(\.entries.count) == [7, 5])
    #expect(throws: GraphError.self) { try transaction.addIndex(.fullText(title), to: table) }
    try transaction.removeIndex(over: [title], of: table)
    #expect(transaction.graph[table]?.schema.indexes == [.fullText(title)])
    #expect(throws: GraphError.self) { try transaction.removeIndex(over: [title], of: table) }
    try transaction.removeIndex(over: [title], of: table, isFullText: true)
    #expect(transaction.graph[table]?.schema.indexes == [])
  }

  @Test func onlyOneColumnOfTextsHasOne() throws {
    let before = transaction.graph
    var two = IndexDefinition.fullText(title)
    two.columns.append(year)
    var unique = IndexDefinition.fullText(title)
    unique.isUnique = true
    for wrong in [.fullText(year), two, unique] {
      #expect(throws: GraphError.self) { try transaction.addIndex(wrong, to: table) }
    }
    #expect(transaction.graph == before)
  }

  @Test func itFollowsItsColumn() throws {
    try transaction.addIndex(.fullText(title), to: table)
    try fill()
    try transaction.renameColumn(title, of: table, to: "name")
    #expect(transaction.graph.checkInvariants() == [])
    try transaction.removeColumn(title, of: table)
    #expect(transaction.graph[table]?.schema.indexes == [])
  }
}
