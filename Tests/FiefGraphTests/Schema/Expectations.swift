import FiefGraph
import FiefTestSupport
import Testing

extension Transaction {
  /// Expects that an operation is refused, that its error and message contain these facts, and that nothing has
  /// changed.
  ///
  /// - Parameters:
  ///   - code: The kind of refusal.
  ///   - table: The name of the table, in the error and in its message.
  ///   - column: The name of the column, in the error and in its message.
  ///   - key: The row, in the error and in its message.
  ///   - words: Other parts of the message.
  ///   - operation: The operation that is refused.
  func expectRefusal(
    _ code: GraphError.Code, table: String? = nil, column: String? = nil, key: ObjectKey? = nil,
    saying words: String...,
    sourceLocation: SourceLocation = #_sourceLocation, of operation: () throws -> Void
  ) {
    let before = graph
    do {
      try operation()
      Issue.record("nothing was refused", sourceLocation: sourceLocation)
      return
    } catch let error as GraphError {
      #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
      #expect(error.table == table, "\(error)", sourceLocation: sourceLocation)
      #expect(error.column == column, "\(error)", sourceLocation: sourceLocation)
      #expect(error.key == key, "\(error)", sourceLocation: sourceLocation)
      for word in words + [table, column, key.map { "\($0)" }].compactMap({ $0 }) where !word.isEmpty {
        #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation)
      }
      #expect(error.description == error.message, sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error) is no GraphError", sourceLocation: sourceLocation)
    }
    let after = graph
    #expect(after == before, "the refusal changed something", sourceLocation: sourceLocation)
    #expect(after.checkInvariants() == [], sourceLocation: sourceLocation)
  }
}

extension Graph {
  /// Makes a change and checks the properties of every change: the new graph is sound, the old one is unchanged, a
  /// savepoint restores it, and deltas lead forwards, backwards, and from the empty graph to the new one.
  ///
  /// - Returns: The new graph.
  @discardableResult
  func after(
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (Transaction) throws -> Void
  ) throws -> Graph {
    let transaction = Transaction(self)
    let savepoint = transaction.savepoint()
    try change(transaction)
    let new = transaction.graph
    #expect(new.checkInvariants() == [], sourceLocation: sourceLocation)
    #expect(checkInvariants() == [], "the graph before", sourceLocation: sourceLocation)
    try expectDelta(to: new, sourceLocation: sourceLocation)
    try new.expectDelta(to: self, sourceLocation: sourceLocation)
    try Graph.empty.expectDelta(to: new, sourceLocation: sourceLocation)
    try new.expectDelta(to: .empty, sourceLocation: sourceLocation)
    let inverse = try Delta(from: self, to: new).inverse(on: self)
    #expect(try new.applying(inverse) == self, "the inverse delta", sourceLocation: sourceLocation)
    transaction.goBack(to: savepoint)
    #expect(transaction.graph == self, "the savepoint", sourceLocation: sourceLocation)
    #expect(transaction.graph.checkInvariants() == [], sourceLocation: sourceLocation)
    return new
  }

  /// Expects that the delta from this graph leads to `other` and to a sound graph.
  func expectDelta(to other: Graph, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try applying(Delta(from: self, to: other))
    #expect(result == other, "the delta", sourceLocation: sourceLocation)
    #expect(other == result, "the delta, seen from the other side", sourceLocation: sourceLocation)
    #expect(result.checkInvariants() == [], "after the delta", sourceLocation: sourceLocation)
  }

  /// All values of a cell: one for a single cell, the elements or values of a collection.
  func contents(_ cell: Cell) -> [Value] {
    guard let type = self[cell.table]?.schema.column(cell.column)?.type else { return [] }
    if !type.isCollection { return value(cell).map { [$0] } ?? [] }
    guard let collection = collection(cell) else { return [] }
    return (0..<collection.count).map { collection.value(at: $0, as: type) }
  }

  /// The entries of a dictionary cell.
  func entries(_ cell: Cell) -> [String: Value] {
    guard let dictionary = collection(cell) as? StoredDictionary else { return [:] }
    return Dictionary(uniqueKeysWithValues: dictionary.entries.map { ($0.key, $0.value) })
  }
}
