import FiefGraph
import Foundation
import Testing

#if DEBUG
  @testable import FiefQueries
#else
  import FiefQueries
#endif

/// Scans that several processors share.
@Suite struct DividedScanTests {
  /// A table of rows with gaps between them, so that clusters differ in their counts and some are missing.
  private struct Herd {
    let graph: Graph
    let table: TableKey

    init(_ rows: Int) throws {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      let name = try transaction.addColumn(to: table, "name", ColumnType(.string, isOptional: true))
      let age = try transaction.addColumn(to: table, "age", ColumnType(.int))
      let weight = try transaction.addColumn(to: table, "weight", ColumnType(.double))
      var gone: [ObjectKey] = []
      for number in 0..<rows {
        let key = try transaction.create(in: table) { row in
          if number % 11 != 0 { try row.set(.string("dog\(number)"), name) }
          try row.set(.int(Int64(number % 20)), age)
          try row.set(.double(Double(number % 7)), weight)
        }
        if number % 5 == 0 || 20_000..<25_000 ~= number { gone.append(key) }
      }
      try transaction.delete(gone.map { ObjectLink(table, $0) })
      graph = transaction.graph
      self.table = table
    }
  }

  /// Stored names, for queries that scan alone.
  private struct Alone: QueryCatalog {
    var usesAllProcessors: Bool { false }
    func property(_ name: String, of table: TableSchema) -> QueryProperty? {
      StoredNames().property(name, of: table)
    }
  }

  static let conditions = [
    "age > 3 AND weight < 5", "name CONTAINS '99'", "name CONTAINS[c] 'DOG9'", "name == 'dog777'", "name != 'dog777'",
    "name == nil", "age IN {1, 5, 9} OR name ENDSWITH '7'", "NOT weight > 3", "name == 'nobody'",
    "age > 3 AND weight < 5 SORT(weight DESC) LIMIT(10)",
  ]

  @Test func dividedScansGiveTheSameRowsInTheSameOrder() throws {
    let herd = try Herd(340_000)
    for condition in Self.conditions {
      let query = try ParsedQuery(condition)
      let divided = try CompiledQuery(query, of: herd.table, in: herd.graph)
      let alone = try CompiledQuery(query, of: herd.table, in: herd.graph, catalog: Alone())
      let (rows, known) = (divided.rows(in: herd.graph), alone.rows(in: herd.graph))
      #expect(rows == known, "\(condition)")
      #expect(divided.count(in: herd.graph) == known.count && alone.count(in: herd.graph) == known.count)
      let explanations = [divided, alone].map { $0.explanations(in: herd.graph)[0] }
      #expect(explanations[0].rowsExamined == explanations[1].rowsExamined, "\(condition)")
    }
  }

  @Test func manyThreadsMayDivideScansAtOnce() throws {
    let herd = try Herd(330_000)
    let query = try CompiledQuery(ParsedQuery("name CONTAINS '99'"), of: herd.table, in: herd.graph)
    let known = query.count(in: herd.graph)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      #expect(query.count(in: herd.graph) == known)
    }
  }

  #if DEBUG
    @Test func onlyLongScansOfCellsAreDivided() throws {
      let herd = try Herd(330_000)
      let table = try #require(herd.graph[herd.table])
      func parts(_ condition: String, _ run: QueryRun) throws -> Int? {
        let query = try TableQuery(
          ParsedQuery(condition), of: herd.table, in: herd.graph, catalog: StoredNames())
        return run.inParts(query.condition.program, of: table) { run, _, _ in run.chunks }?.count
      }
      let several = ProcessInfo.processInfo.activeProcessorCount > 1
      let divided = try parts("name CONTAINS '9'", QueryRun(herd.graph, memos: 0, usesAllProcessors: true))
      #expect((divided != nil) == several)
      #expect(try parts("name CONTAINS '9'", QueryRun(herd.graph, memos: 0)) == nil)
      #expect(table.count >= QueryRun.rowsWorthDividing)
      let few = try Herd(1000)
      let fewTable = try #require(few.graph[few.table])
      let query = try TableQuery(
        ParsedQuery("name CONTAINS '9'"), of: few.table, in: few.graph, catalog: StoredNames())
      let run = QueryRun(few.graph, memos: 0, usesAllProcessors: true)
      #expect(run.inParts(query.condition.program, of: fewTable) { _, _, _ in 0 } == nil)
    }
  #endif
}
