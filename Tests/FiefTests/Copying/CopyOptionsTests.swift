import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Town: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = "somewhere"
  @Persisted var next: Town?
  @Persisted var all: List<Town>
  @Persisted var named: Map<String, Town?>
  @Persisted var hall: Hall?
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

private class Hall: EmbeddedObject {
  @Persisted var rooms = 1
  @Persisted var inner: Hall?
  @Persisted var town: Town?
}

private class Numbered: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var uuid: Identified?
}

private class Identified: Object {
  @Persisted(primaryKey: true) var id: UUID?
  @Persisted var text = ""
}

private class Leaflet: Object {
  @Persisted var title = ""
  @Persisted var secret = ""
}

private class Brochure: Leaflet {
  @Persisted var pages = 0
}

/// The objects and properties that a copy includes, in a realm and detached.
@Suite struct CopyOptionsTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Town.self, Hall.self, Numbered.self, Identified.self]))
  }

  /// A road of towns, each with a hall whose inner hall leads to the town after the next.
  private func road(_ length: Int) -> Town {
    let towns = (0..<length).map { Town(value: ["name": "t\($0)"]) }
    for (index, town) in towns.enumerated() {
      town.hall = Hall(value: ["rooms": index, "inner": ["rooms": index * 10]])
      if index + 1 < length {
        town.next = towns[index + 1]
        town.all.append(objectsIn: [towns[index + 1], towns[0]])
        town.named["n"] = towns[index + 1]
        town.any = .object(towns[index + 1])
        let inner = List<AnyRealmValue>()
        inner.append(objectsIn: [.int(1), .object(towns[index + 1])])
        town.anys.append(objectsIn: [.string("a"), .object(towns[index + 1]), .list(inner)])
      }
      if index + 2 < length { town.hall?.inner?.town = towns[index + 2] }
    }
    return towns[0]
  }

  /// Every way to copy: of unmanaged, managed and frozen originals, into a realm and detached.
  private func copies(_ root: Town, depth: Int?, properties: CopyFilter = .all) throws -> [(String, Town)] {
    let source = try realm()
    let managed = try source.write { source.copy(root) }
    let target = try realm()
    var copies: [(String, Town)] = []
    for (name, original) in [("unmanaged", root), ("managed", managed), ("frozen", managed.freeze())] {
      copies.append(
        ("\(name), detached", original.detached(depth: depth, properties: properties)))
      let copy = try target.write {
        target.copy(original, keys: .regenerate, depth: depth, properties: properties)
      }
      copies.append(("\(name), in a realm", copy))
      #expect(target.graph.checkInvariants() == [])
    }
    return copies
  }

  @Test func depthCountsLinksAndNotOwners() throws {
    let root = road(6)
    for (name, copy) in try copies(root, depth: 0) {
      let name: Comment = "\(name)"
      #expect(copy.name == "t0" && copy.hall?.inner?.rooms == 0, name)
      #expect(copy.next == nil && copy.all.isEmpty && copy.named.isEmpty && copy.any == .none, name)
      #expect(copy.hall?.inner?.town == nil, name)
      #expect(copy.anys.count == 2 && copy.anys[0] == .string("a"), name)
      guard case .list(let inner) = copy.anys[1] else {
        Issue.record(name)
        continue
      }
      #expect(Array(inner) == [.int(1)], name)
    }
    for (name, copy) in try copies(root, depth: 2) {
      let name: Comment = "\(name)"
      let last = try #require(copy.next?.next, name)
      #expect(last.name == "t2" && last.hall?.inner?.rooms == 20, name)
      // t2 is also reached through a hall. That is one step, so t3 is two steps away, and t4 is too far.
      #expect(copy.hall?.inner?.town?.name == "t2", name)
      #expect(last.next?.name == "t3", name)
      #expect(last.next?.next == nil && last.next?.all.isEmpty ?? false && last.next?.any == AnyRealmValue.none, name)
      // t2 is one step away, through a hall.
      #expect(last.hall?.inner?.town?.name == "t4" && last.hall?.inner?.town?.next == nil, name)
      #expect(copy.next?.hall?.inner?.town?.name == "t3", name)
      #expect(copy.all.count == 2 && copy.all[1].name == "t0" && copy.named["n"]??.name == "t1", name)
    }
    for (name, copy) in try copies(root, depth: 100) {
      var count = 1
      var town = copy
      while let next = town.next { (town, count) = (next, count + 1) }
      #expect(count == 6, "\(name)")
    }
    for (_, copy) in try copies(root, depth: -5) { #expect(copy.next == nil && copy.hall != nil) }
  }

  @Test func aMergeLeavesAloneWhatIsTooFarAway() throws {
    let root = road(3)
    let realm = try realm()
    let first = try realm.write { realm.copy(root) }
    root.name = "renamed"
    try realm.write { _ = realm.copy(root, keys: .merge, depth: 0) }
    #expect(first.name == "renamed")
    #expect(first.next?.next?.name == "t2" && first.all.count == 2)
    #expect(realm.objects(Town.self).count == 3)
  }

  @Test func aFilterLeavesPropertiesAtTheirDefaults() throws {
    let root = road(4)
    for (name, copy) in try copies(root, depth: nil, properties: .except(\Town.name, \Town.hall).except(\Hall.rooms)) {
      #expect(copy.name == "somewhere" && copy.next?.name == "somewhere" && copy.hall == nil, "\(name)")
      #expect(copy.next?.next?.next != nil, "\(name)")
    }
    for (name, copy) in try copies(root, depth: nil, properties: .only(\Town.hall, \Town.next).only(\Hall.inner)) {
      #expect(copy.name == "somewhere" && copy.hall?.rooms == 1 && copy.hall?.inner?.rooms == 1, "\(name)")
      #expect(copy.all.isEmpty && copy.any == AnyRealmValue.none && copy.next?.next?.next != nil, "\(name)")
    }
    let named = CopyFilter.matching { className, property in className != "Town" || property == "name" }
    for (name, copy) in try copies(root, depth: nil, properties: named) {
      #expect(copy.name == "t0" && copy.next == nil && copy.hall == nil, "\(name)")
    }
    for (_, copy) in try copies(root, depth: nil, properties: .only(\Town.name, \Town.next).except(\Town.name)) {
      #expect(copy.name == "somewhere" && copy.next != nil)
    }
    #expect(root.detached(properties: .only(\Town.name)).id == root.id)
  }

  @Test func keysAreMadeAnewWhereTheirTypeAllowsIt() throws {
    let realm = try realm()
    let town = try realm.write { realm.copy(road(3)) }
    let copy = try realm.write { realm.copy(town, keys: .regenerate) }
    #expect(realm.objects(Town.self).count == 6)
    #expect(Set(realm.objects(Town.self).map(\.id)).count == 6)
    #expect(copy.next?.next?.name == "t2")
    let detached = try town.detached(keys: .regenerate)
    #expect(detached.id != town.id && detached.next?.id != town.next?.id)
    #expect(try town.detached(keys: .keep).id == town.id)
    let identified = try realm.write { realm.create(Identified.self, value: ["id": NSNull(), "text": "x"]) }
    let again = try realm.write { realm.copy(identified, keys: .regenerate) }
    #expect(again.id != nil && again.text == "x")
    let numbered = try realm.write { realm.create(Numbered.self, value: ["id": 1, "uuid": identified]) }
    let before = realm.graph
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.copy(numbered, keys: .regenerate) }
    }
    #expect("\(error as Any)".contains("Numbered.id") && "\(error as Any)".contains("Int"))
    #expect(realm.graph == before)
    #expect(throws: Realm.Error.self) { try numbered.detached(keys: .regenerate) }
    #expect(try numbered.detached(keys: .merge).id == 1)
  }

  @Test func cyclesCanBeRefused() throws {
    let root = road(3)
    let realm = try realm()
    for original in [root, try realm.write { realm.copy(root) }] {
      let error = #expect(throws: Realm.Error.self) { try original.detached(cycles: .refuse, keys: .keep) }
      #expect(error?.code == .cycle)
      #expect(
        "\(error as Any)".contains("Town.next.all[1] -> Town") || "\(error as Any)".contains("Town.all[1] -> Town"))
      let other = try self.realm()
      let again = #expect(throws: Realm.Error.self) {
        try other.write { _ = other.copy(original, cycles: .refuse) }
      }
      #expect(again?.code == .cycle)
      #expect(other.isEmpty)
      // A cycle that a depth cuts off is not an error.
      #expect(throws: Never.self) { try original.detached(depth: 0, cycles: .refuse, keys: .keep) }
      #expect(throws: Never.self) { try other.write { _ = other.copy(original, cycles: .refuse, depth: 0) } }
    }
  }

  @Test func copiesWithinARealmAreDeep() throws {
    let realm = try realm()
    let identified = try realm.write { realm.create(Identified.self, value: ["id": UUID(), "text": "x"]) }
    let numbered = try realm.write { realm.create(Numbered.self, value: ["id": 1, "uuid": identified]) }
    let merged = try realm.write { realm.copy(numbered, keys: .merge) }
    #expect(merged.isSameObject(as: numbered))
    #expect(realm.objects(Identified.self).count == 1)
    #expect(throws: Realm.Error.self) { try realm.write { _ = realm.copy(numbered) } }
    #expect(realm.objects(Numbered.self).count == 1)
  }

  @Test func aRuleHoldsForWhatSubclassesInherit() throws {
    let brochure = Brochure(value: ["title": "t", "secret": "s", "pages": 5])
    let realm = try Realm(configuration: .inMemory(objectTypes: [Brochure.self]))
    let managed = try realm.write { realm.copy(brochure) }
    for original in [brochure, managed] {
      for filter in [CopyFilter.except(\Leaflet.secret), .only(\Leaflet.title)] {
        let copy = try realm.write { realm.copy(original, properties: filter) }
        for copy in [copy, original.detached(properties: filter)] {
          #expect(copy.title == "t" && copy.secret == "" && copy.pages == 5)
        }
        let json = try ObjectDocument(original, properties: filter).json()
        #expect(!String(decoding: json, as: UTF8.self).contains("secret"))
      }
      let both = original.detached(properties: .only(\Leaflet.title).only(\Brochure.secret, \Brochure.pages))
      #expect(both.title == "" && both.secret == "" && both.pages == 5)
    }
  }

  @Test func aFilterTakesKeyPathsOfOneStep() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CopyFilter.except(\Town.hall?.rooms)
    }
    expectSentence("A copy is told of properties one by one: 'hall.rooms' leads through several", of: result)
  }
}
