import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Dog: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted var nick: String?
    @Persisted var toys: List<Toy>
    @Persisted var home: Home?
    @Persisted var best: Dog?
    @Persisted var scores: List<Int>
  }
  class Toy: PastClass { @Persisted var name = "" }
  class Home: PastPart { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Dog.self, Toy.self, Home.self]
}

private enum Second {
  class Dog: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var callName = "?"
    @Persisted var years: Int?
    @Persisted var nickname: String?
    @Persisted var things: List<Toy>
    @Persisted var place: Home?
    @Persisted var friend: Dog?
    @Persisted var points: List<Int?>
    override class func propertiesMapping() -> [String: String] { ["friend": "stored_friend"] }
  }
  class Toy: PastClass {
    @Persisted var name = ""
    @Persisted(originProperty: "things") var owners: LinkingObjects<Dog>
  }
  class Home: PastPart { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Dog.self, Toy.self, Home.self]
}

private enum Third {
  class Hound: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var toys: List<Thing>
    @Persisted var home: Place?
    @Persisted var best: Hound?
  }
  class Thing: PastClass { @Persisted var name = "" }
  class Place: PastPart { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Hound.self, Thing.self, Place.self]
}

private enum Narrow {
  class Dog: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var years: Int8
  }
  static let types: [ObjectBase.Type] = [Dog.self]
}

@Suite struct RenamingTests {
  private let file: Changing

  init() throws {
    file = try Changing()
    try file.make(First.types) { realm in
      let ball = realm.create(First.Toy.self, value: ["name": "ball"])
      let rex = realm.create(
        First.Dog.self,
        value: [
          "id": 1, "name": "Rex", "age": 3, "nick": "R", "toys": [ball, ball], "home": ["street": "Main"],
          "scores": [7, 8],
        ])
      realm.create(First.Dog.self, value: ["id": 2, "name": "Bo", "age": 5, "best": rex, "toys": [ball]])
    }
  }

  private static let pairs = [
    ("name", "callName"), ("age", "years"), ("nick", "nickname"), ("toys", "things"), ("home", "place"),
    ("best", "friend"), ("scores", "points"),
  ]

  @Test func everyKindOfPropertyKeepsItsValuesUnderTheNewName() throws {
    do {
      let realm = try file.open(Second.types, 1) { migration, _ in
        for (old, new) in Self.pairs { migration.renameProperty(onType: "Dog", from: old, to: new) }
      }
      try check(realm)
    }
    #expect(try file.problems() == [])
    try check(try file.open(Second.types, 1))
  }

  private func check(_ realm: Realm) throws {
    let rex = try #require(realm.object(ofType: Second.Dog.self, forPrimaryKey: 1))
    let bo = try #require(realm.object(ofType: Second.Dog.self, forPrimaryKey: 2))
    #expect(rex.callName == "Rex" && rex.years == 3 && rex.nickname == "R" && bo.nickname == nil)
    #expect(rex.things.map(\.name) == ["ball", "ball"] && rex.place?.street == "Main" && bo.place == nil)
    #expect(bo.friend?.id == 1 && Array(rex.points) == [7, 8])
    #expect(rex.things[0].owners.map(\.id).sorted() == [1, 1, 2])
    #expect(realm.objects(Second.Dog.self).where { $0.callName == "Bo" }.map(\.id) == [2])
    #expect(realm.objects(Second.Dog.self).count == 2)
  }

  @Test func aRenamedPropertyCanBeReadAndChangedInTheSameBlock() throws {
    let realm = try file.open(Second.types, 1) { migration, _ in
      migration.renameProperty(onType: "Dog", from: "name", to: "callName")
      migration.enumerateObjects(ofType: "Dog") { old, new in
        new?["callName"] = "\(new?["callName"] ?? "") (\(old?["age"] ?? 0))"
      }
      migration.renameProperty(onType: "Dog", from: "age", to: "years")
      migration.create("Dog", value: ["id": 3, "callName": "Zoe", "years": 1])
    }
    #expect(realm.objects(Second.Dog.self).map(\.callName) == ["Rex (3)", "Bo (5)", "Zoe"])
    #expect(realm.objects(Second.Dog.self).map(\.years) == [3, 5, 1])
    #expect(try file.problems() == [])
  }

  @Test func propertiesThatAreNotRenamedLoseTheirValuesAndWhatTheyOwn() throws {
    do {
      let realm = try file.open(Second.types, 1) { _, _ in }
      #expect(realm.objects(Second.Dog.self).map(\.callName) == ["", ""] && realm.objects(Second.Toy.self).count == 1)
    }
    #expect(try file.problems() == [])
  }

  @Test(arguments: [
    ("Cat", "name", "callName", "no such class"), ("Dog", "colour", "callName", "no property of the old name"),
    ("Dog", "name", "colour", "no property of the new name"), ("Dog", "id", "years", "still has"),
    ("Dog", "name", "years", "different types"), ("Dog", "toys", "friend", "different types"),
    ("Dog", "nick", "callName", "optional"),
  ])
  func aRenamingThatDoesNotFitIsThrownAndTheFileStays(type: String, old: String, new: String, words: String) throws {
    let before = try file.bytes()
    let error = try #require(
      file.error(Second.types, 1) { migration, _ in migration.renameProperty(onType: type, from: old, to: new) })
    #expect(error.code == .fail && error.localizedDescription.contains(words), "\(error)")
    #expect(error.localizedDescription.contains("'\(type).\(old)'"))
    #expect(try file.bytes() == before)
  }

  @Test func oneProperyIsNotRenamedTwice() throws {
    let error = file.error(Second.types, 1) { migration, _ in
      migration.renameProperty(onType: "Dog", from: "nick", to: "nickname")
      migration.renameProperty(onType: "Dog", from: "nick", to: "nickname")
    }
    #expect(error?.localizedDescription.contains("renamed already") == true)
  }

  @Test func ofTwoPropertiesThatBecomeOneTheLaterGivesTheValues() throws {
    let block: MigrationBlock = { migration, _ in
      migration.renameProperty(onType: "Dog", from: "name", to: "nickname")
      migration.renameProperty(onType: "Dog", from: "nick", to: "nickname")
    }
    let report = try Realm.rehearseMigration(configuration: file.configuration(Second.types, 1, block))
    #expect(report.losses.contains { $0.propertyName == "name" && $0.count == 2 })
    #expect(!report.losses.contains { $0.propertyName == "nick" })
    do {
      let realm = try file.open(Second.types, 1, block)
      #expect(realm.objects(Second.Dog.self).map(\.nickname) == ["R", nil])
    }
    #expect(try file.problems() == [])
  }

  @Test func numbersThatTheNewPropertyCannotHoldAreRefusedUntilTheBlockChangesThem() throws {
    do {
      let realm = try file.open(First.types)
      try realm.write { realm.object(ofType: First.Dog.self, forPrimaryKey: 2)?.age = 300 }
    }
    let before = try file.bytes()
    let error = try #require(
      file.error(Narrow.types, 1) { migration, _ in
        migration.renameProperty(onType: "Dog", from: "age", to: "years")
      })
    #expect(error.localizedDescription.contains("300") && error.localizedDescription.contains("years"), "\(error)")
    #expect(try file.bytes() == before)
    do {
      let realm = try file.open(Narrow.types, 1) { migration, _ in
        migration.renameProperty(onType: "Dog", from: "age", to: "years")
        migration.enumerateObjects(ofType: "Dog") { old, new in new?["years"] = min(old?["age"] as? Int ?? 0, 127) }
      }
      #expect(realm.objects(Narrow.Dog.self).map(\.years) == [3, 127])
    }
    #expect(try file.problems() == [])
    #expect(try file.open(Narrow.types, 1).objects(Narrow.Dog.self).map(\.years) == [3, 127])
  }

  // MARK: Classes

  @Test func renamedClassesKeepTheirObjectsAndTheLinksAmongThem() throws {
    let visited = Noted<String>()
    do {
      let realm = try file.open(Third.types, 1) { migration, _ in
        migration.renameClass(from: "Dog", to: "Hound")
        migration.renameClass(from: "Toy", to: "Thing")
        migration.renameClass(from: "Home", to: "Place")
        for name in ["Dog", "Hound"] {
          migration.enumerateObjects(ofType: name) { old, new in
            visited.note("\(old?["name"] ?? "?") \(new?["name"] ?? "?")")
          }
        }
      }
      let rex = try #require(realm.object(ofType: Third.Hound.self, forPrimaryKey: 1))
      #expect(rex.name == "Rex" && rex.toys.map(\.name) == ["ball", "ball"] && rex.home?.street == "Main")
      #expect(realm.object(ofType: Third.Hound.self, forPrimaryKey: 2)?.best?.name == "Rex")
      #expect(realm.objects(Third.Thing.self).count == 1)
    }
    #expect(visited.values == ["Rex Rex", "Bo Bo", "Rex Rex", "Bo Bo"])
    #expect(try file.problems() == [])
    #expect(try file.open(First.types, 2).objects(First.Toy.self).isEmpty)
  }

  @Test(arguments: [
    ("Cat", "Hound", "no class of the old name"), ("Dog", "Cat", "no class of the new name"),
    ("fief.outbox", "Hound", "no class of the old name"),
  ])
  func aClassRenamingThatDoesNotFitIsThrownAndTheFileStays(old: String, new: String, words: String) throws {
    let before = try file.bytes()
    let error = file.error(Third.types, 1) { migration, _ in migration.renameClass(from: old, to: new) }
    #expect(error?.code == .fail && error?.localizedDescription.contains(words) == true, "\(String(describing: error))")
    #expect(try file.bytes() == before)
  }

  @Test func aClassIsRenamedAtTheBeginningAlone() throws {
    let error = file.error(Third.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { _, _ in }
      migration.renameClass(from: "Dog", to: "Hound")
    }
    #expect(error?.localizedDescription.contains("at the beginning") == true)
  }
}
