import FiefCopying
import FiefGraph
import FiefValues
import Foundation
import Testing

@Suite struct UntypedTests {
  private struct Unknown {}

  private struct Named: Worded {
    var messageWords: String { "a named value" }
  }

  @Test func integersAreTakenWholeOrNotAtAll() {
    let small = ColumnType(.int, width: .bits8)
    #expect(Untyped.stored(127 as Any, small) == .int(127) && Untyped.stored(128 as Any, small) == nil)
    #expect(Untyped.integer(UInt64.max) == nil && Untyped.integer(2.0) == nil && Untyped.integer(true) == 1)
    #expect(Untyped.integer(NSNumber(value: 7)) == 7 && Untyped.integer(Optional(Optional(7)) as Any) == 7)
  }

  @Test func nullIsAnEmptyOptionalOrFoundationsNull() {
    #expect(Untyped.isNull(Int?.none as Any) && Untyped.isNull(Int??.some(nil) as Any) && Untyped.isNull(NSNull()))
    #expect(!Untyped.isNull(0) && !Untyped.isNull(""))
  }

  @Test func aValueGoesToAnotherColumnOnlyIfItFits() {
    #expect(Untyped.adapted(.int(1), ColumnType(.bool)) == .bool(true))
    #expect(Untyped.adapted(.int(2), ColumnType(.bool)) == nil)
    #expect(Untyped.adapted(.null, ColumnType(.int)) == nil)
    #expect(Untyped.adapted(.null, ColumnType(.int, isOptional: true)) == .null)
    #expect(Untyped.adapted(.data(Data([1])), ColumnType(.string)) == nil)
  }

  @Test func wordsAreBounded() {
    let long = String(repeating: "x", count: 1000)
    #expect(Untyped.words(long).count < 80)
    #expect(Untyped.words(Array(repeating: long, count: 3)) == "Array<String> of 3 elements")
    #expect(Untyped.words(Named()) == "a named value")
    #expect(Untyped.words(Unknown()) == "a value of type 'Unknown'")
    #expect(Untyped.words(NSNull()) == "null")
  }

  @Test func oneLevelOfAContainerIsRead() throws {
    guard case .array(let elements, let identity)? = UntypedContainer.of(NSArray(array: [1, NSArray()])) else {
      Issue.record("An array is a container.")
      return
    }
    #expect(elements.count == 2 && identity?.isObject == true)
    #expect(UntypedContainer.of([1: "a"]) == nil, "A key that is not a string makes no dictionary.")
    #expect(UntypedContainer.elements("text") == nil && UntypedContainer.elements(Set([1]))?.count == 1)
  }

  @Test func equalValuesHaveEqualHashes() {
    let (one, other) = (HashedValue(.string("é")), HashedValue(.string("e\u{301}")))
    #expect((one == other) == (Set([one, other]).count == 1))
    #expect(Set([HashedValue(.int(1)), HashedValue(.int(1)), HashedValue(.double(1))]).count == 2)
  }
}
