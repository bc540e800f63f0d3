import Foundation
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name: String?
  @Persisted var age: Int?
  @Persisted var weight: Decimal128?
  @Persisted var born: Date?
  @Persisted var toy: Toy?
}

private class Toy: Object {
  @Persisted var name: String?
}

private class Owner: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var dog: Dog?
}

private class Heir: Owner {}

/// Rows whose path leads over a null link stand at the end of an ascending order, and rows with null at its beginning.
@MainActor @Suite struct SortingThroughLinksTests {
  private let realm: Realm

  /// Owners: a has dog 3, b none, c dog 1, n a dog without anything, z none.
  init() throws {
    realm = try Realm(
      configuration: .inMemory(objectTypes: [Dog.self, Toy.self, Owner.self, Heir.self]))
    try realm.write {
      func dog(_ number: Int) -> [String: Any] {
        [
          "id": "\(number)", "name": "\(number)", "age": number, "weight": number,
          "born": Date(timeIntervalSince1970: Double(number)), "toy": ["name": "\(number)"],
        ]
      }
      realm.create(Owner.self, value: ["id": "a", "dog": dog(3)] as [String: Any])
      realm.create(Owner.self, value: ["id": "b"])
      realm.create(Owner.self, value: ["id": "c", "dog": dog(1)] as [String: Any])
      realm.create(Owner.self, value: ["id": "n", "dog": ["id": "none"]] as [String: Any])
      realm.create(Owner.self, value: ["id": "z"])
    }
  }

  private func ids(_ owners: some Sequence<Owner>) -> String { owners.map(\.id).joined() }

  @Test(arguments: ["dog.name", "dog.age", "dog.weight", "dog.born"])
  func nullLinksStandLastAndNullsFirst(path: String) {
    let all = realm.objects(Owner.self)
    #expect(ids(all.sorted(byKeyPath: path)) == "ncabz")
    #expect(ids(all.sorted(byKeyPath: path, ascending: false)) == "bzacn")
    #expect(ids(all.filter("TRUEPREDICATE SORT(\(path) ASC)")) == "ncabz")
    #expect(ids(all.filter("TRUEPREDICATE SORT(\(path) DESC, id DESC)")) == "zbacn")
    let twice = all.sorted(by: [SortDescriptor(keyPath: path), SortDescriptor(keyPath: "id", ascending: false)])
    #expect(ids(twice) == "ncazb")
  }

  @Test func aNullLinkFurtherOnStandsLastToo() {
    // The dog of n has no toy.
    #expect(ids(realm.objects(Owner.self).sorted(byKeyPath: "dog.toy.name")) == "cabnz")
    #expect(ids(realm.objects(Owner.self).sorted(byKeyPath: "dog.toy.name", ascending: false)) == "bnzac")
  }

  @Test func otherCollationsKeepTheEnds() {
    let all = realm.objects(Owner.self)
    let folded = SortDescriptor(keyPath: "dog.name", options: .caseInsensitive)
    #expect(ids(all.sorted(by: [folded])) == "ncabz")
    let localized = SortDescriptor(keyPath: "dog.name", ascending: false, locale: Locale(identifier: "sv"))
    #expect(ids(all.sorted(by: [localized])) == "bzacn")
  }

  @Test func theFirstElementsAreThoseOfTheWholeOrder() throws {
    try realm.write { for number in 0..<100 { realm.create(Owner.self, value: ["id": "x\(number)"]) } }
    let sorted = realm.objects(Owner.self).sorted(byKeyPath: "dog.name", ascending: false)
    #expect(sorted.first?.id == "b")
    #expect(ids(sorted.limit(2)) == "bz")
    #expect(ids(realm.objects(Owner.self).sorted(byKeyPath: "dog.name").limit(4)) == "ncab")
    #expect(ids(realm.objects(Owner.self).filter("TRUEPREDICATE SORT(dog.age DESC) LIMIT(1)")) == "b")
    #expect(Array(sorted).suffix(3).map(\.id) == ["a", "c", "n"])
  }

  @Test func severalClassesAreSortedTogether() throws {
    try realm.write { realm.create(Heir.self, value: ["id": "h"]) }
    let all = realm.objects(Owner.self, includingSubclasses: true)
    #expect(ids(all.sorted(byKeyPath: "dog.name")) == "ncabzh")
    #expect(ids(all.sorted(byKeyPath: "dog.age", ascending: false)) == "bzhacn")
    #expect(ids(all.sorted(byKeyPath: "dog.weight")) == "ncabzh")
  }

  @Test func sectionsOfNullLinksStandLast() throws {
    let sections = realm.objects(Owner.self).filter("id != 'n'").sectioned(by: \.dog?.name)
    #expect(sections.map(\.key) == ["1", "3", nil])
    #expect(sections.map { ids($0) } == ["c", "a", "bz"])
  }

  @Test func anObservedViewMovesARowThatLosesItsLink() throws {
    let sorted = realm.objects(Owner.self).sorted(byKeyPath: "dog.name")
    var changes: [String] = []
    let token = sorted.observe { change in
      if case .update(let owners, let deletions, let insertions, _) = change {
        changes.append("\(deletions) \(insertions) \(owners.map { $0.id } as [String])")
      }
    }
    realm.refresh()
    try realm.write { realm.object(ofType: Owner.self, forPrimaryKey: "c")?.dog = nil }
    realm.refresh()
    #expect(changes == [#"[1] [3] ["n", "a", "b", "c", "z"]"#])
    token.invalidate()
  }

  @Test func distinctAfterASortKeepsTheFirst() throws {
    let all = realm.objects(Owner.self).sorted(byKeyPath: "dog.name", ascending: false)
    #expect(ids(all.distinct(by: ["dog.name"])) == "acn")
  }

  @Test func groupsCountNullLinksAsNull() {
    let groups = realm.objects(Owner.self).grouped(by: \.dog?.name)
    #expect(groups.map(\.count) == [3, 1, 1])
  }
}
