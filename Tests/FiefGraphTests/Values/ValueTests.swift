import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// `Value.==`: identity of stored values, bit for bit.
struct ValueTests {
  @Test func everySampleEqualsItselfAndNoOtherSample() {
    let values = SampleValues.all.map(\.value)
    for (position, a) in values.enumerated() {
      for (otherPosition, b) in values.enumerated() where (a == b) != (position == otherPosition) {
        // The only pair of samples with equal bytes: data, and a slice of longer data.
        if case .data(let a) = a, case .data(let b) = b, Array(a) == Array(b) { continue }
        Issue.record("\(a) == \(b) is \(a == b)")
      }
    }
  }

  @Test func zerosOfDifferentSignDiffer() {
    #expect(Value.double(0.0) != .double(-0.0))
    #expect(Value.float(0.0) != .float(-0.0))
    #expect(SampleValues.decimal("0") != SampleValues.decimal("-0"))
  }

  @Test func aNaNEqualsItselfAndNoNaNOfAnotherPayload() {
    #expect(Value.double(.nan) == .double(.nan))
    #expect(Value.double(Double(nan: 1, signaling: false)) != .double(Double(nan: 2, signaling: false)))
    #expect(Value.float(.nan) == .float(.nan))
    #expect(Value.float(Float(nan: 1, signaling: false)) != .float(.nan))
    #expect(Value.decimal(.nan) == .decimal(.nan))
  }

  @Test func decimalsWithOtherExponentsDiffer() {
    #expect(SampleValues.decimal("1.0") != SampleValues.decimal("1.00"))
    #expect(SampleValues.decimal("1.0") == SampleValues.decimal("1.0"))
  }

  @Test func canonicallyEquivalentStringsOfOtherBytesDiffer() {
    #expect("e\u{301}" == "\u{E9}", "Swift calls them equal.")
    #expect(Value.string("e\u{301}") != .string("\u{E9}"))
    #expect(Value.string("e\u{301}") == .string("e" + "\u{301}"))
  }

  @Test func numbersOfOtherKindsDiffer() {
    #expect(Value.int(1) != .bool(true))
    #expect(Value.int(1) != .double(1))
    #expect(Value.float(1) != .double(1))
  }

  @Test func linksAreEqualWhenTableAndRowAre() {
    #expect(SampleValues.link(2, 3) == SampleValues.link(2, 3))
    #expect(SampleValues.link(2, 3) != SampleValues.link(3, 3))
    #expect(SampleValues.link(2, 3) != SampleValues.link(2, 4))
  }

  @Test func aValueKnowsItsKind() {
    #expect(Value.null.kind == nil)
    #expect(Value.null.isNull && !Value.int(0).isNull)
    for kind in ValueKind.allCases where kind != .any && kind != .link {
      #expect(!SampleValues.of(kind).isEmpty, "\(kind)")
    }
    #expect(SampleValues.link(2, 7).kind == .link)
    #expect(SampleValues.link(2, 7).linked == ObjectLink(TableKey(rawValue: 2), ObjectKey(7)))
    #expect(Value.int(7).linked == nil)
  }

  @Test func theTextOfALongValueIsCut() {
    #expect(Value.string(String(repeating: "x", count: 65)).description == "'\(String(repeating: "x", count: 64))...'")
    #expect(Value.string(String(repeating: "x", count: 64)).description == "'\(String(repeating: "x", count: 64))'")
    #expect(Value.data(Data(repeating: 1, count: 9)).description == "9 bytes")
    #expect(Value.null.description == "null")
    #expect(SampleValues.link(2, 7).description == "table 2#7")
  }
}
