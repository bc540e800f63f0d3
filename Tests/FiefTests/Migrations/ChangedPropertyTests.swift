import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Thing: PastClass {
    @Persisted var number = 5
    @Persisted var text: String? = "seven"
    @Persisted var required = "here"
    @Persisted var optionalNumbers: List<Int?>
    @Persisted var numbers: List<Int>
    @Persisted var single = "one"
    @Persisted var many: List<String>
    @Persisted var link: Other?
    @Persisted var others: List<Other>
    @Persisted var any: AnyRealmValue
  }
  class Other: PastClass { @Persisted var name = "" }
  class Else: PastClass { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Thing.self, Other.self, Else.self]
}

private enum Second {
  class Thing: PastClass {
    @Persisted var number = "five"
    @Persisted var text = "none"
    @Persisted var required: String?
    @Persisted var optionalNumbers: List<Int>
    @Persisted var numbers: List<Int?>
    @Persisted var single: List<String>
    @Persisted var many = ""
    @Persisted var link: Else?
    @Persisted var others: MutableSet<Other>
    @Persisted var any: Map<String, AnyRealmValue>
  }
  class Other: PastClass { @Persisted var name = "" }
  class Else: PastClass { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Thing.self, Other.self, Else.self]
}

private enum Keyed {
  class Thing: PastClass {
    @Persisted(primaryKey: true) var number: Int
    @Persisted(indexed: .fullText) var required: String
    @Persisted(indexed: .unique) var single: String
    override class func compoundIndexes() -> [CompoundIndex] { [CompoundIndex("required", "single")] }
  }
  static let types: [ObjectBase.Type] = [Thing.self]
}

private enum Plain {
  class Thing: PastClass {
    @Persisted var number: Int
    @Persisted var required: String
    @Persisted var single: String
  }
  static let types: [ObjectBase.Type] = [Thing.self]
}

private enum Rekeyed {
  class Thing: PastClass {
    @Persisted var number: Int
    @Persisted(primaryKey: true) var required: String
    @Persisted var single: String
  }
  static let types: [ObjectBase.Type] = [Thing.self]
}

private enum Narrow {
  class Thing: PastClass {
    @Persisted var number: Int8
    @Persisted var required: String
    @Persisted var single: String
  }
  static let types: [ObjectBase.Type] = [Thing.self]
}

@Suite struct ChangedPropertyTests {
  private let file: Changing

  init() throws { file = try Changing() }

  private func makeThing() throws {
    try file.make(First.types) { realm in
      let other = realm.create(First.Other.self, value: ["name": "o"])
      realm.create(
        First.Thing.self,
        value: [
          "optionalNumbers": [1, nil, 3] as [Int?], "numbers": [4, 5], "many": ["a", "b"], "link": other,
          "others": [other, other], "any": ["deep": [1, 2]],
        ])
    }
  }

  @Test func everyChangeOfTypeBeginsWithZeroAndOnlyNewOptionalsKeepTheirValues() throws {
    try makeThing()
    do {
      let realm = try file.open(Second.types, 1)
      let thing = try #require(realm.objects(Second.Thing.self).first)
      #expect(thing.number == "" && thing.text == "" && thing.required == "here" && thing.many == "")
      #expect(thing.optionalNumbers.isEmpty && Array(thing.numbers) == [4, 5] && thing.single.isEmpty)
      #expect(thing.link == nil && thing.others.isEmpty && thing.any.isEmpty)
      #expect(realm.objects(Second.Other.self).map(\.name) == ["o"])
    }
    #expect(try file.problems() == [])
  }

  @Test func everyOldValueCanBeCarriedOverInTheBlock() throws {
    try makeThing()
    do {
      let realm = try file.open(Second.types, 1) { migration, _ in
        migration.enumerateObjects(ofType: "Thing") { old, new in
          guard let old, let new else { return }
          new["number"] = "\(old["number"] as? Int ?? 0)"
          new["text"] = old["text"]
          new["optionalNumbers"] = (old["optionalNumbers"] as? List<Int?>)?.compactMap { $0 }
          new["single"] = [old["single"]]
          new["many"] = (old["many"] as? List<String>)?.joined(separator: "+")
          let link = old["link"] as? MigrationObject
          new["link"] = migration.create("Else", value: ["name": link?["name"] ?? ""])
          new["others"] = old["others"]
          new["any"] = old["any"]
        }
      }
      let thing = try #require(realm.objects(Second.Thing.self).first)
      #expect(thing.number == "5" && thing.text == "seven" && thing.many == "a+b" && Array(thing.single) == ["one"])
      #expect(Array(thing.optionalNumbers) == [1, 3] && thing.link?.name == "o" && thing.others.map(\.name) == ["o"])
      #expect(thing.any["deep"]?.listValue?.count == 2)
    }
    #expect(try file.problems() == [])
  }

  @Test func theRefusalListsEveryDifference() throws {
    try makeThing()
    let error = try #require(file.error(Second.types, 0))
    #expect(error.code == .schemaMismatch)
    let changed = [
      "number", "optionalNumbers", "numbers", "text", "required", "single", "many", "link", "others", "any",
    ]
    for name in changed { #expect(error.localizedDescription.contains("'Thing.\(name)'"), "\(error)") }
  }

  // MARK: Primary keys and indexes

  private func makePlain(_ numbers: [Int]) throws {
    try file.make(Plain.types) { realm in
      for number in numbers {
        realm.create(
          Plain.Thing.self, value: ["number": number, "required": "r\(number)", "single": "s\(number)"])
      }
    }
  }

  @Test func keysAndIndexesComeAndGo() throws {
    try makePlain([3, 1, 2])
    do {
      let realm = try file.open(Keyed.types, 1)
      #expect(realm.object(ofType: Keyed.Thing.self, forPrimaryKey: 2)?.required == "r2")
      #expect(realm.schema["Thing"]?.primaryKeyProperty?.name == "number")
      #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(Keyed.Thing.self, value: ["number": 9, "single": "s1"]) }
      }
    }
    do {
      let realm = try file.open(Rekeyed.types, 2)
      #expect(realm.object(ofType: Rekeyed.Thing.self, forPrimaryKey: "r3")?.number == 3)
    }
    do {
      let realm = try file.open(Plain.types, 3)
      try realm.write { realm.create(Plain.Thing.self, value: ["number": 3, "required": "r3", "single": "s3"]) }
      #expect(realm.objects(Plain.Thing.self).count == 4)
    }
    #expect(try file.problems() == [])
  }

  @Test func duplicatesOfANewPrimaryKeyAreThrownAndTheFileStays() throws {
    try makePlain([1, 2, 1])
    let before = try file.bytes()
    for block: MigrationBlock? in [nil, { _, _ in }] {
      let error = try #require(file.error(Keyed.types, 1, block))
      #expect(error.code == .fail && error.localizedDescription.contains("'Thing.number' has duplicate values"))
      #expect(try file.bytes() == before)
    }
  }

  @Test func duplicatesCanBeResolvedInTheBlockAndKeysMayRepeatMeanwhile() throws {
    try makePlain([1, 2, 1])
    let realm = try file.open(Keyed.types, 1) { migration, _ in
      var next = 2
      migration.enumerateObjects(ofType: "Thing") { old, new in
        new?["number"] = next
        new?["single"] = "s\(next)"
        next += 1
      }
    }
    #expect(realm.objects(Keyed.Thing.self).map(\.number) == [2, 3, 4])
    #expect(realm.object(ofType: Keyed.Thing.self, forPrimaryKey: 4)?.required == "r1")
  }

  @Test func keysOfAClassThatKeepsItsKeyCanBeShifted() throws {
    try makePlain([1, 2, 3])
    _ = try file.open(Keyed.types, 1)
    let realm = try file.open(Keyed.types, 2) { migration, _ in
      migration.enumerateObjects(ofType: "Thing") { old, new in new?["number"] = (old?["number"] as? Int ?? 0) + 1 }
      migration.create("Thing", value: ["number": 1, "single": "first"])
    }
    #expect(realm.objects(Keyed.Thing.self).map(\.number) == [2, 3, 4, 1])
    #expect(realm.object(ofType: Keyed.Thing.self, forPrimaryKey: 4)?.single == "s3")
  }

  @Test func aRepeatedUniqueValueIsThrownAndTheFileStays() throws {
    try file.make(Plain.types) { realm in
      for number in 1...2 { realm.create(Plain.Thing.self, value: ["number": number, "single": "same"]) }
    }
    let before = try file.bytes()
    let error = try #require(file.error(Keyed.types, 1))
    #expect(error.code == .uniqueConstraint && error.localizedDescription.contains("single"))
    #expect(try file.bytes() == before)
  }

  @Test func aNarrowedIntegerMustFitWhenTheBlockHasEnded() throws {
    try makePlain([1, 300])
    let before = try file.bytes()
    let error = try #require(file.error(Narrow.types, 1))
    #expect(error.localizedDescription.contains("300") && error.localizedDescription.contains("number"))
    #expect(try file.bytes() == before)
    let realm = try file.open(Narrow.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Thing") { _, new in new?["number"] = min(new?["number"] as? Int ?? 0, 127) }
    }
    #expect(realm.objects(Narrow.Thing.self).map(\.number) == [1, 127])
  }
}
