#if DEBUG
  import FiefGraph
  import FiefValues
  import Foundation
  import Testing

  @testable import FiefQueries

  /// What relations mean between single values, and sets of values.
  @Suite struct ValuesTests {
    static let values: [Value] = [
      .null, .bool(false), .int(1), .double(1), .double(.nan), .float(0.5), .string("a"), .string("b"),
      .data(Data([1, 2])), .date(Timestamp(seconds: 3)), .decimal(Decimal128(1)),
      .link(ObjectLink(TableKey(rawValue: 1), ObjectKey(2))),
    ]

    @Test(arguments: values) func aRelationHoldsOrItsOppositeDoes(value: Value) {
      for other in Self.values {
        #expect(Meaning.holds(value, .equal, other) != Meaning.holds(value, .notEqual, other))
        #expect(Meaning.holds(value, .less, other) == Meaning.holds(other, .greater, value))
        #expect(Meaning.holds(value, .lessOrEqual, other) == Meaning.holds(other, .greaterOrEqual, value))
        if Meaning.holds(value, .less, other) { #expect(!Meaning.holds(value, .equal, other)) }
      }
    }

    @Test func nullHasNoOrderExceptWithNull() {
      for relation in [Comparison.Operator.lessOrEqual, .greaterOrEqual] {
        #expect(Meaning.holds(.null, relation, .null))
      }
      for relation in [Comparison.Operator.less, .greater, .lessOrEqual, .greaterOrEqual] {
        #expect(!Meaning.holds(.null, relation, .int(1)) && !Meaning.holds(.int(1), relation, .null))
      }
    }

    @Test func numbersCompareWithNumbersAlone() {
      #expect(Meaning.holds(.int(1), .equal, .decimal(Decimal128(1))) && Meaning.holds(.float(0.5), .less, .int(1)))
      #expect(!Meaning.holds(.string("a"), .less, .int(1)) && !Meaning.holds(.int(1), .less, .string("a")))
      #expect(!Meaning.holds(.bool(false), .less, .int(1)))
    }

    @Test func dataHaveParts() {
      let data = Value.data(Data([1, 2, 3]))
      #expect(
        Meaning.holds(data, .beginsWith, .data(Data([1, 2]))) && Meaning.holds(data, .endsWith, .data(Data([3]))))
      #expect(Meaning.holds(data, .contains, .data(Data([2]))) && !Meaning.holds(data, .contains, .data(Data())))
      #expect(!Meaning.holds(data, .contains, .string("\u{2}")) && !Meaning.holds(data, .like, data))
    }

    @Test func aSetComparesByMeaning() {
      let set = Set([Value.int(1), .double(-0.0), .string("\u{E9}")].map(ValueKey.init))
      let members: [Value] = [.double(1), .float(1), .decimal(Decimal128(1)), .int(0)]
      #expect(members.allSatisfy { set.contains(ValueKey($0)) })
      #expect(!set.contains(ValueKey(.string("e\u{301}"))) && !set.contains(ValueKey(.null)))
    }

    @Test(arguments: values) func equalValuesHaveEqualHashes(value: Value) {
      for other in Self.values where ValueKey(value) == ValueKey(other) {
        #expect(ValueKey(value).hashValue == ValueKey(other).hashValue)
      }
    }

    @Test func aMatcherOfSeveralValuesMayFold() {
      let plain = ValueMatcher(.in, .members([.string("a"), .int(2), .null]), options: [])
      #expect(
        plain.matches(.string("a")) && plain.matches(.double(2)) && plain.matches(.null) && !plain.matches(.string("A"))
      )
      let folded = ValueMatcher(.in, .members([.string("a"), .null]), options: .caseInsensitive)
      #expect(folded.matches(.string("A")) && folded.matches(.null) && !folded.matches(.int(1)))
    }

    @Test func optionsOfStringsLeaveOtherMembersAsTheyAre() {
      let data = Value.data(Data([1]))
      for options in [TextOptions.caseInsensitive, .diacriticInsensitive] {
        let mixed = ValueMatcher(.in, .members([.string("a"), .int(7), data]), options: options)
        #expect([.string("a"), .int(7), .double(7), data].allSatisfy { mixed.matches($0) })
        #expect(![.string("7"), .int(8), .null].contains { mixed.matches($0) })
      }
    }

    @Test func aMatcherOfARangeHasBothEnds() {
      let range = ValueMatcher(.between, .range(.int(2), .double(3.5)), options: [])
      #expect([2, 3].allSatisfy { range.matches(.int($0)) } && range.matches(.double(3.5)) && !range.matches(.int(4)))
      #expect(!range.matches(.null) && !range.matches(.string("3")))
    }

    @Test func aMatcherOfATextKnowsOtherKinds() {
      #expect(!ValueMatcher(.equal, .string("1"), options: []).matches(.int(1)))
      #expect(ValueMatcher(.notEqual, .string("1"), options: []).matches(.int(1)))
      #expect(ValueMatcher(.fullText, .string("a"), options: []).matches(.string("b A")))
      #expect(!ValueMatcher(.fullText, .null, options: []).matches(.string("a")))
    }

    @Test func lengthsAreOfStringsAndData() {
      #expect(Value.string("e\u{301}x").length == .int(2) && Value.data(Data([1, 2])).length == .int(2))
      #expect(Value.null.length == .null && Value.int(12).length == .null)
    }

    @Test(arguments: [
      (ValueKind.float, "0.1", Value.float(0.1)), (.double, "0.1", .double(0.1)), (.any, "1e3", .double(1000)),
      (.float, "1e300", .double(1e300)), (.int, "1.5", .decimal(Decimal128("1.5"))),
      (.decimal, "0.1", .decimal(Decimal128("0.1"))),
      (.string, "2.5", .double(2.5)), (.double, "1e400", .decimal(Decimal128("1e400"))),
      (.float, "-1e400", .decimal(Decimal128("-1e400"))), (.any, "1e400", .decimal(Decimal128("1e400"))),
    ])
    func aNumberBecomesOneOfTheKindItIsComparedWith(kind: ValueKind, text: String, value: Value) {
      #expect(NumberLiteral(text).value(of: kind) == value)
    }

    @Test(arguments: ValueKind.allCases) func aTextBeyondAllNumbersIsNone(kind: ValueKind) {
      #expect(NumberLiteral("1e7000").value(of: kind) == nil && NumberLiteral("-1e7000").value(of: kind) == nil)
    }

    @Test(arguments: [
      (Value.int(1), ValueKind.bool, Value.bool(true)), (.bool(true), .int, .int(1)), (.int(3), .double, .double(3)),
      (.int(3), .float, .float(3)), (.string("1.5"), .decimal, .decimal(Decimal128("1.5"))),
      (.double(0.5), .float, .float(0.5)),
      (.int(7), .decimal, .decimal(Decimal128(7))), (.string("x"), .any, .string("x")),
    ])
    func constantsConvertAsInAssignments(value: Value, kind: ValueKind, converted: Value) {
      #expect(value.comparable(with: kind, aggregating: nil) == converted)
    }

    @Test(arguments: [
      (Value.int(2), ValueKind.bool), (.double(1.5), .int), (.string("1"), .int), (.double(1e300), .float),
      (.int(1), .string),
      (.string("x"), .decimal), (.int(1), .date), (.string("x"), .uuid),
    ])
    func otherConstantsDoNot(value: Value, kind: ValueKind) {
      #expect(value.comparable(with: kind, aggregating: nil) == nil)
    }

    @Test func besideAnAggregateAllNumbersCompare() {
      #expect(Value.double(1.5).comparable(with: .double, aggregating: .int) == .double(1.5))
      #expect(Value.decimal(Decimal128("0.1")).comparable(with: .double, aggregating: .double) == .double(0.1))
      #expect(Value.decimal(Decimal128("0.1")).comparable(with: .float, aggregating: .float) == .float(0.1))
      #expect(Value.string("x").comparable(with: .double, aggregating: .int) == nil)
    }

    private let age = ComparedValues(PropertyPath("age"), .int, aggregating: nil, mayBeNull: false)

    private func question(_ relation: Comparison.Operator, _ constant: QueryConstant) throws -> ValueMatcher {
      let fitting = try age.fitting(constant, relation, options: [], at: nil) { value throws(QueryError) in
        try age.converted(value, at: nil)
      }
      return ValueMatcher(relation, fitting, options: [])
    }

    @Test func aValueIsTestedAsARowIs() throws {
      #expect(try question(.greater, 3).matches(.int(4)) && !question(.greater, 3).matches(.int(3)))
      #expect(try question(.in, .list([.int(1), .int(2)])).matches(.int(2)))
      #expect(try question(.between, .list([.int(1), .int(3)])).matches(.int(3)))
      #expect(try !question(.in, .null).matches(.int(1)))
    }

    @Test(arguments: [
      (Comparison.Operator.equal, QueryConstant.null, QueryError.Code.typeMismatch), (.equal, "x", .typeMismatch),
      (.contains, 1, .unsupported), (.between, 1, .unsupported), (.in, 1, .unsupported),
      (.equal, .list([]), .unsupported),
      (.between, .list([.int(1), .null]), .typeMismatch), (.like, "x", .unsupported),
      (.equal, .open(OpenConstant([.variable("x")], isList: false)), .unknownProperty),
    ])
    func aValueIsRefusedAsARowIs(relation: Comparison.Operator, constant: QueryConstant, code: QueryError.Code) {
      let error = #expect(throws: QueryError.self) { try question(relation, constant) }
      #expect(error?.code == code)
    }

    @Test func twoValuesCompareIfTheirKindsDo() throws {
      let name = ComparedValues(PropertyPath("name"), .string, aggregating: nil, mayBeNull: false)
      let total = ComparedValues(PropertyPath("sum"), .double, aggregating: .double, mayBeNull: true)
      let size = ComparedValues(PropertyPath("size"), .double, aggregating: nil, mayBeNull: false)
      func code(_ relation: Comparison.Operator, _ other: ComparedValues, areOfOneClass: Bool = true) -> QueryError
        .Code?
      {
        do throws(QueryError) {
          try age.check(relation, [], with: other, areOfOneClass: areOfOneClass, at: nil)
          return nil
        } catch {
          return error.code
        }
      }
      #expect(code(.less, age) == nil && code(.less, total) == nil)
      #expect(code(.less, name) == .typeMismatch && code(.less, size) == .typeMismatch)
      #expect(code(.equal, age, areOfOneClass: false) == .typeMismatch && code(.in, age) == .unsupported)
    }
  }

  extension Decimal128 {
    fileprivate init(_ text: String) { self = (try? Decimal128(string: text)) ?? Decimal128() }
  }
#endif
