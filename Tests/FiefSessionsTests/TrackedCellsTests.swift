#if DEBUG  // @testable needs a debug build.
  import FiefGraph
  import FiefTestSupport
  import Testing

  @testable import FiefSessions

  @Suite struct TrackedCellsTests {
    private let dogs = TableKey(rawValue: 3)
    private let toys = TableKey(rawValue: 4)
    private let name = ColumnKey(rawValue: 0)
    private let age = ColumnKey(rawValue: 1)

    private func row(_ key: Int64, in table: TableKey? = nil) -> ObjectLink {
      ObjectLink(table ?? dogs, ObjectKey(rawValue: key))
    }

    private func scopes(
      _ cells: TrackedCells, _ rows: [Int64], _ column: ColumnKey?, in table: TableKey? = nil
    ) -> Set<TrackedScope.Number> {
      var found: Set<TrackedScope.Number> = []
      for row in rows {
        let key = ObjectKey(rawValue: row)
        let chunk = TrackedCells.Chunk(table: table ?? dogs, number: key.chunk)
        cells.forEachScope(reading: column, of: Bitmap256(bit: key.bit), in: chunk) { found.insert($0) }
      }
      return found
    }

    private func settled(_ cells: TrackedCells) -> TrackedCells {
      var cells = cells
      cells.collect { _ in true }
      return cells
    }

    @Test func aScopeIsFoundByTheCellThatItReadAlone() {
      var cells = TrackedCells()
      cells.append(row(5), name, by: 1)
      cells = settled(cells)
      #expect(scopes(cells, [5], name) == [1])
      #expect(scopes(cells, [5], age).isEmpty && scopes(cells, [6], name).isEmpty)
      #expect(scopes(cells, [5 + 256], name).isEmpty && scopes(cells, [5], name, in: toys).isEmpty)
    }

    @Test func aRowThatComesOrGoesFindsTheReadersOfAnyColumn() {
      var cells = TrackedCells()
      cells.append(row(5), name, by: 1)
      cells.append(row(5), age, by: 2)
      cells.append(row(5), nil, by: 3)
      cells.append(row(6), age, by: 4)
      cells = settled(cells)
      #expect(scopes(cells, [5], nil) == [1, 2, 3])
    }

    @Test func aScopeThatAskedForARowIsNotFoundByItsCells() {
      var cells = TrackedCells()
      cells.append(row(5), nil, by: 3)
      cells = settled(cells)
      #expect(scopes(cells, [5], name).isEmpty && scopes(cells, [5], nil) == [3])
    }

    @Test func severalScopesOfOneCellAreFound() {
      var cells = TrackedCells()
      for scope in 1...9 as ClosedRange<UInt32> { cells.append(row(700), name, by: scope) }
      #expect(scopes(settled(cells), [700], name) == Set(1...9))
    }

    @Test func aLoopOverATableAddsAReaderForEachChunkAndColumn() {
      var cells = TrackedCells()
      for key in 0..<1_024 as Range<Int64> {
        cells.append(row(key), name, by: 1)
        cells.append(row(key), age, by: 1)
        cells.append(row(key), name, by: 1)
      }
      cells = settled(cells)
      #expect(cells.count == 2 * 4)
      #expect(scopes(cells, [0, 255, 256, 1_023], name) == [1] && scopes(cells, [1_024], name).isEmpty)
    }

    @Test func repeatedReadsInAnyOrderAddNoReader() {
      var cells = TrackedCells()
      // More columns than there are open readers, so each read closes one.
      for _ in 0..<5 {
        for column in 0..<40 as Range<UInt32> { cells.append(row(5), ColumnKey(rawValue: column), by: 1) }
      }
      #expect(settled(cells).count == 40)
    }

    @Test func anyNumberOfATableAndAColumnIsTracked() {
      var cells = TrackedCells()
      let (table, column) = (TableKey(rawValue: .max - 9), ColumnKey(rawValue: .max - 9))
      cells.append(row(.max, in: table), column, by: 1)
      #expect(scopes(settled(cells), [.max], column, in: table) == [1])
    }

    @Test func readersOfEndedScopesAreRemovedWhenTheyMayBeMost() {
      var cells = TrackedCells()
      for scope in 1...3_000 as ClosedRange<UInt32> { cells.append(row(Int64(scope)), name, by: scope) }
      cells.collect { $0 % 3 == 0 }
      #expect(cells.count == 1_000 && scopes(cells, [3], name) == [3] && scopes(cells, [4], name).isEmpty)
      // A few more do not start a search.
      for scope in 3_001...3_010 as ClosedRange<UInt32> { cells.append(row(1), age, by: scope) }
      cells.collect { _ in false }
      #expect(cells.count == 1_010)
    }

    @Test(arguments: Seeds.first(8)) func whatWasReadIsFoundInAnyHistory(seed: Seed) {
      var random = seed.random
      var cells = TrackedCells()
      var model: [Cell: Set<UInt32>] = [:]
      var scope: UInt32 = 1
      for _ in 0..<3_000 {
        if random.below(9) == 0 { scope = UInt32(1 + random.below(12)) }
        let table = random.below(2) == 0 ? dogs : toys
        let key = ObjectKey(rawValue: Int64(random.below(3)) << 8 | Int64(random.below(20)))
        let column = ColumnKey(rawValue: UInt32(random.below(40)))
        cells.append(ObjectLink(table, key), column, by: scope)
        model[Cell(table, key, column), default: []].insert(scope)
        if random.below(500) == 0 { cells.collect { _ in true } }
      }
      cells = settled(cells)
      for (cell, readers) in model {
        #expect(scopes(cells, [cell.key.rawValue], cell.column, in: cell.table) == readers)
      }
      let present = Set(model.keys.map(\.object))
      for object in present {
        let readers = model.filter { $0.key.object == object }.reduce(into: Set<UInt32>()) { $0.formUnion($1.value) }
        #expect(scopes(cells, [object.key.rawValue], nil, in: object.table) == readers)
      }
    }
  }
#endif
