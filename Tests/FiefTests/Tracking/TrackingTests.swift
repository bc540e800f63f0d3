import FiefTestSupport
import Foundation
import Observation
import RealmSwift
import Synchronization
import Testing

private class Tag: EmbeddedObject {
  @Persisted var text = ""
}

private class Nest: EmbeddedObject {
  @Persisted var size = 0
  @Persisted var inner: Nest?
}

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var tag: Tag?
  @Persisted var nest: Nest?
  @Persisted var mother: Dog?
  @Persisted var toys: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var sizes: Map<String, Int>
  @Persisted var anything: AnyRealmValue
  @Persisted(originProperty: "mother") var puppies: LinkingObjects<Dog>
}

private class DogView: Projection<Dog> {
  @Projected(\Dog.name) var title
}

@Observable private final class Model {
  var count = 0
}

/// Counts the notifications of tracking scopes.
private final class Notified: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func note() { number.withLock { $0 += 1 } }

  /// Runs a scope.
  @discardableResult
  func track<Result>(_ scope: () -> Result) -> Result { withObservationTracking(scope) { self.note() } }
}

@Suite struct TrackingTests {
  private let realm: Realm
  private let dog: Dog

  init() throws {
    realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Tag.self, Nest.self]))
    dog = try realm.write { [realm] in
      realm.create(
        Dog.self,
        value: [
          "id": 1, "name": "Rex", "age": 3, "toys": ["ball"], "marks": [1], "sizes": ["S": 1], "tag": ["text": "t"],
          "anything": [1, 2],
        ] as [String: Any])
    }
  }

  /// Whether a change notifies a scope that reads.
  private func notifies(_ change: () throws -> Void, _ read: () -> Void) throws -> Bool {
    let notified = Notified()
    notified.track(read)
    try realm.write(change)
    #expect(notified.count < 2, "A scope is notified once.")
    return notified.count == 1
  }

  @Test func aScopeIsNotifiedOfThePropertiesThatItReadAndOfNoOthers() throws {
    #expect(
      try notifies {
        dog.name = "Max"
      } _: {
        _ = dog.name
      })
    #expect(
      try !notifies {
        dog.age = 4
      } _: {
        _ = dog.name
      })
    #expect(
      try !notifies {
        dog.name = "Max"
      } _: {
        _ = dog.name
      }, "An equal value is no change.")
    #expect(
      try notifies {
        dog.age = 5
      } _: {
        _ = (dog.name, dog.age)
      })
  }

  @Test func aFrozenCollectionIsReadWithAllPartsOfItsObjects() throws {
    let nests = (0..<9).map { _ in Nest() }
    for (outer, inner) in zip(nests, nests.dropFirst()) { outer.inner = inner }
    try realm.write { dog.nest = nests[0] }
    let views: [(name: String, freeze: () -> AnyHashable)] = [
      ("object", { [dog] in Frozen(dog) }), ("all", { [realm] in Frozen(realm.objects(Dog.self)) }),
      ("query", { [realm] in Frozen(realm.objects(Dog.self).where { $0.age > 1 }) }),
      ("view", { [realm] in Frozen(realm.objects(Dog.self).sorted(by: \.age)) }),
    ]
    for view in views {
      let before = view.freeze()
      #expect(
        try notifies {
          nests[8].size += 1
        } _: {
          _ = view.freeze()
        }, "\(view.name)")
      #expect(view.freeze() != before, "\(view.name)")
    }
  }

  @Test func anotherObjectOfTheClassIsAnotherThing() throws {
    let other = try realm.write { realm.create(Dog.self, value: ["id": 2]) }
    #expect(
      try !notifies {
        other.name = "Max"
      } _: {
        _ = dog.name
      })
    #expect(
      try notifies {
        other.name = "Rex"
      } _: {
        _ = (dog.name, other.name)
      })
  }

  @Test func aScopeIsNotifiedThroughLinks() throws {
    let mother = try realm.write { realm.create(Dog.self, value: ["id": 2, "name": "Luna"]) }
    #expect(
      try notifies {
        dog.mother = mother
      } _: {
        _ = dog.mother?.name
      })
    #expect(
      try notifies {
        mother.name = "Stella"
      } _: {
        _ = dog.mother?.name
      })
    #expect(
      try !notifies {
        mother.age = 9
      } _: {
        _ = dog.mother?.name
      })
    #expect(
      try notifies {
        dog.tag?.text = "new"
      } _: {
        _ = dog.tag?.text
      })
    #expect(
      try notifies {
        dog.tag = nil
      } _: {
        _ = dog.tag?.text
      })
  }

  @Test func aScopeIsNotifiedThroughCollections() throws {
    #expect(
      try notifies {
        dog.toys.append("bone")
      } _: {
        _ = dog.toys.count
      })
    #expect(
      try notifies {
        dog.toys[0] = "rope"
      } _: {
        for toy in dog.toys { _ = toy }
      })
    #expect(
      try notifies {
        dog.marks.insert(7)
      } _: {
        _ = dog.marks.contains(7)
      })
    #expect(
      try notifies {
        dog.sizes["L"] = 2
      } _: {
        _ = dog.sizes["S"]
      })
    #expect(
      try !notifies {
        dog.toys.append("stick")
      } _: {
        _ = (dog.marks.count, dog.sizes.keys, dog.name)
      })
    #expect(
      try !notifies {
        dog.toys.append("stone")
      } _: {
        _ = dog.toys
      }, "The elements were not read.")
    #expect(
      try notifies {
        dog.toys.append("x")
      } _: {
        _ = dog.toys.filter("SELF == 'x'").count
      })
    #expect(
      try !notifies {
        dog.toys.append("y")
      } _: {
        _ = dog.toys.filter("SELF == 'x'").count
      })
    #expect(
      try notifies {
        dog.toys.removeAll()
      } _: {
        _ = dog.toys.first
      })
  }

  @Test func aScopeIsNotifiedThroughCollectionsInAnyValues() throws {
    #expect(
      try notifies {
        dog.anything.listValue?.append(.int(3))
      } _: {
        _ = dog.anything.listValue?.count
      })
    #expect(
      try !notifies {
        dog.anything.listValue?.append(.int(4))
      } _: {
        _ = dog.name
      })
    #expect(
      try notifies {
        dog.anything = .int(3)
      } _: {
        _ = dog.anything.listValue?.first
      })
  }

  @Test func aScopeIsNotifiedWhenOtherElementsAreInResults() throws {
    let old = realm.objects(Dog.self).where { $0.age > 10 }
    #expect(
      try notifies {
        realm.create(Dog.self, value: ["id": 2])
      } _: {
        _ = realm.objects(Dog.self).count
      })
    #expect(
      try !notifies {
        dog.age = 4
      } _: {
        _ = realm.objects(Dog.self).count
      })
    #expect(
      try notifies {
        dog.age = 11
      } _: {
        _ = old.isEmpty
      })
    #expect(
      try !notifies {
        dog.age = 12
      } _: {
        _ = old.count
      })
    #expect(
      try !notifies {
        realm.create(Dog.self, value: ["id": 3])
      } _: {
        _ = old.first
      })
    #expect(
      try notifies {
        realm.create(Dog.self, value: ["id": 4, "age": 20])
      } _: {
        for dog in old { _ = dog }
      })
    #expect(
      try notifies {
        realm.delete(dog)
      } _: {
        _ = old.count
      })
  }

  @Test func theOrderOfSortedResultsCounts() throws {
    let other = try realm.write { realm.create(Dog.self, value: ["id": 2, "name": "Ada", "age": 5]) }
    let sorted = realm.objects(Dog.self).sorted(by: \.age)
    #expect(
      try !notifies {
        other.age = 6
      } _: {
        _ = sorted.first
      })
    #expect(
      try notifies {
        other.age = 1
      } _: {
        _ = sorted.first
      })
    #expect(
      try notifies {
        other.name = "Zoe"
      } _: {
        _ = sorted.first?.name
      })
  }

  @Test func valuesThatAnAggregateOrASectionReadsCount() throws {
    let all = realm.objects(Dog.self)
    #expect(
      try notifies {
        dog.age = 4
      } _: {
        _ = all.sum(of: \.age)
      })
    #expect(
      try notifies {
        dog.age = 5
      } _: {
        _ = all.where { $0.age > 0 }.max(of: \.age)
      })
    let sections = all.sectioned(by: { (dog: Dog) in String(dog.name.prefix(1)) }, sortDescriptors: ["name"])
    _ = sections.count
    #expect(
      try notifies {
        dog.name = "Max"
      } _: {
        _ = sections.map(\.key)
      })
    #expect(
      try notifies {
        dog.name = "Bo"
      } _: {
        _ = all.grouped(by: \Dog.name).count
      })
    #expect(
      try notifies {
        dog.toys.append("bone")
      } _: {
        _ = dog.toys.max()
      })
  }

  @Test func aScopeIsNotifiedThroughBacklinksAndProjections() throws {
    let puppy = try realm.write { realm.create(Dog.self, value: ["id": 2]) }
    #expect(
      try notifies {
        puppy.mother = dog
      } _: {
        _ = dog.puppies.count
      })
    #expect(
      try !notifies {
        puppy.name = "Bo"
      } _: {
        _ = dog.puppies.count
      })
    #expect(
      try notifies {
        puppy.name = "Fay"
      } _: {
        _ = dog.puppies.first?.name
      })
    let view = DogView(projecting: dog)
    #expect(
      try notifies {
        dog.name = "Max"
      } _: {
        _ = view.title
      })
    #expect(
      try !notifies {
        dog.age = 7
      } _: {
        _ = view.title
      })
  }

  @Test func aDeletionNotifiesThoseWhoReadAnythingOfTheObject() throws {
    let other = try realm.write { realm.create(Dog.self, value: ["id": 2]) }
    #expect(
      try !notifies {
        realm.delete(other)
      } _: {
        _ = (dog.name, dog.isInvalidated)
      })
    #expect(
      try notifies {
        realm.delete(dog)
      } _: {
        _ = dog.isInvalidated
      })
    #expect(dog.isInvalidated)
  }

  @Test func aSearchByPrimaryKeyIsARead() throws {
    func find(_ id: Int) -> Dog? { realm.object(ofType: Dog.self, forPrimaryKey: id) }
    #expect(
      try !notifies {
        realm.create(Dog.self, value: ["id": 2])
      } _: {
        _ = find(3)
      })
    #expect(
      try notifies {
        realm.create(Dog.self, value: ["id": 3])
      } _: {
        _ = find(3)
      })
    #expect(
      try !notifies {
        dog.name = "Max"
      } _: {
        _ = find(1)
      })
    #expect(
      try notifies {
        realm.delete(dog)
      } _: {
        _ = find(1)
      })
  }

  @Test func untypedReadsCount() throws {
    #expect(
      try notifies {
        dog.name = "Max"
      } _: {
        _ = dog["name"]
      })
    #expect(
      try notifies {
        dog.age = 4
      } _: {
        _ = dog.value(forKey: "age")
      })
    let dynamic = realm.dynamicObjects("Dog")
    #expect(
      try notifies {
        dog.age = 5
      } _: {
        _ = dynamic.first?["age"]
      })
    #expect(
      try !notifies {
        dog.age = 6
      } _: {
        _ = dynamic.first?["name"]
      })
    #expect(
      try notifies {
        dog.toys.append("rope")
      } _: {
        _ = (dynamic.first?["toys"] as? List<String>)?.count
      })
  }

  @Test func whatReadsEverythingIsNotifiedOfEverything() throws {
    #expect(
      try notifies {
        dog.age = 4
      } _: {
        _ = realm.version
      })
    #expect(
      try notifies {
        realm.create(Dog.self, value: ["id": 2])
      } _: {
        _ = realm.isEmpty
      })
    #expect(
      try notifies {
        dog.age = 6
      } _: {
        _ = dog.detached()
      })
  }

  @Test func frozenObjectsNeverNotify() throws {
    let frozen = dog.freeze()
    #expect(
      try !notifies {
        dog.name = "Max"
      } _: {
        _ = (frozen.name, frozen.toys.count)
      })
    let results = realm.objects(Dog.self).freeze()
    #expect(
      try !notifies {
        realm.create(Dog.self, value: ["id": 2])
      } _: {
        _ = results.count
      })
  }

  @Test func unmanagedObjectsAreReadAsBefore() {
    let notified = Notified()
    let dog = Dog(value: ["name": "Rex"])
    #expect(notified.track { dog.name + "\(dog.toys.count)" } == "Rex0")
    dog.name = "Max"
    #expect(notified.count == 0)
  }

  @Test func aScopeIsNotifiedOnceAndMayBeRunAgain() throws {
    let notified = Notified()
    for round in 1...5 {
      notified.track { _ = dog.age }
      try realm.write { dog.age += 1 }
      try realm.write { dog.age += 1 }
      #expect(notified.count == round)
    }
  }

  @Test func equalScopesOneAfterTheOtherAreKeptApart() throws {
    let notified = (0..<100).map { _ in Notified() }
    let dogs = try realm.write { (100..<200).map { realm.create(Dog.self, value: ["id": $0]) } }
    for (dog, notified) in zip(dogs, notified) { notified.track { _ = dog.name } }
    try realm.write { dogs[17].name = "Max" }
    #expect(notified.enumerated().filter { $1.count > 0 }.map(\.offset) == [17])
    try realm.write { for dog in dogs { dog.name = "Bo" } }
    #expect(notified.allSatisfy { $0.count == 1 })
  }

  @Test func whatANestedScopeReadsIsReadByTheOuterOneToo() throws {
    let (outer, inner) = (Notified(), Notified())
    outer.track {
      _ = dog.name
      inner.track { _ = dog.age }
    }
    try realm.write { dog.age = 4 }
    #expect(inner.count == 1 && outer.count == 1)
  }

  @Test func severalRealmsAndOtherObservableThingsInOneScope() throws {
    let second = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Tag.self, Nest.self]))
    let other = try second.write { second.create(Dog.self, value: ["id": 1]) }
    let model = Model()
    for change in 0..<4 {
      let notified = Notified()
      notified.track {
        for _ in 0..<3 { _ = (dog.name, model.count, other.age, dog.age) }
      }
      switch change {
      case 0: try realm.write { dog.age += 1 }
      case 1: try second.write { other.age += 1 }
      case 2: model.count += 1
      default:
        try realm.write { dog.toys.append("rope") }
        try second.write { other.name += "x" }
      }
      #expect(notified.count == (change == 3 ? 0 : 1))
    }
  }

  @Test func aScopeInAWriteIsNotifiedWhenTheWriteEnds() throws {
    let notified = Notified()
    realm.beginWrite()
    dog.age = 10
    notified.track { _ = dog.age }
    #expect(notified.count == 0)
    realm.cancelWrite()
    #expect(notified.count == 1 && dog.age == 3)
    try realm.write {
      dog.age = 10
      notified.track { _ = dog.age }
    }
    #expect(notified.count == 2)
  }

  @Test func aRollbackNotifiesNobodyElse() throws {
    let notified = Notified()
    notified.track { _ = dog.age }
    realm.beginWrite()
    dog.age = 10
    realm.cancelWrite()
    #expect(notified.count == 0)
    try realm.write { dog.age = 11 }
    #expect(notified.count == 1)
  }

  @Test func invalidatingTheRealmNotifiesAll() throws {
    let notified = Notified()
    notified.track { _ = realm.objects(Dog.self).first?.name }
    realm.invalidate()
    #expect(notified.count == 1)
  }

  @Test func theBlockMayReadAndWrite() throws {
    let seen = Mutex<[Int]>([])
    let configuration = realm.configuration
    withObservationTracking {
      _ = dog.age
    } onChange: {
      // The block runs where the realm is, when it shows the change.
      let realm = try? Realm(configuration: configuration)
      try? realm?.write { realm?.objects(Dog.self).first?.name = "changed" }
      seen.withLock { $0.append(realm?.objects(Dog.self).first?.age ?? 0) }
    }
    try realm.write { dog.age = 4 }
    #expect(seen.withLock { $0 } == [4])
    #expect(dog.name == "changed")
  }

  @Test func theCommitOfAnotherRealmNotifiesWhenThisOneAdvances() async throws {
    let notified = Notified()
    let configuration = realm.configuration
    notified.track { _ = (dog.name, realm.objects(Dog.self).count) }
    let other = DispatchQueue(label: "other")
    try other.sync {
      let realm = try Realm(configuration: configuration, queue: other)
      try realm.write { realm.objects(Dog.self).first?.age = 9 }
    }
    realm.refresh()
    #expect(notified.count == 0)
    try other.sync {
      let realm = try Realm(configuration: configuration, queue: other)
      try realm.write { realm.objects(Dog.self).first?.name = "Max" }
    }
    #expect(notified.count == 0)
    realm.refresh()
    #expect(notified.count == 1)
  }

  private static let reads: [(String, @Sendable (Dog) -> Void)] = [
    ("nothing", { _ in }),
    ("a property", { _ = $0.name }),
    ("a collection", { _ = $0.toys.count }),
    ("a view of a collection", { _ = $0.toys.sorted().first }),
    ("all objects", { _ = $0.realm?.objects(Dog.self).count }),
    ("some objects", { _ = $0.realm?.objects(Dog.self).where { $0.age == 0 }.count }),
    ("sorted objects", { _ = $0.realm?.objects(Dog.self).where { $0.age == 0 }.sorted(by: \.name).first }),
    ("backlinks", { _ = $0.puppies.count }),
    ("a sum", { _ = $0.realm?.objects(Dog.self).sum(of: \.age) }),
    ("a search", { _ = $0.realm?.object(ofType: Dog.self, forPrimaryKey: 7) }),
    ("objects that the program tests", { _ = $0.realm?.objects(Dog.self).filter { $0.age == 0 }.count }),
    ("everything", { _ = $0.realm?.isEmpty }),
  ]

  /// A scope that is never notified would otherwise keep the realm open for ever.
  @Test(arguments: reads.indices) func trackingKeepsNoRealmOpen(_ index: Int) throws {
    let (name, read) = Self.reads[index]
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "\(#function) \(index)", objectTypes: [Dog.self, Tag.self, Nest.self])
    func use() throws {
      let realm = try Realm(configuration: configuration)
      let dog = try realm.write { realm.create(Dog.self, value: ["id": 1, "toys": ["ball"]]) }
      withObservationTracking {
        read(dog)
      } onChange: {
      }
    }
    try use()
    let again = try Realm(configuration: configuration)
    #expect(again.isEmpty, "The realm in memory was not closed after a read of \(name).")
  }
}
