import Foundation
import RealmSwift
import Testing

private enum Coat: String, PersistableEnum {
  case blank = ""
  case large
}

private class Place: EmbeddedObject {
  @Persisted var city = ""
}

private class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var nick: String?
  @Persisted var photo = Data()
  @Persisted var scan: Data?
  @Persisted var kind = Coat.large
  @Persisted var home: Place?
  @Persisted var friend: Dog?
  @Persisted var pups: List<Dog>
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var words: Map<String, String>
  @Persisted var maybe: Map<String, String?>
  @Persisted(originProperty: "pups") var parents: LinkingObjects<Dog>
}

/// `count` and `isEmpty` of strings, data and collections in typed conditions.
@Suite struct TextMemberTests {
  private func dogs() -> [Dog] {
    let (rex, bea, eve) = (Dog(), Dog(), Dog())
    rex.id = 0
    rex.name = "Rexé"
    rex.nick = ""
    rex.photo = Data([1, 2, 3])
    rex.scan = Data()
    rex.home = Place(value: ["city": "Oslo"])
    rex.friend = bea
    rex.pups.append(objectsIn: [bea, eve])
    rex.tags.append(objectsIn: ["", "tall"])
    rex.words["a"] = "long"
    rex.maybe["a"] = .some(nil)
    bea.id = 1
    bea.nick = "B"
    bea.kind = .blank
    bea.home = Place()
    bea.marks.insert(1)
    bea.words["a"] = ""
    bea.maybe["long key"] = ""
    eve.id = 2
    eve.name = "E"
    return [rex, bea, eve]
  }

  private typealias Condition = (Query<Dog>) -> Query<Bool>

  private let conditions: [(Condition, [Int])] = [
    ({ $0.name.isEmpty }, [1]),
    ({ !$0.name.isEmpty }, [0, 2]),
    ({ $0.name.count > 3 }, [0]),
    ({ $0.name.count == 4 && $0.photo.count == 3 }, [0]),
    ({ $0.name.count.contains(0...1) }, [1, 2]),
    ({ $0.name.count.in([1, 4]) }, [0, 2]),
    ({ $0.nick.isEmpty }, [0]),
    ({ $0.nick.count == 0 }, [0]),
    ({ $0.nick.count >= 0 }, [0, 1]),
    ({ $0.nick.count < $0.name.count }, [0]),
    ({ $0.photo.isEmpty }, [1, 2]),
    ({ $0.scan.isEmpty }, [0]),
    ({ $0.scan.count < 1 }, [0]),
    ({ $0.kind.rawValue.isEmpty }, [1]),
    ({ $0.kind.rawValue.count == 5 }, [0, 2]),
    ({ $0.home.city.isEmpty }, [1]),
    ({ $0.home.city.count == 4 }, [0]),
    ({ $0.friend.name.isEmpty }, [0]),
    ({ $0.friend.friend.name.isEmpty }, []),
    ({ $0.pups.name.isEmpty }, [0]),
    ({ $0.pups.name.count == 1 }, [0]),
    ({ ($0.pups.name.isEmpty && $0.pups.nick.count == 1).count == 1 }, [0]),
    ({ $0.parents.name.count > 3 }, [1, 2]),
    ({ $0.words["a"].count > 1 }, [0]),
    ({ $0.words["a"].isEmpty }, [1]),
    ({ $0.maybe["a"].isEmpty }, []),
    ({ $0.maybe["a"].count == 0 }, []),
    ({ $0.words.values.count == 4 }, [0]),
    ({ $0.words.values.isEmpty }, [1]),
    ({ $0.maybe.keys.count > 1 }, [1]),
    ({ $0.pups.isEmpty }, [1, 2]),
    ({ $0.tags.isEmpty }, [1, 2]),
    ({ $0.marks.isEmpty }, [0, 2]),
    ({ $0.parents.isEmpty }, [0]),
    ({ $0.words.isEmpty }, [2]),
    ({ $0.friend.pups.isEmpty }, [0, 1, 2]),
    ({ $0.friend.marks.isEmpty }, [1, 2]),
  ]

  @Test func textsAndCollectionsAreAskedHowLongTheyAre() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Place.self]))
    try realm.write { realm.add(dogs()) }
    for (number, (condition, expected)) in conditions.enumerated() {
      let text = condition(._constructForTesting())._constructPredicate().0
      let found = realm.objects(Dog.self).where(condition)
      #expect(found.map(\.id).sorted() == expected, "\(number): \(text)")
      #expect(realm.objects(Dog.self).filter(text).map(\.id).sorted() == expected, "\(text)")
    }
  }

  @Test func unmanagedObjectsAreAskedAlike() {
    let list = List<Dog>()
    list.append(objectsIn: dogs())
    for (condition, expected) in conditions {
      let text = condition(._constructForTesting())._constructPredicate().0
      // Unmanaged objects have no linking objects.
      if !text.contains("parents") { #expect(list.index(matching: condition) == expected.first, "\(text)") }
    }
  }

  @Test func elementsAreAskedHowLongTheyAre() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Place.self]))
    try realm.write { realm.add(dogs()) }
    let tags = realm.objects(Dog.self).first { $0.id == 0 }?.tags
    #expect(tags?.filter("SELF.@length == 4").map { $0 } == ["tall"])
    #expect(tags?.where { $0.isEmpty }.map { $0 } == [""])
    #expect(tags?.where { $0.count > 1 }.map { $0 } == ["tall"])
  }

  @Test func lengthsAreSortedByAndRefusedOfOtherTypes() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Place.self]))
    try realm.write { realm.add(dogs()) }
    let all = realm.objects(Dog.self)
    #expect(all.sorted(byKeyPath: "name.@length", ascending: false).map(\.id) == [0, 2, 1])
    for text in ["id.@length == 1", "pups.@length == 1", "name.@length.id == 1", "friend.@length == 1"] {
      #expect(throws: Realm.Error.self, "\(text)") { try all.filter(parsing: text) }
    }
  }
}
