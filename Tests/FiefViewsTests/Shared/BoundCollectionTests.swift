import FiefTestSupport
import Foundation
import RealmSwift
import Testing

@Suite("Bound collections")
@MainActor
struct BoundCollectionTests {
  struct Row {
    @ObservedRealmObject var pond: Pond
  }

  struct Shoal {
    @ObservedRealmObject var fish: RealmSwift.List<Fish>
  }

  struct Catch {
    @ObservedRealmObject var fish: Results<Fish>
  }

  let realm: Realm
  let pond: Pond
  let row: Row

  init() throws {
    realm = try Realm.ponds(Pond(1, "Mere", fish: ["a", "b", "c", "d", "e"]))
    pond = realm.objects(Pond.self)[0]
    row = Row(pond: pond)
    _ = row.pond
  }

  private var names: String { pond.fish.map(\.name).joined() }

  @Test func `a list is changed at the positions that are shown`() throws {
    try realm.write { pond.fish.insert(Fish(value: ["name": "z"]), at: 0) }
    row.$pond.fish.remove(atOffsets: IndexSet([0, 2]))
    #expect(names == "zbde", "Positions 0 and 2 showed a and c.")
    #expect(realm.objects(Fish.self).count == 6, "The fish are in no list, and stay.")
  }

  @Test func `an element that is gone is skipped, and one that was moved is followed`() throws {
    try realm.write {
      pond.fish.remove(at: 1)
      pond.fish.move(from: 0, to: 3)
    }
    #expect(names == "cdea")
    row.$pond.fish.remove(atOffsets: IndexSet([0, 1, 9]))
    #expect(names == "cde")
  }

  @Test func `positions are those of the last evaluation, not of an earlier one`() throws {
    try realm.write { pond.fish.remove(at: 0) }
    _ = row.pond
    row.$pond.fish.remove(at: 0)
    #expect(names == "cde")
  }

  @Test func `a list that is observed itself is changed at the positions that are shown`() throws {
    let shoal = Shoal(fish: pond.fish)
    #expect(shoal.fish.count == 5)
    try realm.write { pond.fish.remove(at: 0) }
    shoal.$fish.remove(at: 1)
    #expect(names == "cde", "Position 1 showed b.")
    shoal.$fish.move(fromOffsets: IndexSet(integer: 2), toOffset: 5)
    #expect(names == "dec", "Position 2 showed c.")
    shoal.$fish.append(Fish(value: ["name": "f"]))
    for position in [3, 4] { shoal.$fish.remove(at: position) }
    #expect(names == "cf", "Changes are no evaluation: the positions showed d and e.")
    _ = shoal.fish
    shoal.$fish.remove(at: 1)
    #expect(names == "c")
  }

  @Test func `of results that are observed themselves those are deleted that are shown`() throws {
    let all = Catch(fish: realm.objects(Fish.self).sorted(by: \.name))
    #expect(all.fish.count == 5)
    try realm.write { realm.delete(pond.fish[0]) }
    all.$fish.append(Fish(value: ["name": "0"]))
    all.$fish.remove(atOffsets: IndexSet(integer: 1))
    #expect(names == "cde" && all.fish.map(\.name) == ["0", "c", "d", "e"])
  }

  @Test func `a binding of an object takes positions in that object's version`() throws {
    let binding = row.pond.bind(\.fish)
    try realm.write { pond.fish.insert(Fish(value: ["name": "z"]), at: 0) }
    binding.remove(atOffsets: IndexSet(integer: 1))
    #expect(names == "zacde" && binding.wrappedValue.count == 5)
  }

  @Test func `nothing happens to the collections of an object that was deleted`() throws {
    let (fish, plants, levels) = (pond.bind(\.fish), pond.bind(\.plants), pond.bind(\.levels))
    try realm.write { realm.delete(pond) }
    fish.remove(at: 0)
    fish.move(fromOffsets: IndexSet(integer: 0), toOffset: 2)
    fish.append(Fish())
    plants.insert("reed")
    plants.remove("reed")
    levels["may"] = 3
    #expect(fish.wrappedValue.count == 5 && plants.wrappedValue.isEmpty && levels["may"] == nil)
    #expect(realm.objects(Fish.self).count == 5)
  }

  @Test func `what others have deleted is removed from nothing`() throws {
    let caught = Catch(fish: realm.objects(Fish.self))
    let (first, second) = (pond.fish[0], pond.fish[1])
    row.$pond.guests.insert(second)
    try changeElsewhere(realm.configuration) { $0.delete($0.objects(Fish.self).where { $0.name == "a" }) }
    #expect(!first.isInvalidated, "The realm has not advanced.")
    caught.$fish.remove(first)
    #expect(first.isInvalidated && names == "bcde")
    try changeElsewhere(realm.configuration) { $0.delete($0.objects(Fish.self)) }
    #expect(!second.isInvalidated && pond.guests.count == 1)
    row.$pond.guests.remove(second)
    #expect(second.isInvalidated && pond.guests.isEmpty)
  }

  @Test(arguments: Seeds.first(40)) func `moves order a list as an array's do`(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<20 {
      let shown = Array(row.pond.fish.map(\.name))
      // What happens between display and gesture.
      var present = shown
      let changes = Int.random(in: 0...2, using: &random)
      try realm.write {
        for _ in 0..<changes {
          if present.count > 3, Bool.random(using: &random) {
            let index = present.indices.randomElement(using: &random)!
            present.remove(at: index)
            pond.fish.remove(at: index)
          } else {
            let index = Int.random(in: 0...present.count, using: &random)
            let name = "n\(Int.random(in: 0...1_000_000, using: &random))"
            present.insert(name, at: index)
            pond.fish.insert(Fish(value: ["name": name]), at: index)
          }
        }
      }
      let offsets = IndexSet(shown.indices.filter { _ in Bool.random(using: &random) })
      let destination = Int.random(in: 0...shown.count, using: &random)
      // The elements before which the moved ones come: the first shown one at or behind the destination that is left.
      let moved = present.filter { name in offsets.contains { shown[$0] == name } }
      let follower = shown[destination...].first { present.contains($0) }
      let split = follower.map { present.firstIndex(of: $0)! } ?? present.count
      let expected =
        present[..<split].filter { !moved.contains($0) } + moved + present[split...].filter { !moved.contains($0) }
      row.$pond.fish.move(fromOffsets: offsets, toOffset: destination)
      try #require(Array(pond.fish.map(\.name)) == expected, "\(shown) \(Array(offsets)) to \(destination)")
    }
  }

  @Test func `a list of numbers is changed`() throws {
    row.$pond.ranks.append(3)
    row.$pond.ranks.append(4)
    row.$pond.ranks.append(4)
    _ = row.pond
    row.$pond.ranks.remove(at: 1)
    #expect(Array(pond.ranks) == [3, 4])
    #expect(row.$pond.ranks.wrappedValue.isFrozen)
  }

  @Test func `sets and maps are changed`() {
    row.$pond.plants.insert("reed")
    row.$pond.plants.insert("lily")
    row.$pond.plants.remove("reed")
    #expect(Array(pond.plants) == ["lily"])
    row.$pond.guests.insert(row.pond.fish[0])
    row.$pond.guests.remove(row.pond.fish[0])
    #expect(pond.guests.isEmpty)
    row.$pond.levels.set(object: 3, for: "may")
    row.$pond.levels["june"] = 4
    #expect(row.$pond.levels["may"] == 3 && pond.levels["june"] == 4)
    row.$pond.levels.set(object: nil, for: "may")
    #expect(pond.levels["may"] == nil && pond.levels.count == 1)
  }

  @Test func `a list in an unmanaged object is changed`() {
    let row = Row(pond: Pond(1, "Mere", fish: ["a", "b", "c"]))
    row.$pond.fish.move(fromOffsets: IndexSet([0, 1]), toOffset: 3)
    row.$pond.fish.remove(atOffsets: IndexSet(integer: 1))
    #expect(row.pond.fish.map(\.name) == ["c", "b"])
  }
}
