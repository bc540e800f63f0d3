#if DEBUG
  import FiefGraph
  import FiefTestSupport
  import Testing

  @testable import FiefQueries

  /// Rows as bitmaps, as keys, and as lists over several tables.
  @Suite struct RowsTests {
    private func keys(_ numbers: [Int64]) -> [ObjectKey] { numbers.map { ObjectKey($0) } }

    @Test func aSelectionIsASetInOrder() {
      let rows = RowSelection(keys([700, 3, 3, 256, 0]))
      #expect(Array(rows) == keys([0, 3, 256, 700]) && rows.count == 4 && rows.blocks.map(\.chunk) == [0, 1, 2])
      #expect(rows.keys == ContiguousArray(keys([0, 3, 256, 700])) && rows[2] == ObjectKey(256))
      #expect(RowSelection().isEmpty && RowSelection().keys.isEmpty && RowSelection([ObjectKey]()) == RowSelection())
    }

    @Test func aRowHasAPosition() {
      let rows = RowSelection(keys([5, 300, 301]))
      #expect(rows.index(of: ObjectKey(301)) == 2 && rows.index(of: ObjectKey(6)) == nil)
      #expect(rows.index(of: ObjectKey(900)) == nil && rows.contains(ObjectKey(5)) && !rows.contains(ObjectKey(4)))
      #expect(rows.bits(ofChunk: 1).count == 2 && rows.bits(ofChunk: 7).isEmpty)
    }

    @Test func selectionsIntersectAndSubtract() {
      let (one, other) = (RowSelection(keys([1, 2, 300, 900])), RowSelection(keys([2, 299, 900, 2000])))
      #expect(Array(one.intersection(other)) == keys([2, 900]))
      #expect(Array(one.subtracting(other)) == keys([1, 300]))
      #expect(one.subtracting(RowSelection()) == one && one.intersection(RowSelection()).isEmpty)
    }

    @Test func aPositionBeyondTheEndTraps() async {
      let second = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = RowSelection([ObjectKey(1)])[1]
      }
      expectSentence("A selection was asked for a row beyond its end", of: second)
      let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = RowSelection()[0]
      }
      expectSentence("A selection was asked for a row beyond its end", of: first)
    }

    @Test func aListOfOneTableHasNoNumbersOfTables() {
      let rows = RowList(ContiguousArray(keys([4, 1, 4])))
      #expect(rows.table(at: 2) == 0 && rows.picked([2, 1]).keys == ContiguousArray(keys([4, 1])))
      #expect(RowList([RowSelection(keys([7]))]).keys == ContiguousArray(keys([7])))
    }

    @Test func aListOfSeveralTablesKeepsTheirNumbers() {
      let rows = RowList([RowSelection(keys([1, 2])), RowSelection(), RowSelection(keys([2, 3]))])
      #expect(rows.keys == ContiguousArray(keys([1, 2, 2, 3])))
      #expect((0..<4).map { rows.table(at: $0) } == [0, 0, 2, 2])
      let turned = rows.picked([3, 0])
      #expect(turned.keys == ContiguousArray(keys([3, 1])) && turned.table(at: 0) == 2 && turned.table(at: 1) == 0)
    }

    @Test func linksOfOtherTablesAreLeftOut() {
      let tables = [TableKey(rawValue: 5), TableKey(rawValue: 9)]
      let links = [(9, 1), (7, 2), (5, 3)].map { ObjectLink(TableKey(rawValue: $0.0), ObjectKey($0.1)) }
      let rows = RowList(links, of: tables)
      #expect(rows.keys == ContiguousArray(keys([1, 3])) && rows.table(at: 0) == 1 && rows.table(at: 1) == 0)
    }

    @Test func aListIsFilteredAndLimited() {
      let rows = RowList(ContiguousArray(keys([9, 8, 7, 6])))
      #expect(rows.filtered { $0 % 2 == 0 }.keys == ContiguousArray(keys([9, 7])))
      #expect(rows.limited(2, offset: 1).keys == ContiguousArray(keys([8, 7])))
      #expect(rows.limited(.max, offset: 3).keys == ContiguousArray(keys([6])))
      #expect(rows.limited(3, offset: 9).keys.isEmpty && rows.limited(0, offset: 0).keys.isEmpty)
    }

    @Test func allRowsOfATableAreSelected() throws {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("T")
      for _ in 0..<600 { try transaction.create(in: table) }
      try transaction.delete([3, 256, 599].map { ObjectLink(table, ObjectKey($0)) })
      let rows = RowSelection(all: try #require(transaction.graph[table]))
      #expect(rows.count == 597 && !rows.contains(ObjectKey(256)) && rows.contains(ObjectKey(257)))
    }
  }
#endif
