import FiefGraph
import FiefRuntime
import FiefTestSupport
import Testing

@Suite struct LeafSelectingTests {
  @Test func rangesOfIntegersAreFoundAtEveryWidth() {
    Seeds.run(count: 60) { _, random in
      let count = random.below(257)
      let numbers = (0..<count).map { _ in Int64(random.int(in: -100...100)) }
      let leaves: [LeafValues] = [
        .int8(ContiguousArray(numbers.map { Int8($0) })), .int16(ContiguousArray(numbers.map { Int16($0) })),
        .int32(ContiguousArray(numbers.map { Int32($0) })), .int64(ContiguousArray(numbers)),
      ]
      let ends = [Int64.min, -500, Int64(random.int(in: -110...110)), Int64(random.int(in: -110...110)), 500, .max]
      for low in ends {
        for high in ends where low <= high {
          var expected = Bitmap256()
          for (slot, number) in numbers.enumerated() where low <= number && number <= high { expected[slot] = true }
          for leaf in leaves {
            #expect(withExtendedLifetime(leaf) { leaf.integers.slots(in: low...high) } == expected)
            #expect(withExtendedLifetime(leaf) { leaf.integers.count(in: low...high) } == expected.count)
          }
        }
      }
    }
  }

  @Test(arguments: IntegerWidth.allCases) func rangesAtTheEdgesOfAWidthAreCountedAtEveryCount(width: IntegerWidth) {
    let edges = width.range
    var ends: Set<Int64> = [.min, -1, 0, 1, .max, edges.lowerBound, edges.upperBound, edges.lowerBound + 1]
    if width != .bits64 { ends.formUnion([edges.lowerBound - 1, edges.upperBound + 1]) }
    var random = SeededRandom(seed: UInt64(width.rawValue))
    for count in 0...256 {
      let numbers = (0..<count).map { _ in random.element(of: [edges.lowerBound, edges.upperBound, 0, -1, 1]) }
      let leaf = LeafValuesTests.leaf(numbers, width: width)
      for (low, high) in ends.flatMap({ low in ends.map { (low, $0) } }) where low <= high {
        let expected = numbers.count { low <= $0 && $0 <= high }
        let found = withExtendedLifetime(leaf) { leaf.integers.count(in: low...high) }
        if found != expected { Issue.record("\(count) of \(width) in \(low)...\(high): \(found) for \(expected)") }
      }
    }
  }

  @Test func rangesOfDoublesKnowNaN() {
    let numbers: [Double] = [.nan, -.infinity, -1, -0.0, 0, 1, .infinity]
    for leaf in [LeafValues.double(ContiguousArray(numbers)), .float(ContiguousArray(numbers.map { Float($0) }))] {
      func slots(_ low: Double, _ high: Double, _ orNaN: Bool) -> [Int] {
        let found = leaf.slots(from: low, through: high, orNaN: orNaN)
        return numbers.indices.filter { found[$0] }
      }
      #expect(slots(0, 0, false) == [3, 4])
      #expect(slots(-1, 1, true) == [0, 2, 3, 4, 5])
      #expect(slots(.infinity, -.infinity, true) == [0])
      #expect(slots(-.infinity, .infinity, false) == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func equalStringsAreFoundInEveryForm() {
    Seeds.run(count: 60) { _, random in
      let count = 1 + random.below(256)
      var texts = (0..<count).map { _ in random.string() }
      // Short strings that are not in the short form.
      for slot in texts.indices where random.bool(0.2) {
        var text = texts[slot]
        text.reserveCapacity(64)
        texts[slot] = text
      }
      let wanted = random.bool() ? random.element(of: texts) : random.string()
      var expected = Bitmap256()
      for (slot, text) in texts.enumerated() where Array(text.utf8) == Array(wanted.utf8) { expected[slot] = true }
      let short = SmallString.words(ofShort: wanted)
      for short in [short, nil] {
        let found = ContiguousArray(texts).withUnsafeBufferPointer {
          RawStrings.slots(of: $0, equalTo: wanted, short: short)
        }
        #expect(found == expected)
      }
    }
  }

  @Test func flagsBecomeBits() {
    Seeds.run(count: 50) { _, random in
      let count = random.below(257)
      let flags = (0..<256).map { _ in UInt8(random.below(2)) }
      var expected = Bitmap256()
      for slot in 0..<count where flags[slot] == 1 { expected[slot] = true }
      var bytes = flags
      let found = bytes.withUnsafeMutableBytes { Bitmap256(flags: $0, count: count) }
      #expect(found == expected)
      #expect(found ^ expected == Bitmap256())
    }
  }

  @Test func anIndexFindsTheEntriesOfAnyValue() throws {
    try Seeds.run(count: 20) { _, random throws in
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("T")
      let column = try transaction.addColumn(to: table, "any", ColumnType(.any))
      let pool: [Value] =
        (0..<30).map { _ in .string(random.string()) } + [
          .null, .int(3), .int(-1), .double(1.5), .bool(true), .double(3),
        ]
      for _ in 0..<300 {
        let value = random.element(of: pool)
        try transaction.create(in: table) { try $0.set(value, column) }
      }
      try transaction.addIndex(IndexDefinition([column]), to: table)
      let index = try #require(transaction.graph[table]?.indexes[0])
      let entries = index.entries
      for value in pool + (0..<20).map({ _ in .string(random.string()) }) {
        let (low, high) = (index.lowerBound(value), index.upperBound(value))
        #expect(index.rowCount(in: 0..<low) == entries.count { StoredOrder.compare($0.first, value) < 0 })
        #expect(index.rowCount(in: 0..<high) == entries.count { StoredOrder.compare($0.first, value) <= 0 })
      }
    }
  }
}
