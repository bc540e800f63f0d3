import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

@Suite(.leavesNoFileOpen) struct RoundTripTests {
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

  @Test func textsOfEveryLengthComeBackWhereverTheyLie() throws {
    for isASCII in [true, false] {
      for rows in [1, 2, 17, 256, 300] {
        let transaction = Transaction(.empty)
        let table = try transaction.addTable("Text")
        let column = try transaction.addColumn(to: table, "text", ColumnType(.string))
        for row in 0..<rows {
          let letters = (0..<(row * 7 + rows) % 41).map { Character(UnicodeScalar(UInt8(97 + ($0 + row) % 26))) }
          // One text with other letters makes the whole run one that must be looked at.
          let text = String(letters) + (!isASCII && row == rows / 2 ? "ü" : "")
          _ = try transaction.create(in: table) { try $0.set(text, column) }
        }
        let graph = transaction.graph
        let bytes = DeltaCodec.encode(Delta(from: .empty, to: graph))
        let read = try Graph.empty.applying(try DeltaCodec.decode(bytes))
        #expect(read == graph, "\(rows) rows")
        #expect(DeltaCodec.encode(Delta(from: .empty, to: read)) == bytes)
      }
    }
  }

  @Test func aRowOfANameAndASmallNumberTakesSomeElevenBytes() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
    let age = try transaction.addColumn(to: table, "age", ColumnType(.int))
    for row in 0..<10_000 {
      try transaction.create(in: table) {
        try $0.set("row \(10_000 + row)", name)
        try $0.set(Int64(row % 100), age)
      }
    }
    let bytes = Snapshot.bytes(transaction.graph, Fixed.header(blockSize: 1 << 16))
    #expect(11.0..<11.5 ~= Double(bytes.count) / 10_000, "\(bytes.count) bytes")
  }

  @Test func theEmptyGraphHasASnapshot() throws {
    let bytes = Snapshot.bytes(.empty, Fixed.header())
    #expect(bytes.count == 64 + 12 + 80)
    #expect(try Snapshot(bytes).graph == .empty)
  }
}

@Suite(.leavesNoFileOpen) struct TextTests {
  /// Lengths are written in as many bytes as the longest needs.
  @Test(arguments: [255, 256, 65_535, 65_536])
  func aTextOfAnyLengthComesBack(count: Int) throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("texts")
    let column = try transaction.addColumn(to: table, "text", ColumnType(.string))
    for text in ["", String(repeating: "x", count: count), "y"] {
      try transaction.create(in: table) { try $0.set(text, column) }
    }
    let bytes = Snapshot.bytes(transaction.graph, Fixed.header())
    #expect(try Snapshot(bytes).graph == transaction.graph)
    #expect(Snapshot.bytes(try Snapshot(bytes).graph, Fixed.header()) == bytes)
  }

  @Test func keysThatGoAreWrittenAndRead() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("maps")
    let column = try transaction.addColumn(to: table, "map", ColumnType(.int, shape: .dictionary))
    let cell = Cell(table, try transaction.create(in: table), column)
    for number in 0..<200 { try transaction.set(.int(Int64(number)), forKey: "key \(number)", inDictionary: cell) }
    let before = transaction.graph
    let next = Transaction(before)
    for number in [0, 17, 199] { #expect(try next.remove(key: "key \(number)", fromDictionary: cell)) }
    let bytes = DeltaCodec.encode(Delta(from: before, to: next.graph))
    let decoded = try DeltaCodec.decode(bytes)
    #expect(DeltaCodec.encode(decoded) == bytes)
    #expect(try before.applying(decoded) == next.graph)
  }

  /// Strings of every length around the limit of inline storage, each beside others of other lengths.
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
    for (position, text) in texts.enumerated() {
      let value = decoded.value(Cell(table, ObjectKey(Int64(position)), column))
      #expect(value == .string(text))
    }
  }
}
