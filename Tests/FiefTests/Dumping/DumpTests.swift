import FiefTestSupport
import RealmSwift
import Testing

private class Person: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var born: Date?
  @Persisted var address: Address?
  @Persisted var dogs: List<Dog>
  @Persisted var best: Dog?
}

private class Address: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var annex: Address?
  @Persisted var keeper: Person?
}

private class Dog: Object {
  @Persisted var age = 0
  @Persisted var weight = 0.0
  @Persisted var photo: Data?
  @Persisted var marks: MutableSet<Int>
  @Persisted var friends: MutableSet<Dog>
  @Persisted var sizes: Map<String, Int?>
  @Persisted var extra: AnyRealmValue
}

private class Renamed: Object {
  @Persisted var first = 1
  @Persisted var second = 2

  override class func _realmObjectName() -> String? { "Stored" }
  override class func propertiesMapping() -> [String: String] { ["first": "z"] }
}

private func realm() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Person.self, Address.self, Dog.self]))
}

@Suite struct DumpTests {
  @Test func anEmptyRealmIsAnEmptyText() throws { #expect(try realm().dump() == "") }

  @Test func allKindsOfPropertiesHaveTheirForm() throws {
    let realm = try realm()
    try realm.write {
      let rex = realm.create(
        Dog.self,
        value: [
          "age": 3, "weight": 7.5, "photo": Data([0x89, 0x50]), "marks": [5, 1], "sizes": ["b": 2, "a": NSNull()],
          "extra": ["list": [1, 1.0, true, NSNull(), "x"], "key": Decimal128(1)],
        ] as [String: Any])
      realm.create(
        Person.self,
        value: [
          "name": "ann", "born": Date(timeIntervalSince1970: 0.5), "dogs": [rex, rex], "best": rex,
          "address": ["city": "Rome", "annex": ["city": "Ostia"]],
        ] as [String: Any])
    }
    #expect(
      realm.dump() == """
        Dog#1
          age: 3
          extra: [
            "key": decimal 1
            "list": [
              1
              1.0
              true
              nil
              "x"
            ]
          ]
          friends: {}
          marks: {
            1
            5
          }
          photo: 2 bytes 8950
          sizes: [
            "a": nil
            "b": 2
          ]
          weight: 7.5

        Person["ann"]
          name: "ann"
          address: Address
            annex: Address
              annex: nil
              city: "Ostia"
              keeper: nil
            city: "Rome"
            keeper: nil
          best: Dog#1
          born: 1970-01-01T00:00:00.5Z
          dogs: [
            Dog#1
            Dog#1
          ]

        """)
  }

  @Test func anAnyValueNamesTheTypeOfWhatItHolds() throws {
    let values: [(AnyRealmValue, String)] = [
      (.none, "nil"), (.float(1.5), "float 1.5"), (.double(1.5), "1.5"), (.decimal128(1.5), "decimal 1.5"),
      (.int(1), "1"), (.bool(true), "true"), (.string("1"), "\"1\""), (.data(Data()), "0 bytes"),
      (.date(Date(timeIntervalSince1970: 0)), "1970-01-01T00:00:00Z"),
      (.objectId(try ObjectId(string: "507f1f77bcf86cd799439011")), "objectId 507f1f77bcf86cd799439011"),
      (.uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")!), "uuid 6F9619FF-8B86-D011-B42D-00CF4FC964FF"),
    ]
    for (value, text) in values {
      let realm = try realm()
      try realm.write { realm.create(Dog.self).extra = value }
      #expect(realm.dump().contains("\n  extra: \(text)\n"), "\(value): \(realm.dump())")
    }
  }

  @Test func stringsEscapeWhatCannotBeSeenOrHasTwoSpellings() throws {
    let texts = [
      ("a\"b\\", #""a\"b\\""#), ("tab\t\u{0}\u{7F}", #""tab\t\u{0}\u{7F}""#), ("é", "\"é\""),
      ("e\u{301}", #""e\u{301}""#),
      ("\u{301}", #""\u{301}""#), ("\u{212B}", #""\u{212B}""#), ("日本語", "\"日本語\""), ("a\u{200B}b", #""a\u{200B}b""#),
      ("हिन्दी", "\"हिन्दी\""), ("\u{1100}\u{1161}", #""ᄀ\u{1161}""#), ("👍", "\"👍\""), ("a\u{2028}", #""a\u{2028}""#),
    ]
    for (text, expected) in texts {
      let realm = try realm()
      try realm.write { realm.create(Dog.self).extra = .string(text) }
      #expect(realm.dump().contains("\n  extra: \(expected)\n"), "\(realm.dump())")
    }
  }

  @Test func longValuesGoOnInTheNextLine() throws {
    let realm = try realm()
    try realm.write {
      let photo = Data(repeating: 0xAB, count: 33)
      realm.create(Dog.self, value: ["photo": photo, "extra": "one\ntwo\n"] as [String: Any])
    }
    let text = realm.dump()
    #expect(text.contains("\n  photo: 33 bytes \(String(repeating: "ab", count: 32))\n    + ab\n"))
    #expect(text.contains("\n  extra: \"one\\n\"\n    + \"two\\n\"\n"))
  }

  @Test func equalTextsMeanEqualStrings() throws {
    try Seeds.run(count: 20) { _, random in
      var texts: [String: [UInt8]] = [:]
      for _ in 0..<40 {
        let realm = try realm()
        let string = random.string()
        try realm.write { realm.create(Dog.self).extra = .string(string) }
        // Strings are equal that are canonically equivalent, and that must not make two dumps equal.
        let known = texts.updateValue(Array(string.utf8), forKey: realm.dump())
        #expect(known == nil || known == Array(string.utf8), "\(string.unicodeScalars.map { $0.value })")
      }
    }
  }

  @Test func aDeepChainOfEmbeddedObjectsIsNeverIndentedWithoutBound() throws {
    let realm = try realm()
    try realm.write {
      let ann = realm.create(Person.self, value: ["name": "ann", "address": ["city": "0"]] as [String: Any])
      var last = ann.address
      for number in 1..<20_000 {
        last?.annex = Address(value: ["city": "\(number)"])
        last = last?.annex
      }
    }
    let text = realm.dump()
    #expect(text.contains("\n  (1): Address\n") && text.contains("city: \"19999\"\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.prefix { $0 == " " }.count <= 28 })
  }

  @Test func deepNestsOfAnyValuesArePrintedIteratively() throws {
    let realm = try realm()
    var value = AnyRealmValue.int(7)
    for _ in 0..<5_000 { value = .fromArray([value]) }
    try realm.write { realm.create(Dog.self).extra = value }
    #expect(realm.dump().contains(" 7\n"))
  }

  @Test func linksInSetsAreOrderedByTheirLabels() throws {
    let realm = try realm()
    try realm.write {
      let dogs = [3, 1, 2].map { realm.create(Dog.self, value: ["age": $0]) }
      let last = realm.create(Dog.self, value: ["age": 9])
      last.friends.insert(objectsIn: dogs)
    }
    #expect(realm.dump().contains("  friends: {\n    Dog#1\n    Dog#2\n    Dog#3\n  }\n"))
  }

  @Test func namesAreTheStoredOnes() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Renamed.self]))
    try realm.write { _ = realm.create(Renamed.self) }
    #expect(realm.dump() == "Stored#1\n  second: 2\n  z: 1\n")
  }

  @Test func classesThatAreLeftOutOfTheConfigurationAppear() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("all.realm")
      func open(_ types: [ObjectBase.Type]) throws -> Realm {
        try Realm(configuration: .init(fileURL: url, objectTypes: types))
      }
      let text: String
      do {
        let realm = try open([Person.self, Address.self, Dog.self])
        try realm.write { _ = realm.create(Dog.self, value: ["age": 8]) }
        text = realm.dump()
      }
      #expect(try open([Renamed.self]).dump() == text)
    }
  }

  @Test func aWriteShowsItsOwnState() throws {
    let realm = try realm()
    realm.beginWrite()
    realm.create(Dog.self, value: ["age": 41])
    #expect(realm.dump().contains("age: 41"))
    realm.cancelWrite()
    #expect(realm.dump() == "")
  }

  @Test func aFrozenRealmIsReadOnAnyThread() async throws {
    let realm = try realm()
    try realm.write { _ = realm.create(Dog.self, value: ["age": 5]) }
    let (frozen, text) = (UncheckedFrozen(realm: realm.freeze()), realm.dump())
    #expect(await Task.detached { frozen.realm.dump() }.value == text)
  }

  @Test func aRealmOfAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      dumpElsewhere(UncheckedFrozen(realm: try realm()))
    }
    expectSentence("Realm accessed from incorrect thread", of: result)
  }
}

/// Dumps a realm on a new thread.
private func dumpElsewhere(_ realm: UncheckedFrozen) {
  let thread = Thread { _ = realm.realm.dump() }
  thread.start()
  while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
}

private struct UncheckedFrozen: @unchecked Sendable {
  let realm: Realm
}
