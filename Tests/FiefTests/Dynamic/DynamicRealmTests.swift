import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private class Owner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(deleteRule: .cascade) var pets: List<Pet>
  @Persisted var home: Home?
  @Persisted var tags: MutableSet<String>
  @Persisted var sizes: Map<String, Int>
  @Persisted var extra: AnyRealmValue
}

private class Pet: Object {
  @Persisted var name = ""
  @Persisted var age: Int?
}

private class Home: EmbeddedObject {
  @Persisted var city = ""
}

private func withFile(_ body: (URL) throws -> Void) throws {
  try TemporaryFolder.with { folder in
    let url = folder.appendingPathComponent("owners.realm")
    do {
      let realm = try Realm(configuration: typed(url))
      try realm.write {
        realm.create(
          Owner.self,
          value: [
            "id": 1, "name": "Ann", "pets": [["name": "Rex", "age": 3] as [String: Any]], "home": ["city": "Rome"],
            "tags": ["a"], "sizes": ["x": 1], "extra": 1.5,
          ] as [String: Any])
      }
    }
    try body(url)
  }
}

private func typed(_ url: URL) -> Realm.Configuration {
  Realm.Configuration(fileURL: url, schemaVersion: 4, objectTypes: [Owner.self, Pet.self, Home.self])
}

@Suite struct DynamicRealmTests {
  @Test func aCopyOfADynamicObjectIsDynamic() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      let ann = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
      let other = try Realm(configuration: .inMemory(objectTypes: [Owner.self, Pet.self, Home.self]))
      let copy = try other.write { other.copy(ann) }
      #expect(copy.realm == other && copy.name as? String == "Ann")
      #expect(other.objects(Owner.self).first?.pets.first?.age == 3)
      #expect(other.objects(Owner.self).first?.home?.city == "Rome")
      // The program defines the class of this one.
      let rex = try #require(other.dynamicObjects("Pet").first)
      let twin = try other.write { other.copy(rex) }
      #expect(twin["name"] as? String == "Rex" && !twin.isSameObject(as: rex))
      #expect(other.objects(Pet.self).count == 2)
      let detached = twin.detached()
      let third = try other.write { other.copy(detached, properties: .only(\Pet.age)) }
      #expect(third["name"] as? String == "" && third["age"] as? Int == 3 && detached.realm == nil)
      try other.write { other.delete(rex) }
      let error = #expect(throws: Realm.Error.self) { try other.write { other.copy(rex) } }
      #expect("\(error as Any)".contains("deleted or invalidated"))
    }
  }

  @Test func aFileIsReadWithoutItsClasses() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      #expect(Set(realm.schema.objectSchema.map(\.className)) == ["Owner", "Pet", "Home"])
      #expect(realm.schema["Owner"]?.primaryKeyProperty?.name == "id")
      #expect(realm.schema["Home"]?.isEmbedded == true && realm.schema["Owner"]?.objectClass == DynamicObject.self)
      let ann = try #require(realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
      #expect(ann.name as? String == "Ann" && ann.extra as? Double == 1.5)
      #expect((ann["home"] as? DynamicObject)?.city as? String == "Rome")
      #expect((ann["pets"] as? List<DynamicObject>)?.first?.name as? String == "Rex")
      #expect((ann["tags"] as? MutableSet<String>)?.contains("a") == true)
      #expect((ann["sizes"] as? Map<String, Int>)?["x"] == 1)
      #expect(realm.dynamicObjects("Pet").filter("age > 2").count == 1)
      #expect(!realm.isEmpty)
    }
  }

  @Test func openingAndClosingChangesNothing() throws {
    try withFile { url in
      let (bytes, version) = (try Data(contentsOf: url), try schemaVersionAtURL(url))
      do { _ = try Realm(fileURL: url, dynamic: true).dump() }
      #expect(try Data(contentsOf: url) == bytes)
      #expect(try schemaVersionAtURL(url) == version && version == 4)
    }
  }

  @Test func theDefaultConfigurationDoesNotCompactAFileOfOthers() async {
    await #expect(processExitsWith: .success) {
      Realm.Configuration.defaultConfiguration.shouldCompactOnLaunch = { _, _ in true }
      try withFile { url in
        let bytes = try Data(contentsOf: url)
        try #require(try Realm(fileURL: url, dynamic: true, readOnly: true).dynamicObjects("Pet").count == 1)
        try #require(try Realm(fileURL: url, dynamic: true).dynamicObjects("Pet").count == 1)
        try #require(try Data(contentsOf: url) == bytes)
      }
    }
  }

  @Test func objectsAreCreatedChangedAndDeleted() throws {
    try withFile { url in
      do {
        let realm = try Realm(fileURL: url, dynamic: true)
        try realm.write {
          let bob = realm.dynamicCreate(
            "Owner",
            value: [
              "id": 2, "pets": [["name": "Max"]], "home": ["city": "Oslo"], "tags": ["b", "c"], "sizes": ["y": 2],
            ] as [String: Any])
          bob["name"] = "Bob"
          bob["extra"] = ["k": [1, 2]]
          realm.dynamicCreate("Owner", value: ["id": 1, "name": "Anna"] as [String: Any], update: .modified)
          let pet = realm.dynamicCreate("Pet", value: ["name": "Tom", "age": 1] as [String: Any])
          bob.dynamicList("pets").append(pet)
          (bob["home"] as? DynamicObject)?["city"] = "Bergen"
        }
        try realm.write { realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1).map(realm.delete) }
        #expect(realm.graph.checkInvariants().isEmpty)
      }
      // The classes see what was written without them, and their schema version has stayed.
      let realm = try Realm(configuration: typed(url))
      let bob = try #require(realm.object(ofType: Owner.self, forPrimaryKey: 2))
      #expect(realm.objects(Owner.self).count == 1 && bob.name == "Bob" && bob.home?.city == "Bergen")
      #expect(bob.pets.map(\.name) == ["Max", "Tom"] && bob.pets[0].age == nil && bob.tags.count == 2)
      // The delete rule of the class has deleted Ann's pet.
      #expect(realm.objects(Pet.self).where { $0.name == "Rex" }.isEmpty)
    }
  }

  @Test func badValuesFailTheWriteWithClassAndProperty() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      let before = realm.dump()
      let values: [(String, [String: Any], Realm.UpdatePolicy, String)] = [
        ("Pet", ["name": 3], .error, "Pet.name"), ("Pet", ["name": NSNull()], .error, "Pet.name"),
        ("Owner", ["id": 1], .error, "primary key"), ("Owner", ["id": "x"], .error, "Owner.id"),
        ("Owner", ["id": 5, "pets": [["age": 1.5]]], .error, "age"), ("Owner", ["id": 5, "home": 3], .error, "home"),
        ("Nobody", [:], .error, "Nobody"), ("Pet", [:], .all, "primary key"), ("Home", [:], .error, "Home"),
      ]
      for (name, value, policy, word) in values {
        let error = #expect(throws: Realm.Error.self, "\(name) \(value)") {
          try realm.write { _ = realm.dynamicCreate(name, value: value, update: policy) }
        }
        #expect(error?.localizedDescription.contains(word) == true, "\(name) \(value): \(error as Any)")
      }
      #expect(realm.dump() == before)
    }
  }

  @Test func anObjectThatCouldNotBeCreatedMayBeUsedInTheWrite() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      let before = realm.dump()
      let error = #expect(throws: Realm.Error(.invalidValue)) {
        try realm.write {
          let pet = realm.dynamicCreate("Pet", value: ["name": 3])
          pet["age"] = 1
          pet.name = "Max"
          #expect(pet.name == nil && pet["age"] == nil && pet.dynamicList("toys").isEmpty)
          realm.dynamicObject(ofType: "Owner", forPrimaryKey: 1)?.dynamicList("pets").append(pet)
        }
      }
      #expect(error?.localizedDescription.contains("Pet.name") == true && realm.dump() == before)
    }
  }

  @Test func anObjectOfAnotherClassIsNoTarget() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      #expect(throws: Realm.Error.self) {
        try realm.write {
          let owner = realm.dynamicCreate("Owner", value: ["id": 9])
          realm.dynamicCreate("Owner", value: ["id": 10, "pets": [owner]] as [String: Any])
        }
      }
    }
  }

  @Test func objectsAreCopiedBetweenDynamicRealmsAndRealmsOfClasses() throws {
    try withFile { url in
      let source = try Realm(fileURL: url, dynamic: true)
      let target = try Realm(configuration: .inMemory(objectTypes: [Owner.self, Pet.self, Home.self]))
      let ann = try #require(source.dynamicObject(ofType: "Owner", forPrimaryKey: 1))
      try target.write { _ = target.create(Owner.self, value: ann) }
      #expect(target.dump() == source.dump())
      var configuration = Realm.Configuration.inMemory(seedFilePath: url)
      configuration.dynamicSchema = schema
      configuration.schemaVersion = 4
      let other = try Realm(configuration: configuration)
      try other.write {
        other.deleteAll()
        other.dynamicCreate("Owner", value: ann)
      }
      #expect(other.dump() == source.dump())
    }
  }

  @Test func aMissingFileIsNotMade() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("none.realm")
      let error = #expect(throws: Realm.Error.self) { try Realm(fileURL: url, dynamic: true) }
      #expect(error?.code == .fileNotFound && !FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func classesAreRefusedWhileTheFileIsOpenWithoutThem() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      let error = #expect(throws: Realm.Error.self) { try Realm(configuration: typed(url)) }
      #expect(error?.code == .fail && error?.localizedDescription.contains("without classes") == true)
      withExtendedLifetime(realm) {}
    }
  }

  @Test func aFileThatIsOpenWithClassesShowsThemDynamically() throws {
    try withFile { url in
      let realm = try Realm(configuration: typed(url))
      let dynamic = try Realm(fileURL: url, dynamic: true)
      #expect(dynamic.dynamicObjects("Pet").count == 1 && dynamic == realm)
    }
  }

  @Test func aReadOnlyFileCanBeReadAndNotWritten() async throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true, readOnly: true)
      #expect(realm.dynamicObjects("Owner").count == 1)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withFile { url in try Realm(fileURL: url, dynamic: true, readOnly: true).write {} }
    }
    expectSentence("Cannot begin a write transaction: the realm was opened read-only", of: result)
  }

  @Test func aDynamicObjectWithoutAClassHasNoDocumentAndTraps() async {
    let document = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withFile { url in
        guard let ann = try Realm(fileURL: url, dynamic: true).dynamicObjects("Owner").first else { return }
        _ = ObjectDocument(ann)
      }
    }
    expectSentence("Object of class 'Owner' has no document: the program has no such class", of: document)
    let comparison = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withFile { url in
        let realm = try Realm(fileURL: url, dynamic: true)
        guard let ann = realm.dynamicObjects("Owner").first, let rex = realm.dynamicObjects("Pet").first else { return }
        _ = ann.isContentEqual(to: rex)
      }
    }
    expectSentence("Object of class 'Owner' has no document: the program has no such class", of: comparison)
  }

  @Test func aClassOfTheProgramTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withFile { url in _ = try Realm(fileURL: url, dynamic: true).objects(Pet.self).count }
    }
    expectSentence("is not managed by the Realm: it was opened without classes", of: result)
  }

  @Test func aDynamicObjectIsObservedAndFrozen() throws {
    try withFile { url in
      let realm = try Realm(fileURL: url, dynamic: true)
      let frozen = try #require(realm.dynamicObjects("Owner").first).freeze()
      try realm.write { realm.dynamicObjects("Owner").first?["name"] = "New" }
      #expect(frozen.name as? String == "Ann" && frozen.thaw()?.name as? String == "New")
    }
  }
}

private let schema = DynamicSchema([
  .init(
    "Owner", primaryKey: "id",
    [
      .init("id", .int), .init("name", .string), .init("pets", .object, .list, linkingTo: "Pet", deleteRule: .cascade),
      .init("home", .object, linkingTo: "Home"), .init("tags", .string, .set), .init("sizes", .int, .map),
      .init("extra", .any),
    ]), .init("Pet", [.init("name", .string), .init("age", .int, isOptional: true)]),
  .init("Home", isEmbedded: true, [.init("city", .string)]),
])

@Suite struct DynamicSchemaTests {
  private func open(_ schema: DynamicSchema) throws -> Realm {
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = schema
    return try Realm(configuration: configuration)
  }

  @Test func aSchemaIsBuiltAtRunTimeAndFitsTheClasses() throws {
    try TemporaryFolder.with { folder in
      var configuration = Realm.Configuration(fileURL: folder.appendingPathComponent("made.realm"))
      configuration.dynamicSchema = schema
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          realm.dynamicCreate("Owner", value: ["id": 1, "pets": [["name": "Rex"]]] as [String: Any])
        }
      }
      configuration.dynamicSchema = nil
      configuration.objectTypes = [Owner.self, Pet.self, Home.self]
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Owner.self).first?.pets.first?.name == "Rex")
    }
  }

  @Test func allTypesCollectionsAndIndexesAreDescribedAgain() throws {
    var properties: [DynamicSchema.Property] = []
    for type in PropertyType.allCases where type != .linkingObjects {
      for collection in DynamicSchema.Collection.allCases {
        properties.append(
          .init(
            "\(type.rawValue)\(collection)", type, collection, isOptional: collection != .set,
            linkingTo: type == .object ? "All" : nil))
      }
    }
    properties.append(.init("words", .string, index: .fullText))
    properties.append(.init("email", .string, index: .unique))
    let realm = try open(
      DynamicSchema([.init("All", properties, compoundIndexes: [CompoundIndex("words", "email", unique: true)])]))
    let described = try #require(realm.schema["All"])
    for property in properties {
      let found = try #require(described[property.name])
      #expect(found.type == property.type && found.isArray == (property.collection == .list))
      #expect(found.isSet == (property.collection == .set) && found.isMap == (property.collection == .map))
      #expect(found.objectClassName == property.objectClassName)
    }
    try realm.write { realm.dynamicCreate("All", value: ["email": "a", "words": "x"]) }
    #expect(throws: Realm.Error.self) { try realm.write { realm.dynamicCreate("All", value: ["email": "a"]) } }
    #expect(realm.dynamicObjects("All").filter("words CONTAINS 'x'").count == 1)
  }

  @Test func everyProblemOfASchemaIsNamed() throws {
    let schema = DynamicSchema([
      .init("A", primaryKey: "none", []), .init("A", [.init("x", .int), .init("x", .int)]),
      .init("fief.secret", [.init("x", .int)]), .init("", [.init("", .int)]),
      .init(String(repeating: "n", count: 58), [.init(String(repeating: "p", count: 64), .int)]),
      .init("E", primaryKey: "k", isEmbedded: true, [.init("k", .double)]),
      .init(
        "L",
        [
          .init("a", .object), .init("b", .object, linkingTo: "Nobody"), .init("c", .object, .set, linkingTo: "E"),
          .init("d", .int, linkingTo: "E"), .init("e", .int, deleteRule: .deny), .init("f", .linkingObjects),
          .init("g", .data, index: .plain), .init("h", .int, index: .fullText), .init("i", .int, .list, index: .unique),
        ], compoundIndexes: [CompoundIndex("a"), CompoundIndex("g", "zz")]),
    ])
    let error = #expect(throws: Realm.Error.self) { try open(schema) }
    let text = try #require(error?.localizedDescription)
    #expect(error?.code == .fail)
    for word in [
      "two classes named 'A'", "'none'", "'A.x' is declared twice", "fief.", "1 to 57", "1 to 63", "Embedded class 'E'",
      "'E.k' cannot be the primary key", "'L.a' is a link without", "'Nobody'", "'L.c' cannot be a set",
      "'L.d' names a class", "'L.e' has a delete rule", "'L.f'", "'L.g' cannot be indexed", "'L.h'", "'L.i'", "'zz'",
    ] {
      #expect(text.contains(word), "\(word): \(text)")
    }
  }

  @Test func namesWithControlCharactersAndTooManyPropertiesAreRefused() throws {
    let wide = (0...4096).map { DynamicSchema.Property("p\($0)", .int) }
    let schema = DynamicSchema([
      .init("Be\u{7}ll", [.init("a\u{1B}[31m", .int), .init("li\u{2028}ne", .int), .init("\u{202E}back", .int)]),
      .init("Wide", wide), .init("Good 🐕‍🦺", [.init("größe", .int)]),
    ])
    let text = schema.problems.joined(separator: "\n")
    for word in ["\\u{7}", "\\u{1B}", "\\u{2028}", "\\u{202E}", "'Wide' has 4097 properties, and at most 4096"] {
      #expect(text.contains(word), "\(word): \(text)")
    }
    #expect(schema.problems.count == 5)
    #expect(try open(DynamicSchema([.init("Wide", Array(wide.dropLast()))])).schema["Wide"]?.properties.count == 4096)
  }

  @Test func aDifferentFileIsRefusedUntilTheVersionIsRaised() throws {
    try withFile { url in
      var changed = schema
      changed.classes[1].properties.append(.init("weight", .double))
      var configuration = Realm.Configuration(fileURL: url, schemaVersion: 4)
      configuration.dynamicSchema = changed
      let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
      #expect(error?.code == .schemaMismatch && error?.localizedDescription.contains("Pet.weight") == true)
      configuration.schemaVersion = 5
      let reopened = try Realm(configuration: configuration)
      #expect(reopened.dynamicObjects("Pet").first?.weight as? Double == 0)
    }
  }

  @Test func conflictsOfTheConfigurationAreNamed() throws {
    func error(_ change: (inout Realm.Configuration) -> Void) -> String {
      var configuration = Realm.Configuration.inMemory()
      change(&configuration)
      do {
        _ = try Realm(configuration: configuration)
        return ""
      } catch { return "\(error)" }
    }
    #expect(error { ($0.dynamicSchema, $0.objectTypes) = (schema, [Pet.self]) }.contains("objectTypes"))
    #expect(error { $0.readOnly = true }.contains("readOnly"))
    #expect(error { $0.outboxLimit = -1 }.contains("outboxLimit"))
    #expect(error { ($0.dynamicSchema, $0.ingestHandler) = (schema, { _ in }) }.contains("ingestHandler"))
    let deleting = error { ($0.readOnly, $0.deleteRealmIfMigrationNeeded) = (true, true) }
    #expect(deleting.contains("deleteRealmIfMigrationNeeded"))
    let compacting = error { ($0.readOnly, $0.shouldCompactOnLaunch) = (true, { _, _ in true }) }
    #expect(compacting.contains("shouldCompactOnLaunch"))
  }
}
