import FiefTestSupport
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: .unique) var tag: String?
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var mother: Dog?
  var nickname = ""
}

private class Person: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var dogs: List<Dog>
}

/// What is said to somebody who has made a mistake, to the word.
@Suite struct MessageTests {
  let configuration: Realm.Configuration
  let realm: Realm

  init() throws {
    var configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self, Person.self])
    configuration.history = .versions(20)
    self.configuration = configuration
    realm = try Realm(configuration: configuration)
  }

  /// The message of the error that a closure throws.
  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "nothing was thrown"
  }

  @Test(arguments: [
    ("agee > 3", #"At byte 0 of "agee > 3": There is no property 'agee' in 'Dog': did you mean 'age'?"#),
    (
      "id == 1 AND Mother.nmae == 'x'",
      #"At byte 12 of "id == 1 AND Mother.nmae == 'x'": There is no property 'Mother' in 'Dog': did you mean 'mother'?"#
    ),
    (
      "mother.nmae == 'x'",
      #"At byte 0 of "mother.nmae == 'x'": There is no property 'nmae' in 'Dog': did you mean 'name'?"#
    ),
    (
      "name == Rex",
      #"At byte 0 of "name == Rex": There is no property 'Rex' in 'Dog': a text stands in quotes ('Rex'), and "#
        + "it has 'id', 'tag', 'name', 'age', 'mother'."
    ),
    (
      "nickname == 'x'",
      #"At byte 0 of "nickname == 'x'": There is no property 'nickname' in 'Dog': it is declared without @Persisted, "#
        + "so it is not stored."
    ),
    ("age == 'x'", #"At byte 0 of "age == 'x'": 'age' is an int, and is compared with 'x'."#),
    ("age == 3 AND", #"At byte 12 of "age == 3 AND": A property or a constant is expected, and not the end."#),
  ])
  func ofAQuery(_ format: String, _ words: String) {
    #expect(message { _ = try realm.objects(Dog.self).filter(parsing: format) } == "Invalid query: \(words)")
  }

  @Test func ofALongQueryThePartAroundTheMistakeIsQuoted() {
    let format =
      (0..<20).map { "age != \($0) AND " }.joined() + "agee == 3" + String(repeating: " AND age < 9", count: 9)
    let words = message { _ = try realm.objects(Dog.self).filter(parsing: format) }
    #expect(
      words.hasPrefix(#"Invalid query: At byte 270 of "…"#) && words.contains("agee == 3 AND") && words.utf8.count < 200
    )
  }

  @Test func ofAPathOfNames() {
    let said = message { _ = try realm.seed(json: Data(#"{ "Dog": [{ "id": 1, "agee": 3 }] }"#.utf8)) }
    #expect(
      said == "Invalid seed at line 1, byte 21: Invalid property name 'agee' for class 'Dog' at 'Dog[0].agee': did you "
        + "mean 'age'?")
  }

  @Test func ofAValueInOneOfManyObjects() {
    let said = message {
      try realm.write {
        for id in 0..<5 { realm.create(Dog.self, value: ["id": id, "age": id == 3 ? "x" : 1] as [String: Any]) }
      }
    }
    #expect(said == "Invalid value 'x' for property 'Dog.age': expected Int, in the object with the primary key 3.")
    let nested = message {
      try realm.write { _ = realm.create(Person.self, value: ["name": "Ann", "dogs": [["id": 7, "age": NSNull()]]]) }
    }
    #expect(
      nested
        == "Invalid value null for property 'Dog.age' (at Person.dogs[0].age): it is required, expected Int, in the "
        + "object with the primary key 7. Give a value, or leave the key out to get the default.")
  }

  @Test func ofAUniqueValueThatIsTaken() {
    let words =
      "'Dog' allows a value of 'tag' once: 'A' is that of the object with the primary key 1, and was given to "
      + "the object with the primary key 2."
    #expect(
      message { try realm.write { realm.add([Dog(value: [1, "A"]), Dog(value: [2, "A"])]) } } == words)
    let set = message {
      try realm.write {
        let first = realm.create(Dog.self, value: [1, "A"])
        realm.create(Dog.self, value: [2]).tag = first.tag
      }
    }
    #expect(set == words)
  }

  @Test func ofAnUndoConflict() throws {
    let rex = try realm.write { realm.create(Dog.self, value: [1, "A"]) }
    func undo(_ mine: () -> Void, _ theirs: () -> Void) throws -> String {
      try realm.write(mine)
      try realm.withoutUndo { try realm.write(theirs) }
      return message { try realm.undo() }
    }
    let start = "Cannot undo, because a later write stands in the way: "
    #expect(
      try undo({ rex.age = 7 }, { rex.age = 8 })
        == start + "it changed the object with the primary key 1 of 'Dog'.")
    #expect(
      try undo({ rex.tag = "B" }, { realm.create(Dog.self, value: [2, "A"]) })
        == start
        + "'Dog' allows a value of 'tag' once: 'A' is that of the object with the primary key 2, and was given "
        + "to the object with the primary key 1.")
    #expect(
      try undo(
        { realm.delete(realm.objects(Dog.self).where { $0.id == 2 }) }, { realm.create(Dog.self, value: [2]) })
        == start + "'Dog' already has an object with the primary key 'id' 2.")
  }

  @Test func ofMigrationsAndHistories() {
    let migrations = Migrations {
      Migrations.Step(5) { _ in }
      Migrations.Step(1) { _ in }
    }
    #expect("\(migrations)" == "steps to the schema versions 1, 5")
    #expect("\(Migrations { Migrations.Step(3) { _ in } })" == "steps to the schema version 3")
    typealias History = Realm.Configuration.History
    #expect("\(History.none)" == "no history" && "\(History.versions(1))" == "1 version")
    #expect("\(History.age(60))" == "all versions, for 60.0 seconds")
    #expect("\(History.versions(9, age: 0.5))" == "9 versions, for 0.5 seconds")
  }

  @Test func ofAFolderThatMayNotBeMade() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url.appendingPathComponent("file"))
    let inside = folder.url.appendingPathComponent("file/sub/dogs.realm")
    let said = message { _ = try Realm(fileURL: inside) }
    #expect(
      said.hasPrefix("The folder \(folder.url.path)/file/sub, which is to hold the realm's file, could not be made: "))
    #expect(!said.contains("Domain"))
  }

  @Test func ofANestedWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
      try realm.write { try realm.write {} }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      said.contains(
        "The realm is already in a write transaction, and writes do not nest: make the changes in that write, or in a "
          + "realm.savepoint { } in it if they may fail alone."))
  }

  @Test func ofAPropertyWithoutItsWrapper() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dog()["nickname"]
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      said.contains(
        "Invalid property name 'nickname' for class 'Dog': it is declared without @Persisted, so it is not stored."))
  }

  @Test func whatIsPrinted() throws {
    let file = try TemporaryFolder().url.appendingPathComponent("dogs.realm")
    do {
      let realm = try Realm(configuration: .init(fileURL: file, objectTypes: [Dog.self, Person.self]))
      try realm.write { _ = realm.create(Dog.self, value: [1, "A", "Rex", 3]) }
      #expect("\(realm)".hasPrefix("Realm(file '\(file.path)', on "))
      #expect("\(realm.freeze())" == "Realm(file '\(file.path)', frozen at version 2)")
      #expect(
        "\(ObjectDocument(realm.objects(Dog.self)[0]))"
          == #"{"$class":"Dog","age":3,"id":1,"mother":null,"name":"Rex","tag":"A"}"#)
    }
    #expect("\(try Realm.verify(fileURL: file))" == "sound: version 2, 1 object in 2 classes.")
    let report = try Realm.recover(from: file, to: file.appendingPathExtension("new"))
    #expect("\(report)" == "version 2, with 1 of Dog, 0 of Person")
  }
}
