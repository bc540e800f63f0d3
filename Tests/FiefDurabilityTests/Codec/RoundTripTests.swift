import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

struct RoundTripTests {
  @Test(arguments: Seeds.first(8))
  func everyChangeIsTheSameAfterItsBytes(seed: Seed) throws {
    var store = try RandomStore(seed: seed)
    for _ in 0..<25 {
      let before = store.graph
      let delta = try store.step()
      let bytes = DeltaCodec.encode(delta)
      let decoded = try DeltaCodec.decode(bytes)
      #expect(DeltaCodec.encode(decoded) == bytes)
      #expect(try before.applying(decoded) == store.graph)
    }
    #expect(store.graph.checkInvariants() == [])
  }

  @Test(arguments: Seeds.first(8))
  func everyGraphIsTheSameAfterItsSnapshot(seed: Seed) throws {
    var store = try RandomStore(seed: seed)
    for _ in 0..<8 {
      for _ in 0..<6 { _ = try store.step() }
      let bytes = Snapshot.bytes(store.graph, Fixed.header())
      let snapshot = try Snapshot(bytes)
      #expect(snapshot.graph == store.graph)
      #expect(snapshot.graph.version == 17)
      #expect(snapshot.header == Fixed.header())
      #expect(snapshot.graph.checkInvariants() == [])
      #expect(Snapshot.bytes(snapshot.graph, snapshot.header) == bytes)
    }
  }

  @Test func theEmptyGraphHasASnapshot() throws {
    let bytes = Snapshot.bytes(.empty, Fixed.header())
    #expect(bytes.count == 64 + 12 + 80)
    #expect(try Snapshot(bytes).graph == .empty)
  }
}

struct TextTests {
  /// Texts of every length around those that strings keep inline, each beside others of other lengths.
  @Test func textsOfEveryLengthAreWrittenAsTheyAre() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("texts")
    let column = try transaction.addColumn(to: table, "text", ColumnType(.string))
    var texts: [String] = []
    for count in 0...40 {
      for letter in ["a", "ü", "中", "\u{1F600}", "\0"] {
        texts.append(String(repeating: letter, count: count))
        texts.append(String(repeating: letter, count: count) + "z")
      }
    }
    for text in texts + texts.reversed() { try transaction.create(in: table) { try $0.set(text, column) } }
    let graph = transaction.graph
    let decoded = try Snapshot(Snapshot.bytes(graph, Fixed.header())).graph
    #expect(decoded == graph)
    for (place, text) in texts.enumerated() {
      let value = decoded.value(Cell(table, ObjectKey(Int64(place)), column))
      #expect(value == .string(text))
    }
  }
}
