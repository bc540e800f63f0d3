import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// `StoredOrder`: a total order of all values, by meaning.
struct StoredOrderTests {
  /// The order of every sample relative to every other, computed once.
  private static let orders: [[Int]] = SampleValues.all.map { a in
    SampleValues.all.map { b in StoredOrder.compare(a.value, b.value) }
  }

  @Test func everyPairOfSamplesStandsAsItsRungsDo() {
    for (row, a) in SampleValues.all.enumerated() {
      for (column, b) in SampleValues.all.enumerated() {
        let expected = a.rung < b.rung ? -1 : a.rung == b.rung ? 0 : 1
        if Self.orders[row][column] != expected {
          Issue.record("\(a.value) to \(b.value): \(Self.orders[row][column]) and not \(expected)")
        }
      }
    }
  }

  @Test func theOrderIsTotalForAllTriplesOfSamplesAndRandomNumbers() {
    Seeds.run(count: 3) { _, random in
      var values = SampleValues.all.map(\.value)
      for _ in 0..<20 {
        let double = random.double()
        values += [.double(double), .float(Float(double)), .decimal(Decimal128.exactValue(of: double))]
        values += [.int(random.int64()), .decimal(Decimal128(double)), .string(random.string())]
        if let whole = Int64(exactly: double.rounded()) { values += [.int(whole), .decimal(Decimal128(whole))] }
      }
      let orders = values.map { a in values.map { b in StoredOrder.compare(a, b) } }
      for a in values.indices {
        for b in values.indices {
          if orders[a][b] != -orders[b][a] { Issue.record("\(values[a]) and \(values[b]) are not antisymmetric") }
          if orders[a][b] > 0 { continue }
          // a <= b: everything at or above b is at or above a, and strictly so if either step is strict.
          for c in values.indices where orders[b][c] <= 0 {
            let expected = min(orders[a][b], orders[b][c])
            if orders[a][c] != expected {
              Issue.record("\(values[a]), \(values[b]), \(values[c]) are not transitive")
            }
          }
        }
      }
    }
  }

  @Test func identicalValuesAreEqualByMeaning() {
    for (_, value) in SampleValues.all { #expect(StoredOrder.compare(value, value) == 0, "\(value)") }
  }

  @Test func integersAndDoublesCompareWithoutRoundingEither() {
    #expect(StoredOrder.compare(Int64(9_007_199_254_740_993), 0x1p53) == 1)
    #expect(StoredOrder.compare(Int64.max, 0x1p63) == -1)
    #expect(StoredOrder.compare(Int64.max, Double(Int64.max)) == -1, "the double is 2^63")
    #expect(StoredOrder.compare(Int64.min, -0x1p63) == 0)
    #expect(StoredOrder.compare(Int64.min, (-0x1p63).nextDown) == 1)
    #expect(StoredOrder.compare(Int64.max, .infinity) == -1)
    #expect(StoredOrder.compare(Int64.min, -.infinity) == 1)
    #expect(StoredOrder.compare(Int64.min, .nan) == 1)
    #expect(StoredOrder.compare(Int64(0), -0.5) == 1)
    #expect(StoredOrder.compare(Int64(0), 0.5) == -1)
    #expect(StoredOrder.compare(Int64(-1), -0.5) == -1)
    #expect(StoredOrder.compare(Int64(0), -0.0) == 0)
  }

  @Test func stringsCompareByTheirBytesInUTF8() {
    // U+FF5E comes after U+10000 in UTF-16, and before it in UTF-8.
    #expect(StoredOrder.compare("\u{FF5E}", "\u{10000}") == -1)
    #expect(StoredOrder.compare("e\u{301}", "\u{E9}") == -1)
    #expect(StoredOrder.compare("a", "a\0") == -1)
    #expect(StoredOrder.compare("", "") == 0)
    Seeds.run(count: 20) { _, random in
      for _ in 0..<50 {
        let (a, b) = (random.string(), random.string())
        let expected =
          a.utf8.elementsEqual(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        #expect(StoredOrder.compare(a, b) == expected, "'\(a)' '\(b)'")
      }
    }
  }

  @Test func dataComparesByItsBytesWhereverItsFirstIndexIs() {
    Seeds.run(count: 20) { _, random in
      let (a, b) = (random.data(), random.data())
      let expected = a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
      #expect(StoredOrder.compare(a, b) == expected)
      #expect(StoredOrder.compare(a, Data(a)) == 0)
      #expect(StoredOrder.compare(a + [0], a) == 1)
    }
  }

  @Test func eachTypeComparesAsItsWrappedValuesDo() {
    expectAgreement(of: Int64.self, .int)
    expectAgreement(of: Float.self, .float)
    expectAgreement(of: Double.self, .double)
    expectAgreement(of: String.self, .string)
    expectAgreement(of: Data.self, .data)
    expectAgreement(of: Timestamp.self, .date)
    expectAgreement(of: ObjectId.self, .objectId)
    expectAgreement(of: UUID.self, .uuid)
    expectAgreement(of: Decimal128.self, .decimal)
    expectAgreement(of: Value.self, .any)
  }

  private func expectAgreement<Element: Storable>(of type: Element.Type, _ kind: ValueKind) {
    let values = SampleValues.of(kind)
    #expect(values.count >= 3)
    for a in values {
      for b in values {
        guard let first = Element(a), let second = Element(b) else {
          Issue.record("\(a) and \(b) are \(kind)s and not stored as \(type)")
          continue
        }
        if Element.compare(first, second) != StoredOrder.compare(a, b) { Issue.record("\(type): \(a) and \(b)") }
        if Element.isIdentical(first, second) != (a == b) { Issue.record("\(type): \(a) and \(b) by their bits") }
      }
    }
  }

  @Test func linksOfOneColumnCompareAsTheirKeysDo() {
    let target = TableKey(rawValue: 2)
    for a in [0, 1, 255, 256, Int64.max] {
      for b in [0, 1, 255, 256, Int64.max] {
        let links = (Value.link(ObjectLink(target, ObjectKey(a))), Value.link(ObjectLink(target, ObjectKey(b))))
        #expect(Int64.compare(a, b) == StoredOrder.compare(links.0, links.1))
      }
    }
  }
}
