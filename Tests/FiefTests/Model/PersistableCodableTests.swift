import Foundation
import RealmSwift
import Testing

private struct Size: PersistableCodable, Equatable {
  var width = 1.0
  var height = 1.0
}

private enum Shape: PersistableCodable, Equatable {
  case nothing
  case circle(radius: Double)
  case polygon(corners: [Size], name: String?)
  indirect case pair(Shape, Shape)

  init() { self = .nothing }
}

private struct Everything: PersistableCodable, Equatable {
  var flag = true
  var (tiny, large, unsigned): (Int8, Int64, UInt64) = (-8, .min, .max)
  var (single, double) = (Float(1.5), -Double.infinity)
  var text = "a\u{0}b"
  var date = Date(timeIntervalSince1970: 1.5)
  var data = Data([0, 255])
  var uuid = UUID(uuidString: "11111111-2222-3333-4444-555555555555")!
  var id = ObjectId("0123456789abcdef01234567")
  var decimal: Decimal128 = 1.25
  var url = URL(string: "https://example.org/a?b")!
  var missing: Int?
  var given: Int? = 3
  var sizes = [Size(), Size(width: 2, height: 3)]
  var named = ["a": [1, 2], "b": []]
  var shape = Shape.pair(.circle(radius: 2), .nothing)
}

private struct Account: PersistableCodable, Equatable {
  var balance: Int128 = 0
  var limits: [UInt128] = []
  var last: UInt128?
}

private class Holder: Object {
  @Persisted var account: Account
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Sign: Object {
  @Persisted var size: Size
  @Persisted var other: Size?
  @Persisted var shape = Shape.circle(radius: 1)
  @Persisted var all: Everything
  @Persisted var history: List<Size>
  @Persisted var named: Map<String, Shape>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Thing: Object {
  @Persisted var content: AnyRealmValue
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct PersistableCodableTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Sign.self, Thing.self])) }

  @Test(arguments: [false, true]) func aListFindsAValue(managed: Bool) throws {
    let realm = try realm()
    let sign = Sign()
    sign.history.append(objectsIn: [Size(), Size(width: 2, height: 3)])
    if managed { try realm.write { realm.add(sign) } }
    #expect(sign.history.index(of: Size(width: 2, height: 3)) == 1 && sign.history.index(of: Size(width: 9)) == nil)
  }

  @Test(arguments: [false, true]) func valuesAreStoredAsAWhole(managed: Bool) throws {
    let realm = try realm()
    let sign = Sign()
    try realm.write {
      if managed { realm.add(sign) }
      sign.size = Size(width: 4, height: 2)
      sign.size.height = 3
      sign.other = Size()
      sign.shape = .polygon(corners: [Size(), Size(width: 2, height: 2)], name: nil)
      sign.all.text = "changed"
      sign.history = [Size(), Size(width: 9, height: 9)]
      sign.named["b"] = .pair(.nothing, .circle(radius: 3))
      realm.add(sign)
    }
    let read = try #require(realm.objects(Sign.self).first)
    var all = Everything()
    all.text = "changed"
    #expect(read.size == Size(width: 4, height: 3) && read.other == Size() && read.all == all)
    #expect(read.shape == .polygon(corners: [Size(), Size(width: 2, height: 2)], name: nil))
    #expect(Array(read.history) == [Size(), Size(width: 9, height: 9)])
    #expect(read.named["b"] == .pair(.nothing, .circle(radius: 3)))
    try realm.write { sign.other = nil }
    #expect(read.other == nil)
  }

  @Test func aValueThatCannotBeDecodedIsStoredByNameAndReadsAsNil() throws {
    let realm = try realm()
    let sign = try realm.write { realm.create(Sign.self) }
    try realm.write { sign["other"] = "large" }
    #expect(sign.other == nil && sign.detached().other == nil)
    #expect(realm.objects(Sign.self).filter("other == %@", "large").count == 1)
  }

  @Test func aDescriptionShowsTheStoredFormOfWhatCannotBeDecoded() throws {
    let realm = try realm()
    let sign = try realm.write { realm.create(Sign.self, value: ["history": [["width": "wide"]]]) }
    try realm.write { sign["size"] = ["height": "high"] }
    #expect(sign.description.contains("[width]: wide") && sign.history.description.contains("[width]: wide"))
    #expect(sign.description.contains("[height]: high"))
  }

  @Test func createTakesValuesOfTheType() throws {
    let realm = try realm()
    let wide = Size(width: 4, height: 2)
    let values: [String: Any] = [
      "size": wide, "other": wide, "shape": Shape.circle(radius: 3), "history": [wide, Size()],
      "named": ["b": Shape.pair(.nothing, .circle(radius: 2))],
    ]
    let sign = try realm.write { realm.create(Sign.self, value: values) }
    #expect(sign.size == wide && sign.other == wide && sign.shape == .circle(radius: 3))
    #expect(Array(sign.history) == [wide, Size()] && sign.named["b"] == .pair(.nothing, .circle(radius: 2)))
    try realm.write {
      sign["other"] = Size()
      sign["history"] = [Size(width: 9, height: 9)]
    }
    #expect(sign.other == Size() && Array(sign.history) == [Size(width: 9, height: 9)])
  }

  @Test func aValueThatCannotBeDecodedIsNotCalledNull() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Sign.self]))
      let sign = try realm.write { realm.create(Sign.self, value: ["size": ["width": "wide"]]) }
      print(sign.size)
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("stored value (a list or a dictionary) of 'Sign.size'"), "\(words)")
  }

  @Test func unmanagedObjectsTakeValuesThatNest() throws {
    let values: [String: Any] = [
      "size": ["width": 4.5, "height": 2.5], "other": ["width": 3.5, "height": 1.5],
      "shape": ["circle": ["radius": 2.5]], "history": [["width": 9.5, "height": 8.5]],
      "named": ["b": ["polygon": ["corners": [["width": 7.5, "height": 6.5]]]]],
    ]
    let sign = try Sign(validating: values)
    sign.all.sizes = [Size(width: 8, height: 8)]
    let copy = try ObjectDocument(json: ObjectDocument(sign).json()).object(as: Sign.self)
    for sign in [sign, copy] {
      #expect(sign.size == Size(width: 4.5, height: 2.5) && sign.other == Size(width: 3.5, height: 1.5))
      #expect(sign.shape == .circle(radius: 2.5) && Array(sign.history) == [Size(width: 9.5, height: 8.5)])
      #expect(sign.named["b"] == .polygon(corners: [Size(width: 7.5, height: 6.5)], name: nil))
    }
    #expect(copy.all == sign.all && copy.isContentEqual(to: sign))
    let error = #expect(throws: Realm.Error.self) { try Sign(validating: ["named": ["b": ["oval": [:]]]]) }
    #expect(error?.localizedDescription.contains("Sign.named['b']") == true)
  }

  @Test func aPropertyThatWasNotSetHasTheValueOfInit() throws {
    let realm = try realm()
    #expect(Sign().size == Size() && Sign().other == nil && Sign().shape == .circle(radius: 1))
    let sign = try realm.write { realm.create(Sign.self, value: [:] as [String: Any]) }
    #expect(sign.size == Size() && sign.other == nil && sign.shape == .circle(radius: 1) && sign.all == Everything())
  }

  @Test func queriesFindMembers() throws {
    let realm = try realm()
    try realm.write {
      for width in 0..<6 {
        let sign = realm.create(Sign.self)
        sign.size.width = Double(width)
        if width > 1 { sign.other = Size(width: Double(width), height: 2) }
        sign.shape = width < 3 ? .circle(radius: Double(width)) : .polygon(corners: [sign.size], name: "n\(width)")
      }
    }
    let signs = realm.objects(Sign.self)
    #expect(signs.where { $0.size["width"] > 3 }.count == 2)
    #expect(signs.where { $0.other["width"] == 4 }.count == 1)
    #expect(signs.where { $0.shape["circle"]["radius"] >= 1.0 }.count == 2)
    #expect(signs.where { $0.shape["polygon"]["corners"][0]["width"] == 5 }.count == 1)
    #expect(signs.where { $0.shape["polygon"]["name"] == "n4" }.first?.size.width == 4)
    #expect(signs.where { $0.other == nil }.count == 2)
  }

  @Test func aMemberThatWasAddedHasItsDefault() throws {
    let realm = try realm()
    let thing = try realm.write { realm.create(Thing.self, value: ["content": ["width": 7]]) }
    #expect(Size(persistedValue: thing.content) == Size(width: 7, height: 1))
    #expect(Everything(persistedValue: ["text": "x", "sizes": [["width": 5]]])?.text == "x")
    #expect(Everything(persistedValue: ["sizes": [["width": "wide"]]]) == nil)
    #expect(Size(persistedValue: "text") == nil && Shape(persistedValue: ["square": [:]]) == nil)
    #expect(Size(persistedValue: .none) == Size())
  }

  @Test func anOptionalMemberThatIsNilStaysNilWhenAnotherMemberIsAdded() throws {
    var all = Everything()
    all.given = nil
    let stored = all.persistableValue
    #expect(Everything(persistedValue: stored)?.given == .some(nil))
    // The same value, as it was stored before the member `flag` was there.
    var members: [String: AnyRealmValue] = [:]
    for (key, value) in try #require(stored.dictionaryValue).asKeyValueSequence() where key != "flag" {
      members[key] = value
    }
    let read = try #require(Everything(persistedValue: .fromDictionary(members)))
    #expect(read.flag && read.given == nil && read == all)
  }

  @Test func numbersAreReadAsTheTypeThatIsDeclared() {
    #expect(Size(persistedValue: ["width": 2, "height": .float(0.5)]) == Size(width: 2, height: 0.5))
    #expect(Everything(persistedValue: ["tiny": 300]) == nil && Everything(persistedValue: ["flag": 1]) == nil)
    #expect(Everything(persistedValue: ["unsigned": 3])?.unsigned == 3)
    #expect(Everything(persistedValue: ["unsigned": -3]) == nil)
  }

  @Test func aValueThatCannotBeEncodedFailsTheWrite() throws {
    let realm = try realm()
    var deep = Shape.nothing
    for _ in 0..<150 { deep = .pair(deep, .nothing) }
    let sign = try realm.write { realm.create(Sign.self) }
    let error = #expect(throws: Realm.Error.self) { try realm.write { sign.shape = deep } }
    #expect(error?.localizedDescription.contains("'Sign.shape': a value of 'Shape' could not be encoded") == true)
    #expect(sign.shape == .circle(radius: 1))
    let added = #expect(throws: Realm.Error.self) {
      try realm.write {
        let other = Sign()
        other.named["b"] = deep
        realm.add(other)
      }
    }
    #expect(added?.localizedDescription.contains("'Sign.named['b']': a value of 'Shape' could not be") == true)
    #expect(realm.objects(Sign.self).count == 1)
  }

  @Test func anIntegerIsStoredExactlyOrFailsTheWrite() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Holder.self]))
    let holder = try realm.write { realm.create(Holder.self) }
    // As many digits as a decimal has, and such with zeros behind them.
    var digits: Int128 = 1
    for _ in 0..<34 { digits *= 10 }
    for balance in [digits - 1, 1 - digits, digits * 10_000, 123 * digits, Int128(UInt64.max)] {
      let account = Account(balance: balance, limits: [balance.magnitude], last: balance.magnitude)
      try realm.write { holder.account = account }
      #expect(holder.account == account)
    }
    let account = holder.account
    let refused = [
      Account(balance: digits + 1), Account(balance: .max), Account(balance: .min), Account(limits: [0, .max]),
      Account(last: .max),
    ]
    for given in refused {
      let error = #expect(throws: Realm.Error.self) { try realm.write { holder.account = given } }
      #expect(error?.localizedDescription.contains("34 digits") == true)
      #expect(holder.account == account)
    }
    let error = #expect(throws: Realm.Error.self) { try realm.write { holder.account.limits = [0, .max, 0] } }
    #expect(error?.localizedDescription.contains("limits[1]") == true)
    // A fraction is no integer.
    #expect(Account(persistedValue: ["balance": .decimal128("1.5E-3")]) == nil)
    #expect(Account(persistedValue: ["balance": .decimal128("1.5E1")])?.balance == 15)
  }

  @Test func listsAndDictionariesSortBehindObjects() throws {
    let realm = try realm()
    try realm.write {
      let contents: [AnyRealmValue] = [["a": 1], [1], .object(Thing()), "text"]
      for content in contents { realm.create(Thing.self, value: ["content": content]) }
    }
    let kinds = realm.objects(Thing.self).sorted(byKeyPath: "content").map { thing -> String in
      switch thing.content {
      case .none: "none"
      case .string: "string"
      case .object: "object"
      case .list: "list"
      case .dictionary: "dictionary"
      default: "another"
      }
    }
    #expect(Array(kinds) == ["none", "string", "object", "list", "dictionary"])
  }

  @Test func literalsMakeAnyValues() throws {
    let thing = Thing()
    thing.content = ["colour": "red", "sizes": [1, 2.5, true], "more": ["a": [:]]]
    let colour = "r\("e")d"
    #expect(thing.content.dictionaryValue?["colour"] == "\(colour)")
    #expect(thing.content.dictionaryValue?["sizes"]?.listValue == [.int(1), .double(2.5), .bool(true)])
    let realm = try realm()
    try realm.write { realm.add(thing) }
    #expect(realm.objects(Thing.self).where { $0.content["sizes"][1] == 2.5 }.count == 1)
  }
}
