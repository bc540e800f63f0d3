import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var friends: List<Dog>
}

private class Cat: Object {
  @Persisted var name = ""
}

/// The class `Dog` with another property.
private enum Later {
  class Dog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var friends: List<Dog>
    @Persisted var color = "brown"

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

/// A separate folder for each test, which is removed afterwards.
private final class Folder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }

  func configuration(
    _ history: Realm.Configuration.History, _ classes: [ObjectBase.Type] = [Dog.self]
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url.appendingPathComponent("dogs.realm"), objectTypes: classes)
    configuration.history = history
    return configuration
  }
}

@Suite("A history in the file")
struct DurableHistoryTests {
  /// Writes versions of two dogs, and returns the version after the first write.
  private func fill(_ configuration: Realm.Configuration, compacting: Bool) throws -> UInt64 {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(Dog.self, value: ["id": 1, "name": "Rex", "age": 3] as [String: Any])
      realm.create(Dog.self, value: ["id": 2, "name": "Tim", "age": 4] as [String: Any])
    }
    let version = realm.version
    try realm.write {
      let rex = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
      rex.age = 4
      rex.friends.append(realm.create(Dog.self, value: ["id": 3, "name": "Zed"] as [String: Any]))
    }
    if compacting { try realm.compact() }
    try realm.write { if let tim = realm.object(ofType: Dog.self, forPrimaryKey: 2) { realm.delete(tim) } }
    return version
  }

  private func check(_ changes: RealmChanges) throws {
    #expect(changes.isComplete && changes.map(\.className) == ["Dog"])
    let dogs = try #require(changes["Dog"])
    #expect(dogs.insertions.map { $0["id"] as? Int } == [3])
    #expect(dogs.deletions.map { $0["name"] as? String } == ["Tim"])
    let rex = try #require(dogs.modifications.first)
    #expect(rex.properties.map(\.name) == ["age", "friends"])
    #expect(rex.properties[0].oldValue as? Int == 3 && rex.properties[0].newValue as? Int == 4)
    #expect(rex.oldObject.dynamicList("friends").isEmpty && rex.object.dynamicList("friends").count == 1)
  }

  @Test(arguments: [false, true])
  func `changes since a version are known after reopening, and numbers mean the same versions`(
    compacting: Bool
  ) throws {
    let folder = try Folder()
    let configuration = folder.configuration(.versions(100))
    let version = try fill(configuration, compacting: compacting)
    for _ in 0..<2 {
      let realm = try Realm(configuration: configuration)
      #expect(realm.version == version + 2)
      try check(realm.changes(since: version))
      #expect(realm.changes(since: 0)["Dog"]?.insertions.count == 2)
      #expect(!realm.changes(since: version + 3).isComplete)
      try realm.compact()
    }
    #expect(folder.names == ["dogs.realm", "dogs.realm.journal", "dogs.realm.lock", "dogs.realm.history"])
  }

  @Test func `a read-only realm knows the versions, and writes nothing`() throws {
    let folder = try Folder()
    var configuration = folder.configuration(.versions(100))
    let version = try fill(configuration, compacting: true)
    configuration.readOnly = true
    try check(try Realm(configuration: configuration).changes(since: version))
  }

  @Test func `a new version continues the numbers, and the changes lead over closings`() throws {
    let folder = try Folder()
    let configuration = folder.configuration(.versions(100))
    let version = try fill(configuration, compacting: true)
    for age in 10..<15 {
      let realm = try Realm(configuration: configuration)
      let before = realm.version
      try realm.write { realm.object(ofType: Dog.self, forPrimaryKey: 1)?.age = age }
      #expect(realm.version == before + 1)
      if age.isMultiple(of: 2) { try realm.compact() }
    }
    let realm = try Realm(configuration: configuration)
    let change = try #require(realm.changes(since: version)["Dog"]?.modifications.first?.properties.first)
    #expect(change.oldValue as? Int == 3 && change.newValue as? Int == 14)
  }

  @Test func `versions beyond the limit are not known after reopening`() throws {
    let folder = try Folder()
    let configuration = folder.configuration(.versions(2))
    let version = try fill(configuration, compacting: true)
    let realm = try Realm(configuration: configuration)
    #expect(realm.changes(since: version).isComplete)
    #expect(!realm.changes(since: version - 1).isComplete)
  }

  @Test func `a new class keeps the history, and a new property ends it`() throws {
    let folder = try Folder()
    let version = try fill(folder.configuration(.versions(100)), compacting: true)
    do {
      let realm = try Realm(configuration: folder.configuration(.versions(100), [Dog.self, Cat.self]))
      #expect(realm.version == version + 3)
      try check(realm.changes(since: version))
      try realm.write { _ = realm.create(Cat.self, value: ["name": "Tom"]) }
      #expect(realm.changes(since: version).map(\.className) == ["Cat", "Dog"])
    }
    var configuration = folder.configuration(.versions(100), [Later.Dog.self, Cat.self])
    configuration.schemaVersion = 1
    let after: UInt64
    let old: String?
    do {
      let realm = try Realm(configuration: configuration)
      after = realm.version
      #expect(!realm.changes(since: after - 1).isComplete && realm.changes(since: after).isComplete)
      old = realm.object(ofType: Later.Dog.self, forPrimaryKey: 1)?.color
      try realm.write { realm.object(ofType: Later.Dog.self, forPrimaryKey: 1)?.color = "black" }
      try realm.compact()
    }
    let realm = try Realm(configuration: configuration)
    #expect(!realm.changes(since: after - 1).isComplete)
    let change = try #require(realm.changes(since: after)["Dog"]?.modifications.first?.properties.first)
    #expect(change.oldValue as? String == old && old != "black" && change.newValue as? String == "black")
  }

  @Test func `a realm that is opened again has nothing to undo`() throws {
    let folder = try Folder()
    let configuration = folder.configuration(.versions(100))
    _ = try fill(configuration, compacting: true)
    let realm = try Realm(configuration: configuration)
    #expect(!realm.canUndo)
    #expect(throws: Realm.Error(.nothingToUndo)) { try realm.undo() }
    try realm.write { realm.object(ofType: Dog.self, forPrimaryKey: 1)?.age = 9 }
    try realm.undo()
    #expect(realm.object(ofType: Dog.self, forPrimaryKey: 1)?.age == 4)
  }

  @Test func `a lost history costs the earlier versions, not the data`() throws {
    let folder = try Folder()
    let configuration = folder.configuration(.versions(100))
    let version = try fill(configuration, compacting: true)
    let file = folder.url.appendingPathComponent("dogs.realm.history")
    try Data("nonsense".utf8).write(to: file)
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).count == 2 && !realm.changes(since: version).isComplete)
      #expect(realm.changes(since: version + 1)["Dog"]?.deletions.count == 1)
    }
    let url = try #require(configuration.fileURL)
    #expect(try Realm.verify(fileURL: url).doubts.count == 1)
    #expect(try Realm.deleteFiles(for: configuration))
    // The nonsense is not the realm's.
    #expect(folder.names == ["dogs.realm.history", "dogs.realm.lock"])
  }

  @Test func `a realm without a history has no history file`() throws {
    let folder = try Folder()
    let version = try fill(folder.configuration(.none), compacting: true)
    #expect(folder.names == ["dogs.realm", "dogs.realm.journal", "dogs.realm.lock"])
    #expect(try !Realm(configuration: folder.configuration(.none)).changes(since: version).isComplete)
  }
}
