import Fief
import Foundation
import RealmSwift
import Testing

private class Numbers: Object {
  @Persisted var int = 5
  @Persisted var optional: Int?
  @Persisted var double = 5.0
  @Persisted var float: Float = 5
  @Persisted var decimal = Decimal128(5)
  @Persisted var bool = false
  @Persisted var any: AnyRealmValue
  @Persisted var ints: List<Int>
  @Persisted var decimals: List<Decimal128>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var date: Date?
  @Persisted var day = Date(timeIntervalSince1970: 0)
  @Persisted var dates: List<Date>
  @Persisted var dateMap: Map<String, Date>
}

private class Dated: Object {
  @Persisted var day = Date(timeIntervalSince1970: 0)
  @Persisted var next: Dated?
}

/// Numbers of Foundation's decoder, and of programs, are stored by their values, whatever their types are.
@Suite struct ForeignNumberTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Numbers.self])) }

  /// The results of storing one value in every way; nil where it was refused.
  private func everyWay<Value>(_ name: String, _ json: String, _ read: (Numbers) -> Value) throws -> [Value?] {
    let realm = try realm()
    let text = "{\"\(name)\": \(json)}"
    let given = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let value = try #require(given[name])
    // A list needs a plan.
    let withList = given.merging(["ints": [Int]()]) { old, _ in old }
    func tried(_ make: () throws -> Numbers) -> Value? { (try? make()).map(read) }
    func assigned() throws -> Numbers {
      let numbers = Numbers()
      numbers[name] = value
      try realm.write { realm.add(numbers) }
      return numbers
    }
    return [
      tried { try realm.write { realm.create(Numbers.self, value: given) } },
      tried { try realm.write { try realm.create(Numbers.self, validating: withList) } },
      tried { try realm.write { realm.create(Numbers.self, value: NSDictionary(dictionary: given)) } },
      tried { try Numbers(validating: given) },
      tried {
        let numbers = Numbers(value: given)
        try realm.write { realm.add(numbers) }
        return numbers
      },
      tried(assigned),
      tried {
        let numbers = try realm.write { realm.create(Numbers.self) }
        try realm.write { numbers[name] = value }
        return numbers
      },
      tried { try ObjectDocument(given).object(as: Numbers.self) },
      tried { try ObjectDocument(json: Data(text.utf8)).object(as: Numbers.self) },
      tried { try ObjectDocument(json: try ObjectDocument(given).json()).object(as: Numbers.self) },
    ]
  }

  @Test(arguments: ["0", "1", "-1", "127", "128", "9007199254740993", "9223372036854775807", "-9223372036854775808"])
  func anIntegerIsExact(json: String) throws {
    let wanted = try #require(Int(json))
    #expect(try everyWay("int", json) { $0.int }.allSatisfy { $0 == wanted })
    #expect(try everyWay("optional", json) { $0.optional }.allSatisfy { $0 == wanted })
    #expect(try everyWay("decimal", json) { $0.decimal }.allSatisfy { $0 == Decimal128(wanted) })
    #expect(try everyWay("any", json) { $0.any }.allSatisfy { $0 == .int(wanted) })
    #expect(try everyWay("anys", "[\(json), [\(json)]]") { $0.anys.first ?? .none }.allSatisfy { $0 == .int(wanted) })
    #expect(try everyWay("ints", "[\(json)]") { Array($0.ints) }.allSatisfy { $0 == [wanted] })
    #expect(try everyWay("double", json) { $0.double }.allSatisfy { $0 == Double(wanted) })
  }

  @Test(arguments: [
    "9223372036854775808", "18446744073709551615", "-9223372036854775809", "123456789012345678901234567",
    "0.12345678901234567890123",
  ])
  func whatIsLongerIsADecimal(json: String) throws {
    let wanted = try Decimal128(validating: json)
    #expect(try everyWay("decimal", json) { $0.decimal }.allSatisfy { $0 == wanted })
    #expect(try everyWay("decimals", "[\(json)]") { Array($0.decimals) }.allSatisfy { $0 == [wanted] })
    #expect(try everyWay("any", json) { $0.any }.allSatisfy { $0 == .decimal128(wanted) })
    #expect(try everyWay("int", json) { $0.int }.allSatisfy { $0 == nil })
    #expect(try everyWay("double", json) { $0.double }.allSatisfy { $0 == Double(json) })
    #expect(try everyWay("float", json) { $0.float }.allSatisfy { $0 == Float(json) })
  }

  @Test func numbersBeyondDoublesAreDecimalsOrRefused() throws {
    for json in ["1e400", "-9.5e6000"] {
      func read(_ name: String) throws -> Numbers {
        try ObjectDocument(json: Data("{\"\(name)\": \(json)}".utf8)).object(as: Numbers.self)
      }
      #expect(try read("decimal").decimal == Decimal128(validating: json))
      #expect(try read("any").any == .decimal128(Decimal128(validating: json)))
      for name in ["double", "float", "int"] {
        let error = #expect(throws: Realm.Error.self) { try read(name) }
        #expect("\(error as Any)".contains("Numbers.\(name)"))
      }
    }
  }

  @Test(arguments: ["true", "false"]) func aBooleanIsABoolean(json: String) throws {
    #expect(try everyWay("any", json) { $0.any }.allSatisfy { $0 == .bool(json == "true") })
    #expect(try everyWay("bool", json) { $0.bool }.allSatisfy { $0 == (json == "true") })
    #expect(try everyWay("double", json) { $0.double }.allSatisfy { $0 == nil })
  }

  @Test func aFractionIsNoInteger() throws {
    for json in ["1.5", "0.1", "1e300"] {
      #expect(try everyWay("int", json) { $0.int }.allSatisfy { $0 == nil })
      #expect(try everyWay("any", json) { $0.any }.allSatisfy { $0 == .double(Double(json) ?? 0) })
      #expect(try everyWay("decimal", json) { $0.decimal }.allSatisfy { $0 == Decimal128(Double(json) ?? 0) })
    }
  }

  @Test func numbersOfFoundationReachDecimalsWithAllTheirDigits() throws {
    let realm = try realm()
    for text in ["123456789012345678901234567", "12345678901234567890123456789012345678", "0.1", "-1e100"] {
      let number = try #require(Decimal(string: text))
      for value in [NSDecimalNumber(decimal: number), number] as [Any] {
        let numbers = try realm.write { realm.create(Numbers.self, value: ["decimal": value, "any": value]) }
        #expect(numbers.decimal == Decimal128(stringLiteral: text) && numbers.any.decimal128Value == numbers.decimal)
        let made = try Numbers(validating: ["decimal": value, "decimals": [value]])
        #expect(made.decimal == numbers.decimal && Array(made.decimals) == [numbers.decimal])
      }
    }
    let wide = try Numbers(validating: ["decimal": UInt64.max, "any": UInt64.max, "float": 16_777_217])
    #expect(wide.decimal == Decimal128(UInt64.max) && wide.any == .decimal128(wide.decimal) && wide.float == 16_777_216)
    #expect(try JSONDecoder().decode([Decimal128].self, from: Data("[18446744073709551615]".utf8)) == [wide.decimal])
  }

  @Test func anAddedObjectWithABadDateIsRefusedInOneSentenceWithAndWithoutALink() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dated.self]))
    let messages = try [false, true].map { hasLink in
      let dated = Dated()
      dated.day = Date(timeIntervalSince1970: .nan)
      if hasLink { dated.next = Dated() }
      return "\(try #require(#expect(throws: Realm.Error.self) { try realm.write { realm.add(dated) } }))"
    }
    #expect(messages[0] == messages[1])
    #expect(messages[0].contains("for property 'Dated.day': expected Date"))
  }

  @Test func aDateThatIsNoNumberIsRefusedOnEveryWay() throws {
    let realm = try realm()
    let nan = Date(timeIntervalSince1970: .nan)
    let numbers = try realm.write { realm.create(Numbers.self) }
    func refused(_ line: Int = #line, _ body: @escaping () throws -> Void) {
      let error = #expect(throws: Realm.Error.self, "line \(line)") { try realm.write { try body() } }
      #expect(error?.code == .invalidValue, "line \(line)")
    }
    refused { numbers.date = nan }
    refused { numbers.day = nan }
    refused { numbers["day"] = nan }
    refused { numbers.any = .date(nan) }
    refused { numbers.dates.append(nan) }
    refused { numbers.dateMap["k"] = nan }
    refused { numbers.anys.append(.fromArray([.date(nan)])) }
    refused { realm.create(Numbers.self, value: ["day": nan]) }
    refused { realm.create(Numbers.self, value: ["any": nan]) }
    refused { realm.create(Numbers.self, value: ["any": AnyRealmValue.date(nan)]) }
    refused {
      let object = Numbers()
      object.day = nan
      realm.add(object)
    }
    refused {
      let object = Numbers()
      object.any = .date(nan)
      object.dates.append(nan)
      realm.add(object)
    }
    #expect(throws: Realm.Error.self) { try Numbers(validating: ["day": nan]) }
    #expect(throws: Realm.Error.self) { try Numbers(validating: ["any": [nan]]) }
    #expect(realm.objects(Numbers.self).count == 1 && numbers.day == Date(timeIntervalSince1970: 0))
    #expect(realm.objects(Numbers.self).where { $0.day == nan }.isEmpty)
    let object = Numbers()
    (object.day, object.any) = (nan, .date(nan))
    #expect(object.description.contains("day = a date that is not a number"))
  }

  @Test func aSumOverAnyValuesIsADecimal() throws {
    let realm = try realm()
    let numbers = try realm.write { realm.create(Numbers.self, value: ["anys": [1, 2, 0.5] as [Any], "any": 3]) }
    #expect(numbers.anys.sum() == .decimal128(3.5))
    #expect(Numbers(value: numbers).anys.sum() == .decimal128(3.5))
    try realm.write { numbers.anys.removeLast() }
    #expect(numbers.anys.sum() == .decimal128(3))
    #expect(realm.objects(Numbers.self).sum(of: \.any) == .decimal128(3))
    #expect(Array(realm.objects(Numbers.self)).isEmpty == false && numbers.anys.min() == .int(1))
  }
}
