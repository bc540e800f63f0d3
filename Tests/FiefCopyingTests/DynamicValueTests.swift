import FiefCopying
import FiefGraph
import FiefValues
import Foundation
import Testing

@Suite struct DynamicValueTests {
  private struct Unknown {}

  private struct Named: MessageDescribing {
    var messageDescription: String { "a named value" }
  }

  @Test func integersAreTakenWholeOrNotAtAll() {
    let small = ColumnType(.int, width: .bits8)
    #expect(DynamicValue.stored(127 as Any, small) == .int(127) && DynamicValue.stored(128 as Any, small) == nil)
    #expect(
      DynamicValue.integer(UInt64.max) == nil && DynamicValue.integer(2.0) == nil && DynamicValue.integer(true) == 1)
    #expect(DynamicValue.integer(NSNumber(value: 7)) == 7 && DynamicValue.integer(Optional(Optional(7)) as Any) == 7)
  }

  @Test func nullIsAnEmptyOptionalOrFoundationsNull() {
    #expect(
      DynamicValue.isNull(Int?.none as Any) && DynamicValue.isNull(Int??.some(nil) as Any)
        && DynamicValue.isNull(NSNull()))
    #expect(!DynamicValue.isNull(0) && !DynamicValue.isNull(""))
  }

  @Test func aValueGoesToAnotherColumnOnlyIfItFits() {
    #expect(DynamicValue.adapted(.int(1), ColumnType(.bool)) == .bool(true))
    #expect(DynamicValue.adapted(.int(2), ColumnType(.bool)) == nil)
    #expect(DynamicValue.adapted(.null, ColumnType(.int)) == nil)
    #expect(DynamicValue.adapted(.null, ColumnType(.int, isOptional: true)) == .null)
    #expect(DynamicValue.adapted(.data(Data([1])), ColumnType(.string)) == nil)
  }

  @Test func wordsAreBounded() {
    let long = String(repeating: "x", count: 1000)
    #expect(DynamicValue.description(of: long).count < 80)
    #expect(DynamicValue.description(of: Array(repeating: long, count: 3)) == "Array<String> of 3 elements")
    #expect(DynamicValue.description(of: Named()) == "a named value")
    #expect(DynamicValue.description(of: Unknown()) == "a value of type 'Unknown'")
    #expect(DynamicValue.description(of: NSNull()) == "null")
  }

  @Test func oneLevelOfAContainerIsRead() throws {
    guard case .array(let elements, let identity)? = DynamicContainer.of(NSArray(array: [1, NSArray()])) else {
      Issue.record("An array is a container.")
      return
    }
    #expect(elements.count == 2 && identity?.isObject == true)
    #expect(DynamicContainer.of([1: "a"]) == nil, "A key that is not a string makes no dictionary.")
    #expect(DynamicContainer.elements("text") == nil && DynamicContainer.elements(Set([1]))?.count == 1)
  }

  @Test func equalValuesHaveEqualHashes() {
    let (one, other) = (HashedValue(.string("é")), HashedValue(.string("e\u{301}")))
    #expect((one == other) == (Set([one, other]).count == 1))
    #expect(Set([HashedValue(.int(1)), HashedValue(.int(1)), HashedValue(.double(1))]).count == 2)
  }

  /// The hash of `Data` leaves out what follows the first 80 bytes.
  @Test func dataThatDifferAtTheEndHaveOtherHashes() {
    let zeros = Data(repeating: 0, count: 1000)
    let hashes = (0..<100).map { HashedValue(.data(zeros.dropLast() + [UInt8($0)])).hashValue }
    #expect(Set(hashes).count == 100)
    #expect(HashedValue(.data(zeros)).hashValue == HashedValue(.data((zeros + zeros)[500..<1500])).hashValue)
  }
}
