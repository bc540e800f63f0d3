import FiefGraph
import FiefTestSupport
import Testing

/// The counts of a transaction that show whether a row that was found before is still where it was.
struct RowMotionTests {
  /// The place of a row.
  private struct Position: Equatable {
    let cluster: ObjectIdentifier
    let slot: Int
  }

  private func positions(_ table: TableKey, _ transaction: Transaction) -> [ObjectKey: Position] {
    var positions: [ObjectKey: Position] = [:]
    _ = transaction.read { graph in
      graph[table]?.rows.forEach { number, cluster in
        for slot in 0..<cluster.count {
          let key = ObjectKey(chunk: number, bit: cluster.bit(ofSlot: slot))
          positions[key] = Position(cluster: ObjectIdentifier(cluster), slot: slot)
        }
        return true
      }
    }
    return positions
  }

  @Test(arguments: Seeds.all) func aRowThatMovedOrWentWasCounted(seed: Seed) throws {
    var random = seed.random
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    var (held, saved): ([Graph], [Transaction.Savepoint]) = ([], [])
    for _ in 0..<400 {
      let (before, motion) = (positions(table, transaction), transaction.motion)
      let key = before.isEmpty ? nil : random.element(of: before.keys.sorted())
      switch random.below(12) {
      case 0: held.append(transaction.graph)
      case 1: if !held.isEmpty { held.remove(at: random.below(held.count)) }
      case 2: saved.append(transaction.savepoint())
      case 3: if !saved.isEmpty { transaction.restore(random.element(of: saved)) }
      case 4: if random.below(8) == 0 { try transaction.clear(table) }
      case 5, 6: if let key { try transaction.delete(ObjectLink(table, key)) }
      case 7: if let key { try transaction.set(7 as Int64, Cell(table, key, number)) }
      default: for _ in 0..<(1 + random.below(40)) { try transaction.create(in: table) { try $0.set(1, number) } }
      }
      let after = positions(table, transaction)
      let isMoved = before.contains { key, position in after[key] != position }
      let isGone = before.contains { key, _ in after[key] == nil }
      #expect(!isMoved || transaction.motion.moves != motion.moves)
      #expect(!isGone || transaction.motion.removals != motion.removals)
    }
  }

  @Test func everyRemovalIsAMove() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let rows = try (0..<4).map { _ in ObjectLink(table, try transaction.create(in: table)) }
    let savepoint = transaction.savepoint()
    let removing: [() throws -> Void] = [
      { try transaction.delete(rows[0]) }, { try transaction.clear(table) }, { transaction.restore(savepoint) },
      { try transaction.removeTable(table) }, { transaction.goBack(to: savepoint) },
    ]
    for remove in removing {
      let before = transaction.motion
      try remove()
      #expect(transaction.motion.removals > before.removals && transaction.motion.moves > before.moves)
    }
  }
}
