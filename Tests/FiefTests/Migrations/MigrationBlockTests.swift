import FiefObjects
import FiefRuntime
import FiefSessions
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Person: PastClass {
    @Persisted var first = ""
    @Persisted var last = ""
    @Persisted var age = "0"
    @Persisted var toys: List<Toy>
  }
  class Toy: PastClass {
    @Persisted var name = ""
  }
  class Old: PastClass {
    @Persisted var note = ""
    @Persisted var toy: Toy?
  }
  static let types: [ObjectBase.Type] = [Person.self, Toy.self, Old.self]
}

private enum Second {
  class Person: PastClass {
    @Persisted var fullName = "nobody"
    @Persisted var age = 7
    @Persisted var nick: String? = "nick"
    @Persisted var toys: List<Toy>
    @Persisted var favourite: Toy?
  }
  class Toy: PastClass {
    @Persisted var name = "a toy"
    @Persisted var weight = 1.5
  }
  class Badge: PastClass {
    @Persisted var text = "new"
  }
  static let types: [ObjectBase.Type] = [Person.self, Toy.self, Badge.self]
}

private enum Ring {
  class Left: PastClass { @Persisted var right: Right? }
  class Right: PastClass {
    @Persisted var left: Left?
    @Persisted var toy: First.Toy?
  }
  class Witness: PastClass { @Persisted var left: Left? }
  static let types: [ObjectBase.Type] = [Left.self, Right.self, Witness.self, First.Toy.self]
}

@Suite struct MigrationBlockTests {
  private let file: Changing

  init() throws {
    file = try Changing()
    try file.make(First.types) { realm in
      let ball = realm.create(First.Toy.self, value: ["name": "ball"])
      realm.create(First.Person.self, value: ["first": "Ann", "last": "Lee", "age": "31", "toys": [ball]])
      realm.create(First.Person.self, value: ["first": "Bob", "last": "Roe", "age": "x", "toys": [["name": "kite"]]])
      realm.create(First.Old.self, value: ["note": "kept", "toy": ball])
    }
  }

  // MARK: When the block is called

  @Test func aNewFileIsMadeWithoutACallOfTheBlock() throws {
    let other = try Changing()
    let called = Noted<UInt64>()
    _ = try other.open(Second.types, 5) { called.note($1) }
    #expect(called.values.isEmpty)
    #expect(try other.storedVersion() == 5)
  }

  @Test func theBlockIsCalledOnceWithTheStoredVersionAlsoWhenTheSchemaIsTheSame() throws {
    let called = Noted<UInt64>()
    _ = try file.open(First.types, 3) { called.note($1) }
    _ = try file.open(First.types, 3) { called.note($1) }
    _ = try file.open(First.types, 8) { called.note($1) }
    #expect(called.values == [0, 3])
    #expect(try file.storedVersion() == 8)
  }

  @Test func theBlockIsNotCalledWhenTheFileIsEmptiedInstead() throws {
    let called = Noted<UInt64>()
    var configuration = file.configuration(Second.types, 1) { called.note($1) }
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: configuration).isEmpty && called.values.isEmpty)
  }

  // MARK: Old and new objects

  @Test func propertiesAreComputedFromOldOnesAndNewOnesBeginWithZero() throws {
    let before = Noted<String>()
    do {
      let realm = try file.open(Second.types, 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new else { return }
          before.note("\(new["fullName"] as? String ?? "?") \(new["age"] as? Int ?? -1) \(new["nick"] ?? "nil")")
          new["fullName"] = "\(old["first"] ?? "") \(old.last ?? "")"
          new["age"] = Int(old.age as? String ?? "") ?? 0
          new["favourite"] = (old["toys"] as? List<MigrationObject>)?.first
        }
      }
      let people = realm.objects(Second.Person.self)
      #expect(people.map(\.fullName) == ["Ann Lee", "Bob Roe"] && people.map(\.age) == [31, 0])
      #expect(people.map { $0.favourite?.name } == ["ball", "kite"] && people.map { $0.toys.count } == [1, 1])
      #expect(people.map(\.nick) == [nil, nil] && realm.objects(Second.Toy.self).map(\.weight) == [0, 0])
    }
    #expect(before.values == [" 0 nil", " 0 nil"])
    #expect(try file.problems() == [])
    #expect(try file.open(Second.types, 1).objects(Second.Person.self).map(\.fullName) == ["Ann Lee", "Bob Roe"])
  }

  @Test func schemasAreThoseOfTheFileAndOfTheProgram() throws {
    let noted = Noted<[String]>()
    _ = try file.open(Second.types, 1) { migration, _ in
      noted.note(migration.oldSchema["Person"]?.properties.map(\.name) ?? [])
      noted.note(migration.newSchema["Person"]?.properties.map(\.name) ?? [])
      noted.note(migration.oldSchema.objectSchema.map(\.className).sorted())
      noted.note(migration.newSchema.objectSchema.map(\.className).sorted())
    }
    #expect(
      noted.values == [
        ["first", "last", "age", "toys"], ["fullName", "age", "nick", "toys", "favourite"],
        ["Old", "Person", "Toy"], ["Badge", "Person", "Toy"],
      ])
  }

  @Test func linksLeadToObjectsOfTheMigration() throws {
    let noted = Noted<String>()
    _ = try file.open(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Old") { old, new in
        let toy = old?["toy"] as? MigrationObject
        noted.note("\(old?["note"] ?? "") \(toy?["name"] ?? "") \(new == nil)")
      }
      migration.enumerateObjects(ofType: "Person") { _, new in
        let toys: List<MigrationObject>? = new?.dynamicList("toys")
        toys?.first?["weight"] = 2.5
        if let toy = toys?.first { new?["favourite"] = toy }
        noted.note("\((new?["favourite"] as? MigrationObject)?["weight"] ?? "nil")")
      }
    }
    #expect(noted.values == ["kept ball true", "2.5", "2.5"])
  }

  // MARK: Which objects are visited

  @Test func aClassThatTheFileDidNotHaveGivesNewObjectsAndAnUnknownOneNone() throws {
    let noted = Noted<String>()
    let realm = try file.open(Second.types, 1) { migration, _ in
      migration.create("Badge")
      migration.create("Badge", value: ["text": "gold"])
      migration.enumerateObjects(ofType: "Badge") { old, new in
        noted.note("\(old == nil) \(new?["text"] ?? "")")
      }
      migration.enumerateObjects(ofType: "Nothing") { _, _ in noted.note("unknown") }
      migration.enumerateObjects(ofType: "fief.outbox") { _, _ in noted.note("hidden") }
    }
    #expect(noted.values == ["true new", "true gold"])
    #expect(realm.objects(Second.Badge.self).map(\.text) == ["new", "gold"])
  }

  @Test func createdObjectsAreNotVisitedAndDeletedOnesAreSkipped() throws {
    let noted = Noted<String>()
    let realm = try file.open(Second.types, 1) { migration, _ in
      var toys: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Toy") { _, new in toys.append(new!) }
      migration.enumerateObjects(ofType: "Toy") { old, _ in
        noted.note(old?["name"] as? String ?? "")
        migration.create("Toy", value: ["name": "made"])
        if let last = toys.popLast() { migration.delete(last) }
        for toy in toys { migration.delete(toy) }
      }
    }
    #expect(noted.values == ["ball"])
    #expect(realm.objects(Second.Toy.self).map(\.name) == ["made"])
    #expect(realm.objects(Second.Person.self).allSatisfy { $0.toys.isEmpty })
    #expect(try file.problems() == [])
  }

  // An object is used again for the next row when nothing else refers to it. Blocks must not notice.

  @Test func objectsThatTheBlockKeepsStayWhatTheyWere() throws {
    let other = try Changing()
    try other.make(First.types) { realm in
      for number in 0..<300 { realm.create(First.Person.self, value: ["first": "\(number)", "age": "\(number)"]) }
    }
    let noted = Noted<Bool>()
    let realm = try other.open(Second.types, 1) { migration, _ in
      var kept: [(old: MigrationObject?, new: MigrationObject?)] = []
      migration.enumerateObjects(ofType: "Person") { old, new in
        let age = Int(old?["age"] as? String ?? "") ?? -1
        new?["age"] = age
        if age % 3 == 0 { kept.append((old, new)) }
      }
      let numbers = (0..<100).map { $0 * 3 }
      noted.note(kept.map { $0.old?["first"] as? String } == numbers.map { "\($0)" })
      noted.note(kept.map { $0.new?["age"] as? Int } == numbers)
      for (_, new) in kept { new?["nick"] = "kept" }
    }
    #expect(noted.values == [true, true])
    let people = realm.objects(Second.Person.self)
    #expect(people.map(\.age) == Array(0..<300))
    #expect(people.map(\.nick) == (0..<300).map { $0 % 3 == 0 ? "kept" : nil })
  }

  #if DEBUG
    @Test(.enabled(if: RuntimeFeature.referenceCounts.isAvailable && ShortCut.objectReuse.isOn))
    func aBlockThatForgetsIsGivenOneObjectAgainAndAgain() throws {
      let other = try Changing()
      try other.make(First.types) { realm in
        for number in 0..<300 { realm.create(First.Person.self, value: ["first": "\(number)"]) }
      }
      let watch = ShortCut.Watch()
      try watch.run {
        _ = try other.open(Second.types, 1) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { old, new in new?["fullName"] = old?["first"] }
        }
      }
      // An old and a new one for each row but the first.
      #expect(watch.taken(.objectReuse) == 2 * 299)
    }
  #endif

  // MARK: Creating and deleting

  @Test func createTakesDefaultsNestedValuesAndOldObjects() throws {
    let realm = try file.open(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, old.first as? String == "Ann" else { return }
        migration.create("Person", value: ["fullName": "Eve", "toys": old["toys"]!, "favourite": ["name": "drum"]])
      }
      let zoe = migration.create("Person")
      zoe["toys"] = [["name": "bell"], ["weight": 9]]
    }
    let people = realm.objects(Second.Person.self)
    #expect(
      people.map(\.fullName) == ["", "", "Eve", "nobody"] && people.last?.age == 7 && people.last?.nick == "nick")
    #expect(people[2].toys.map(\.name) == ["ball"] && people[2].toys[0].isSameObject(as: people[0].toys[0]))
    #expect(people[2].favourite?.name == "drum" && people[2].favourite?.weight == 1.5)
    #expect(people[3].toys.map(\.name) == ["bell", "a toy"] && people[3].toys.map(\.weight) == [1.5, 9])
    #expect(try file.problems() == [])
  }

  @Test func deletedDataIsGoneAndAClassThatIsNotDeclaredGoesAltogether() throws {
    let noted = Noted<Bool>()
    do {
      let realm = try file.open(Second.types, 1) { migration, _ in
        noted.note(migration.deleteData(forType: "Toy"))
        noted.note(migration.deleteData(forType: "Old"))
        noted.note(migration.deleteData(forType: "Nothing"))
      }
      #expect(realm.objects(Second.Toy.self).isEmpty && realm.objects(Second.Person.self).count == 2)
    }
    #expect(noted.values == [true, true, false])
    #expect(try file.open(First.types, 2).objects(First.Old.self).isEmpty)
    #expect(try file.problems() == [])
  }

  @Test(arguments: [false, true])
  func removedClassesThatLinkToEachOtherGoTogetherUnlessOneThatStaysLinksToThem(hasWitness: Bool) throws {
    let other = try Changing()
    try other.make(Ring.types) { realm in
      let left = realm.create(Ring.Left.self)
      left.right = realm.create(Ring.Right.self, value: ["left": left, "toy": ["name": "ball"]])
      realm.create(Ring.Witness.self, value: ["left": left])
    }
    do {
      let realm = try other.open([First.Toy.self], 1) { migration, _ in
        for name in hasWitness ? ["Left", "Right"] : ["Left", "Right", "Witness"] {
          migration.deleteData(forType: name)
        }
      }
      #expect(realm.objects(First.Toy.self).map(\.name) == ["ball"])
    }
    #expect(try other.problems() == [])
    let names = try Realm(fileURL: other.url, dynamic: true).schema.objectSchema.map(\.className).sorted()
    #expect(names == (hasWitness ? ["Left", "Right", "Toy", "Witness"] : ["Toy"]))
  }

  // MARK: Failing

  struct Halt: Error {}

  @Test func anErrorOfTheBlockIsThrownAndTheFileStaysByteForByte() throws {
    let before = try file.bytes()
    #expect(throws: Halt.self) {
      _ = try file.open(Second.types, 1) { migration, _ in
        try migration.enumerateObjects(ofType: "Person") { _, new in
          new?["fullName"] = "Eve"
          throw Halt()
        }
      }
    }
    #expect(try file.bytes() == before && file.storedVersion() == 0)
    #expect(try file.open(First.types).objects(First.Person.self).map(\.first) == ["Ann", "Bob"])
  }

  @Test(arguments: 0..<8) func aMistakeOfTheBlockIsThrownAndTheFileStaysByteForByte(mistake: Int) throws {
    let before = try file.bytes()
    let error = file.error(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        switch mistake {
        case 0: new?["fulName"] = "Eve"
        case 1: _ = old?["middle"]
        case 2: old?["first"] = "Eve"
        case 3: new?["age"] = "many"
        case 4: migration.create("Nobody")
        case 5: migration.delete(old!)
        case 6: migration.create("Badge", value: ["text": 5])
        default: new?["fullName"] = nil
        }
      }
    }
    let words = ["fulName", "middle", "first", "Person.age", "Nobody", "Person", "Badge.text", "Person.fullName"]
    #expect(error?.localizedDescription.contains(words[mistake]) ?? false, "\(String(describing: error))")
    #expect(try file.bytes() == before && file.storedVersion() == 0)
  }

  @Test func anObjectThatCouldNotBeCreatedMayBeUsedInTheBlock() throws {
    let error = file.error(Second.types, 1) { migration, _ in
      let toy = migration.create("Toy", value: ["name": 5])
      toy["name"] = "drum"
      toy["weight"] = (toy["weight"] as? Double ?? 0) + 1
      migration.enumerateObjects(ofType: "Person") { _, new in
        new?.dynamicList("toys").append(toy)
        new?["favourite"] = toy
      }
      toy.dynamicList("parts").append(toy)
      migration.delete(toy)
    }
    #expect(error?.code == .invalidValue && error?.localizedDescription.contains("Toy.name") == true)
  }

  @Test func theRealmCannotBeOpenedInTheBlock() throws {
    let configuration = file.configuration(First.types)
    let error = file.error(Second.types, 1) { _, _ in _ = try Realm(configuration: configuration) }
    #expect(
      error?.code == .fail && error?.localizedDescription.contains("while this very thread is opening it") == true)
  }

  @Test func aTrapInTheBlockLeavesTheFileAsItWas() async throws {
    let before = try file.bytes()
    let path = file.url.path
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
        migrationBlock: { migration, _ in
          migration.deleteData(forType: "Toy")
          fatalError("The block gave up.")
        }, objectTypes: Second.types)
      _ = try Realm(configuration: configuration)
    }
    expectSentence("The block gave up.", of: result)
    #expect(try file.bytes() == before)
    #expect(try file.open(First.types).objects(First.Toy.self).count == 2)
  }

  @Test func aMigrationThatIsUsedAfterItsBlockTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Changing()
      try file.make(First.types) { $0.create(First.Toy.self, value: ["name": "ball"]) }
      final class Kept: @unchecked Sendable { var migration: Migration? }
      let kept = Kept()
      _ = try file.open(Second.types, 1) { migration, _ in kept.migration = migration }
      kept.migration?.deleteData(forType: "Toy")
    }
    expectSentence("A migration was used after its block had ended", of: result)
  }

  @Test func objectsOfTheMigrationAreInvalidAfterwards() throws {
    final class Kept: @unchecked Sendable { var objects: [MigrationObject] = [] }
    let kept = Kept()
    let realm = try file.open(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Toy") { _, new in kept.objects.append(new!) }
    }
    #expect(kept.objects.count == 2 && kept.objects.allSatisfy(\.isInvalidated))
    #expect(realm.objects(Second.Toy.self).count == 2)
  }

  // MARK: Performing, and progress

  @Test func performMigrationMigratesAndLetsGoOfTheFile() throws {
    let configuration = file.configuration(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in new?["fullName"] = old?["first"] }
    }
    try Realm.performMigration(for: configuration)
    #expect(try file.storedVersion() == 1)
    try Realm.performMigration(for: configuration)
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Second.Person.self).map(\.fullName) == ["Ann", "Bob"])
    let error = #expect(throws: Realm.Error.self) { try Realm.performMigration(for: configuration) }
    #expect(error?.code == .alreadyOpen)
  }

  /// A thread of the library may have the last reference to the store for a moment.
  @Test func performMigrationMigratesAFileThatOnlyTheLibraryHasOpen() throws {
    let mayEnd = DispatchSemaphore(value: 0)
    do {
      let store = try file.open(First.types).session.store
      let (reference, identity, begun) = (WeakReference(store), store.identity, DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        StoreRegistry.visit(reference, identity) { _ in
          begun.signal()
          mayEnd.wait()
        }
      }
      begun.wait()
    }
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      mayEnd.signal()
    }
    try Realm.performMigration(for: file.configuration(Second.types, 1))
    #expect(try file.storedVersion() == 1)
  }

  @Test func progressNamesThePartsAndTheClassesInTheirOrder() throws {
    let noted = Noted<MigrationProgress>()
    var configuration = file.configuration(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, _ in }
    }
    configuration.migrationProgress = { noted.note($0) }
    _ = try Realm(configuration: configuration)
    #expect(noted.values.map(\.phase) == [.preparing, .running, .running, .running, .settling, .storing])
    #expect(noted.values.map(\.completedCount) == [0, 0, 0, 2, 0, 0])
    #expect(noted.values[3].className == "Person" && noted.values[3].totalCount == 2)
  }

  @Test func aBlockThatWasWrittenForTheOriginalNeedsNoChange() throws {
    let block: @Sendable (Migration, UInt64) -> Void = { migration, oldSchemaVersion in
      if oldSchemaVersion < 1 {
        migration.enumerateObjects(ofType: Second.Person.className()) { oldObject, newObject in
          let firstName = oldObject!["first"] as! String
          let lastName = oldObject!["last"] as! String
          newObject!["fullName"] = "\(firstName) \(lastName)"
        }
      }
    }
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: file.url, schemaVersion: 1, migrationBlock: block, objectTypes: Second.types))
    #expect(realm.objects(Second.Person.self).map(\.fullName) == ["Ann Lee", "Bob Roe"])
  }
}
