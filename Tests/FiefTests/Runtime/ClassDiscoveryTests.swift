import Foundation
import RealmSwift
import Testing

// Classes are found by the compiler's metadata; these tests fail if a toolchain changes its form.
// Every class of all test files is in the default schema: one that breaks a rule has to leave itself out.

class DiscoveredBase: Object {
  @Persisted var base: Int
}

class DiscoveredHeir: DiscoveredBase {
  @Persisted var heir: Int
}

class DiscoveredPart: EmbeddedObject {
  @Persisted var text: String
}

private class DiscoveredPrivate: Object {
  @Persisted var part: DiscoveredPart?
}

enum DiscoveredNest {
  class DiscoveredNested: Object {
    @Persisted var number: Int
  }
}

class DiscoveredNotIncluded: Object {
  @Persisted var number: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class DiscoveredNoModel: Object {
  var nothing = 0
  override class func _realmIgnoreClass() -> Bool { true }
}

class DiscoveredGeneric<Value>: Object {
  @Persisted var number: Int
}

final class DiscoveredConcrete: DiscoveredGeneric<Int> {
  @Persisted var own: Int
}

enum DiscoveredFirst {
  class DiscoveredTwin: Object {
    @Persisted var number: Int
  }
}

enum DiscoveredSecond {
  class DiscoveredTwin: Object {
    @Persisted var number: Int
  }
}

class DiscoveredNextToTwin: Object {
  @Persisted var twin: DiscoveredFirst.DiscoveredTwin?
}

@Suite struct ClassDiscoveryTests {
  private func defaultRealm() throws -> Realm { try Realm(configuration: .inMemory()) }

  @Test func everyClassOfTheProgramIsInTheDefaultSchema() throws {
    let schema = try defaultRealm().schema
    for name in [
      "DiscoveredBase", "DiscoveredHeir", "DiscoveredPart", "DiscoveredPrivate", "DiscoveredNested",
      "DiscoveredConcrete",
    ] {
      #expect(schema[name] != nil, "\(name) was not found")
    }
    #expect(schema["DiscoveredHeir"]?.properties.map(\.name) == ["base", "heir"])
    #expect(schema["DiscoveredConcrete"]?.properties.map(\.name) == ["number", "own"])
    #expect(schema["DiscoveredPart"]?.isEmbedded == true)
  }

  @Test func classesThatWantToBeLeftOutAre() throws {
    let schema = try defaultRealm().schema
    for name in [
      "DiscoveredNotIncluded", "DiscoveredNoModel", "Object", "EmbeddedObject", "AsymmetricObject", "DynamicObject",
    ] {
      #expect(schema[name] == nil, "\(name) should not be there")
    }
    let realm = try Realm(configuration: .inMemory(objectTypes: [DiscoveredNotIncluded.self]))
    #expect(realm.schema["DiscoveredNotIncluded"] != nil)
  }

  @Test func classesOfOneNameAreLeftOutWithWhatLinksToThem() throws {
    let realm = try defaultRealm()
    #expect(realm.schema["DiscoveredTwin"] == nil && realm.schema["DiscoveredNextToTwin"] == nil)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.add(DiscoveredFirst.DiscoveredTwin()) }
    }
    #expect(error?.localizedDescription.contains("several classes of that name") == true)
    let other = #expect(throws: Realm.Error.self) { try realm.write { realm.add(DiscoveredNextToTwin()) } }
    #expect(other?.localizedDescription.contains("it links to 'DiscoveredTwin'") == true)
  }

  @Test func anObjectOfADiscoveredClassIsKept() throws {
    let realm = try defaultRealm()
    let object = DiscoveredPrivate()
    object.part = DiscoveredPart()
    try realm.write { realm.add(object) }
    #expect(realm.objects(DiscoveredPrivate.self).first?.part?.text.isEmpty == true)
  }
}
