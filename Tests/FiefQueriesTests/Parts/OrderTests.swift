#if DEBUG
  import FiefGraph
  import FiefTestSupport
  import FiefValues
  import Testing

  @testable import FiefQueries

  /// The parts of sorting: keys as numbers, columns, and the two ways to find an order.
  @Suite struct OrderTests {
    /// Numbers that fit a word with a position, and others; few that are compared, and many.
    @Test(arguments: Seeds.all) func positionsAreSortedByNumbersAndEqualOnesKeepTheirOrder(seed: Seed) {
      var random = seed.random
      for highest in [1, 20, 64] {
        let count = random.below(random.bool() ? 130 : 1_000)
        let common = random.next() & (highest < 64 ? .max << UInt64(highest) : 0)
        let numbers = (0..<count).map { _ in
          (random.bool() ? random.next() >> UInt64(64 - highest) : UInt64(random.below(2))) | common
        }
        let before = random.shuffled(Array(0..<count)).dropLast(random.below(2) * count / 3)
        for ascending in [true, false] {
          var order = Array(before)
          PositionSort.sort(&order, by: numbers, ascending: ascending)
          let expected = before.enumerated().sorted { a, b in
            let (one, two) = (numbers[a.element], numbers[b.element])
            return one == two ? a.offset < b.offset : (one < two) == ascending
          }
          #expect(order == expected.map(\.element))
        }
      }
    }

    @Test func integersKeepTheirOrderAsWords() {
      let numbers: [Int64] = [.min, -5, -1, 0, 1, 7, .max]
      let words = numbers.map { SortColumn.number($0) }
      #expect(words == words.sorted())
    }

    @Test func doublesKeepTheirOrderAsWords() {
      let numbers = [Double.nan, -.infinity, -1.5, -0.1, 0, 0.1, 2, .infinity]
      let words = numbers.map { SortColumn.number($0) }
      #expect(words == words.sorted() && Set(words).count == words.count)
      #expect(
        SortColumn.number(-0.0) == SortColumn.number(0.0)
          && SortColumn.number(-Double.nan) == SortColumn.number(Double.nan))
    }

    private func order(_ column: SortColumn, _ count: Int, ascending: Bool = true) -> [Int] {
      var order = Array(0..<count)
      column.sort(&order, ascending: ascending)
      return order
    }

    @Test(
      arguments: [
        (ValueKind.int, [.int(3), .null, .int(1)]), (.string, [.string("b"), .null, .string("a")]),
        (.double, [.double(2), .null, .double(.nan)]), (.bool, [.bool(true), .null, .bool(false)]),
        (.date, [.date(Timestamp(seconds: 5)), .null, .date(Timestamp(seconds: 4, nanoseconds: 3))]),
        (.any, [.string("x"), .null, .int(1)]), (.float, [.float(1), .null, .float(0.5)]),
      ] as [(ValueKind, [Value])])
    func nullsAreFirstAndRowsThatAreNotReachedLast(kind: ValueKind, values: [Value]) {
      let column = SortColumn(values + [nil], kind: kind, collation: .bytes)
      #expect(order(column, 4) == [1, 2, 0, 3] && order(column, 4, ascending: false) == [3, 0, 2, 1])
      #expect(column.compare(1, 2) < 0 && column.compare(3, 0) > 0 && column.compare(0, 0) == 0)
    }

    @Test func equalValuesKeepTheirOrderInBothDirections() {
      let column = SortColumn([.int(2), .int(1), .int(2), .int(1)], kind: .int, collation: .bytes)
      #expect(order(column, 4) == [1, 3, 0, 2] && order(column, 4, ascending: false) == [0, 2, 1, 3])
    }

    @Test func foldedTextsAreOneAnother() {
      let values: [Value?] = [.string("b"), .string("A"), .string("a")]
      #expect(order(SortColumn(values, kind: .string, collation: .folded(.caseInsensitive)), 3) == [1, 2, 0])
      #expect(order(SortColumn(values, kind: .string, collation: .bytes), 3) == [1, 2, 0])
      #expect(
        order(SortColumn([.string("b"), .string("B")], kind: .string, collation: .folded(.caseInsensitive)), 2) == [
          0, 1,
        ])
    }

    @Test(arguments: Seeds.all) func theFirstPositionsAreThoseOfTheSort(seed: Seed) {
      var random = seed.random
      let numbers = (0..<random.below(200)).map { _ in random.below(30) }
      func isBefore(_ a: Int, _ b: Int) -> Bool { (numbers[a], a) < (numbers[b], b) }
      let sorted = numbers.indices.sorted(by: isBefore)
      for wanted in [0, 1, 3, numbers.count, numbers.count + 5] {
        let first = FirstPositions.of(numbers.count, wanted: wanted, isBefore)
        #expect(first == Array(sorted.prefix(wanted)))
      }
    }

    @Test func textsThatAgreeInTheirFirstBytesAreComparedAsAWhole() {
      let same = String(repeating: "x", count: 16)
      let values = [same + "b", same, same + "a", "x"].map { Value?.some(.string($0)) }
      #expect(order(SortColumn(values, kind: .string, collation: .bytes), 4) == [3, 1, 2, 0])
      #expect(order(SortColumn(values, kind: .string, collation: .bytes), 4, ascending: false) == [0, 2, 1, 3])
    }

    @Test func collationsCompareTwoTexts() {
      #expect(TextCollation.bytes.compare("a", "B") > 0 && TextCollation.folded(.caseInsensitive).compare("a", "B") < 0)
      #expect(TextCollation.folded([.caseInsensitive, .diacriticInsensitive]).compare("\u{C9}", "e") == 0)
    }
  }
#endif
