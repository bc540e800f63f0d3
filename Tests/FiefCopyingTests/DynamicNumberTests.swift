import FiefCopying
import FiefGraph
import FiefValues
import Foundation
import Testing

@Suite struct DynamicNumberTests {
  @Test(
    arguments: [
      (Int8(-3), -3), (UInt16(3), 3), (true, 1), (NSNumber(value: 3), 3), (NSNumber(value: false), 0),
      (Decimal(3), 3), (NSDecimalNumber(string: "-9223372036854775808"), Int64.min),
    ] as [(any Sendable, Int64)])
  func integersOfAllTypesAreRead(_ value: any Sendable, _ expected: Int64) {
    #expect(DynamicValue.integer(value) == expected)
  }

  @Test(arguments: [UInt64.max, 3.0, Float(3), Decimal128(3), Decimal(string: "3.5") ?? 0, "3"] as [any Sendable])
  func whatIsNoIntegerIsNotRounded(_ value: any Sendable) { #expect(DynamicValue.integer(value) == nil) }

  @Test func theNearestNumberIsTaken() {
    #expect(DynamicValue.double(Int64.max) == 0x1p63 && DynamicValue.float(16_777_217) == 16_777_216)
    #expect(DynamicValue.float(1e300) == nil && DynamicValue.float(Double.infinity) == .infinity)
    #expect(DynamicValue.double(Decimal.nan)?.isNaN == true && DynamicValue.double("1") == nil)
    #expect(DynamicValue.double(Decimal128(1)) == nil && DynamicValue.double(true) == nil)
  }

  @Test func decimalsTakeDigitsAndTexts() {
    #expect(DynamicValue.decimal(0.1) == (try? Decimal128(string: "0.1")) && DynamicValue.decimal("x") == nil)
    #expect(DynamicValue.decimal("12.5") == DynamicValue.decimal(12.5) && DynamicValue.decimal(true) == nil)
    #expect(DynamicValue.decimal(UInt64.max)?.description == "18446744073709551615")
  }

  @Test func anAnyValueKeepsTheTypeOfANumber() {
    #expect(DynamicValue.storedAny(Float(1.5)) == .float(1.5) && DynamicValue.storedAny(1.5) == .double(1.5))
    #expect(DynamicValue.storedAny(NSNumber(value: true)) == .bool(true) && DynamicValue.storedAny(UInt8(3)) == .int(3))
    #expect(
      DynamicValue.storedAny(NSDecimalNumber(value: 3)) == .int(3) && DynamicValue.storedAny(Decimal(3)) == .decimal(3))
  }

  @Test func booleansAreZeroAndOne() {
    #expect(DynamicValue.bool(1) == true && DynamicValue.bool(NSNumber(value: 0)) == false)
    #expect(DynamicValue.bool(2) == nil && DynamicValue.bool("true") == nil && DynamicValue.bool(1.0) == nil)
  }

  @Test func textsAndIdentifiersAreReadFromTexts() throws {
    let uuid = UUID()
    #expect(DynamicValue.uuid(uuid.uuidString) == uuid && DynamicValue.uuid("x") == nil)
    #expect(DynamicValue.text("ab" as NSString) == "ab" && DynamicValue.text(1) == nil)
    #expect(DynamicValue.date(Date(timeIntervalSinceReferenceDate: .nan)) == nil)
  }

  @Test func castsDoNotMakeObjectsOfValues() {
    #expect(
      DynamicValue.cast("a", to: NSString.self) == nil
        && DynamicValue.cast(Optional("a") as Any, to: String.self) == "a")
    #expect(!DynamicValue.isObject("a") && DynamicValue.isObject(NSObject()))
    #expect(flattened(Optional(Optional(3)) as Any) as? Int == 3 && flattened(Int?.none as Any) == nil)
  }
}

@Suite struct DynamicContainerTests {
  private func text(_ value: Any) -> String {
    switch DynamicContainer.of(value) {
    case .array(let values, let identity):
      "array \(values.count) \(identity.map { $0.isObject ? "object" : "value" } ?? "-")"
    case .dictionary(let values, let identity):
      "dictionary \(values.count) \(identity.map { $0.isObject ? "object" : "value" } ?? "-")"
    case .members(_, let span): "members \(span.count)"
    case nil: "none"
    }
  }

  @Test func arraysAndDictionariesOfAnyTypeAreContainers() {
    #expect(
      text([1, 2]) == "array 2 value" && text([1, "a"] as [Any]) == "array 2 value" && text([Int]()) == "array 0 -")
    #expect(
      text(["a": 1]) == "dictionary 1 value" && text(["a": 1, "b": "x"] as [String: Any]) == "dictionary 2 value")
    #expect(text([AnyHashable("a"): 1]) == "dictionary 1 value" && text([AnyHashable(1): 1]) == "none")
  }

  @Test func containersOfFoundationAreReadInPlace() {
    #expect(text(NSArray(array: [1])) == "array 1 object" && text(NSOrderedSet(array: [1, 2])) == "array 2 object")
    #expect(text(NSDictionary(dictionary: ["a": 1])) == "dictionary 1 object")
  }

  @Test(arguments: ["a", 1, 2.5, Data([1]), Set([1])] as [any Sendable])
  func otherValuesAreNone(_ value: any Sendable) { #expect(text(value) == "none") }

  @Test func sequencesHaveElements() {
    #expect(DynamicContainer.elements(1...3)?.count == 3 && DynamicContainer.elements(NSSet(array: [1]))?.count == 1)
    #expect(DynamicContainer.elements(Data([1])) == nil && DynamicContainer.elements(["a": 1]) == nil)
    #expect(DynamicContainer.elements("ab") == nil && DynamicContainer.elements(7) == nil)
  }

  @Test func entriesAreInOrderAndKeepEquivalentKeysApart() throws {
    #expect(DynamicContainer.of(["b": 1, "a": 2])?.entries?.map(\.key) == ["a", "b"])
    #expect(DynamicContainer.of([1])?.entries == nil && DynamicContainer.of([1])?.identity?.count == 1)
    let tree = try DocumentParser.parse(Array("{\"é\": 1, \"e\u{301}\": 2}".utf8))
    #expect(DynamicContainer.of(tree.untyped(tree.root))?.entries?.map(\.key.utf8.count) == [3, 2])
  }
}

@Suite struct WordsTests {
  @Test(
    arguments: [
      (true, "true"), (Decimal(2), "2"), (Data([1, 2, 3]), "3 bytes of data"), ("it's", "'it's'"),
      (NSNumber(value: 2), "2"), (["a": 1], "a dictionary"),
      (Decimal128(5), "the decimal 5"),
    ] as [(any Sendable, String)])
  func aValueIsDescribedByItsKind(_ value: any Sendable, _ words: String) {
    #expect(DynamicValue.description(of: value).contains(words))
  }

  @Test func aDateThatIsNoMomentIsNotDescribedByFoundation() {
    #expect(DynamicValue.description(of: Date(timeIntervalSinceReferenceDate: .nan)).contains("not"))
  }

  @Test func aLongPathKeepsItsEnds() {
    let parts = ["Root"] + (0..<1000).map { "[\($0)]" }
    let path = PlanPath.join(parts)
    #expect(path.hasPrefix("Root[0]") && path.hasSuffix("[999]") && path.contains("(983 more)"))
    #expect(PlanPath.join(parts.prefix(5)) == "Root[0][1][2][3]")
    #expect(PlanPath.shortened(String(repeating: "a", count: 41)).count == 41 && PlanPath.shortened("ab") == "ab")
  }

  @Test(arguments: ["$a", "a.b", "."]) func aWrongMapKeyIsRefused(_ key: String) {
    #expect(message { try MapKeys.check(key, "Dog.map") }.contains("at Dog.map"))
    #expect(throws: Never.self) { try MapKeys.check("a$", "Dog.map") }
  }

  @Test func aTypeIsDescribedAsItIsDeclared() throws {
    let store = try FakeStore()
    let properties = store["Person"].all
    #expect(properties.map(\.typeName) == ["Int", "String", "Person?", "List<Pet>", "Home?", "AnyRealmValue"])
    #expect(properties[3].elementTypeName == "Pet" && properties[0].elementTypeName == "Int")
    #expect(store.count("Person") == 0)
  }

  @Test func aClassKnowsItsPropertiesByNumberAndName() throws {
    // Classes refer to each other without retaining, so the store has to live.
    let store = try FakeStore()
    let person = store["Person"]
    #expect(person.number(of: "pets") == 3 && person.number(of: "none") == nil && person.keyProperty?.name == "id")
    #expect(person.target(3).name == "Pet" && person.stored.count == 6 && person.all[4].embedsTarget)
    #expect(store.count("Person") == 0)
  }

  @Test func storesShareTheDeclarationOfAClass() throws {
    let declarations = FakeStore.declare()
    let (one, other) = (try FakeStore(declarations), try FakeStore(declarations))
    #expect(one["Person"].declaration === declarations[0] && other["Person"].declaration === declarations[0])
    #expect(declarations[0].declaration === declarations[0] && declarations[0].table.rawValue == 0)
    #expect(one["Person"].primaryKey == 0 && one["Pet"].primaryKey == nil && one["Pet"].keyProperty == nil)
  }

  @Test func aPropertyOfAStoreHasWhatItsDeclarationSays() throws {
    let declared = RowProperty(
      number: 2, name: "best", type: ColumnType(.link), isPrimaryKey: false, embedsTarget: false, startsEmpty: true,
      targetName: "person", targetTypeName: "Person")
    let stored = RowProperty(
      declared, column: ColumnKey(rawValue: 7), type: .link(to: TableKey(rawValue: 3)), isPrimaryKey: false,
      embedsTarget: true)
    #expect(stored.declared === declared && declared.declared === declared && declared.column.rawValue == 0)
    #expect(stored.number == 2 && stored.name == "best" && stored.startsEmpty && stored.isStored && stored.embedsTarget)
    #expect(stored.targetName == "person" && stored.typeName == "Person?" && declared.typeName == "Person?")
  }

  @Test func anErrorIsItsSentence() {
    #expect("\(CopyError("A sentence."))" == "A sentence." && CopyError("").code == .invalidValue)
  }

  @Test func freshKeysAreDifferent() {
    #expect(FreshKey.stored(.uuid) != FreshKey.stored(.uuid) && FreshKey.stored(.int) == nil)
    #expect(FreshKey.stored(.objectId)?.plain is ObjectId && FreshKey.stored(.string) == nil)
  }
}
