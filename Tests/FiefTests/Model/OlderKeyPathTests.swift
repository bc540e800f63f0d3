import Foundation
import RealmSwift
import Testing

private class Hull: Object {
  @Persisted var name = ""
  let ships = LinkingObjects(fromType: Ship.self, property: "hull")
  let planks = List<Plank>()
}

private class Plank: Object {
  @Persisted var length = 0
  let hulls = LinkingObjects(fromType: Hull.self, property: "planks")
}

private class Ship: Object {
  @Persisted var name = ""
  @Persisted var hull: Hull?
  let planks = List<Plank>()
  let ports = MutableSet<String>()
  let crew = Map<String, Plank?>()
  let mast = RealmProperty<Int?>()
  let anything = RealmProperty<AnyRealmValue>()
  /// Computed, over a property without a wrapper.
  var shown: List<Plank> { planks }
  var loose = List<Plank>()
  required init() {
    super.init()
    loose = List<Plank>()
  }
}

private class ShipView: Projection<Ship> {
  @Projected(\Ship.planks) var planks
  @Projected(\Ship.hull?.planks) var hullPlanks
  @Projected(\Ship.mast) var mast
}

@available(*, deprecated)
private class Raft: Object {
  let number = RealmOptional<Int>()
  let speed = RealmOptional<Double>()
  override class func primaryKey() -> String? { "number" }
}

/// Typed key paths over properties that are declared without a wrapper.
@Suite struct OlderKeyPathTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Hull.self, Plank.self, Ship.self]))
  }

  private func plank(_ length: Int) -> Plank {
    let plank = Plank()
    plank.length = length
    return plank
  }

  @Test func aKeyPathOfAPropertyWithoutAWrapperHasItsName() {
    #expect(_name(for: \Ship.planks) == "planks")
    #expect(_name(for: \Ship.ports) == "ports")
    #expect(_name(for: \Ship.crew) == "crew")
    #expect(_name(for: \Ship.mast) == "mast")
    #expect(_name(for: \Ship.mast.value) == "mast")
    #expect(_name(for: \Ship.anything) == "anything")
    #expect(_name(for: \Ship.anything.value) == "anything")
    #expect(_name(for: \Hull.ships) == "ships")
    #expect(_name(for: \Ship.shown) == "planks")
    #expect(_name(for: \Ship.loose) == "loose")
  }

  @Test func aKeyPathThatGoesThroughPropertiesWithoutWrappersNamesAllOfThem() {
    #expect(_name(for: \Ship.planks[0].length) == "planks.length")
    #expect(_name(for: \Ship.planks.first?.length) == "planks.length")
    #expect(_name(for: \Ship.planks.count) == "planks")
    #expect(_name(for: \Ship.planks[0].hulls) == "planks.hulls")
    #expect(_name(for: \Ship.hull?.planks) == "hull.planks")
    #expect(_name(for: \Ship.hull?.planks[0].length) == "hull.planks.length")
    #expect(_name(for: \Hull.ships[0].mast) == "ships.mast")
    #expect(_name(for: \Hull.ships.first?.hull?.ships) == "ships.hull.ships")
    #expect(_name(for: \Ship.planks.projectTo.length) == "planks.length")
    #expect(_name(for: \Ship.crew["cook"]??.length) == "crew.length")
    #expect(_name(for: \Ship.crew.values) == "crew")
    #expect(_name(for: \Ship.crew.keys) == "crew")
    #expect(_name(for: \ShipView.planks) == "planks")
    #expect(_name(for: \ShipView.hullPlanks) == "hull.planks")
    #expect(_name(for: \ShipView.mast) == "mast")
  }

  @Test func conditionsNameCollectionsWithoutWrappers() throws {
    let realm = try realm()
    let (empty, full) = (Ship(), Ship())
    (empty.name, full.name) = ("empty", "full")
    full.planks.append(objectsIn: [plank(1), plank(5)])
    full.ports.insert("Oslo")
    full.crew["cook"] = full.planks[0]
    full.hull = Hull()
    full.hull?.planks.append(plank(9))
    try realm.write { realm.add([empty, full]) }
    let ships = realm.objects(Ship.self)
    #expect(ships.where { $0.planks.count == 0 }.map(\.name) == ["empty"])
    #expect(ships.where { $0.planks.length > 3 }.map(\.name) == ["full"])
    #expect(ships.where { $0.hull.planks.length == 9 }.map(\.name) == ["full"])
    #expect(ships.where { $0.ports.contains("Oslo") }.map(\.name) == ["full"])
    #expect(ships.where { $0.crew.keys == "cook" }.map(\.name) == ["full"])
    #expect(ships.where { ($0.planks.length > 0).count == 2 }.map(\.name) == ["full"])
    #expect(realm.objects(Hull.self).where { $0.ships.name == "full" }.count == 1)
    #expect(realm.objects(Hull.self).where { $0.ships.count == 0 }.isEmpty)
    #expect(ships.filter(#Predicate { $0.planks.isEmpty }).map(\.name) == ["empty"])
  }

  @Test func orderAndDistinctGoByPropertiesWithoutWrappers() throws {
    let realm = try realm()
    try realm.write {
      for mast in [3, nil, 1, 3] {
        let ship = Ship()
        ship.mast.value = mast
        realm.add(ship)
      }
    }
    let ships = realm.objects(Ship.self)
    #expect(ships.sorted(by: \.mast.value).map(\.mast.value) == [nil, 1, 3, 3])
    #expect(
      ships.sorted(by: [SortDescriptor(keyPath: \Ship.mast, ascending: false)]).map(\.mast.value) == [3, 3, 1, nil])
    #expect(Set(ships.distinct(by: [\Ship.mast]).map(\.mast.value)) == [3, nil, 1])
    #expect(ships.max(of: \.mast.value) == 3)
    #expect(ships.sum(of: \.mast.value) == 7)
  }

  @MainActor @Test func observersNamePropertiesWithoutWrappersByKeyPaths() throws {
    let realm = try realm()
    let ship = Ship()
    try realm.write { realm.add(ship) }
    var told: [String] = []
    let token = ship.observe(keyPaths: [\.mast, \.planks]) { change in
      if case .change(_, let properties) = change { told += properties.map(\.name) }
    }
    try realm.write { ship.mast.value = 4 }
    try realm.write { ship.ports.insert("Bergen") }
    try realm.write { ship.planks.append(plank(2)) }
    realm.refresh()
    withExtendedLifetime(token) { #expect(Set(told) == ["mast", "planks"]) }
  }

  @Test func propertiesWithoutWrappersAreCreatedFromValues() throws {
    let realm = try realm()
    let ship = try realm.write {
      realm.create(Ship.self, value: ["mast": 4, "anything": "x", "ports": ["Oslo"], "planks": [["length": 2]]])
    }
    #expect(ship.mast.value == 4 && ship.anything.value == .string("x"))
    #expect(ship.ports.first == "Oslo" && ship.planks.first?.length == 2)
    let unmanaged = Ship(value: ["mast": 5, "anything": 1.5, "planks": [["length": 3]]])
    #expect(unmanaged.mast.value == 5 && unmanaged.anything.value == .double(1.5))
    try realm.write { realm.add(unmanaged) }
    #expect(realm.objects(Ship.self).where { $0.planks.length == 3 }.first?.mast.value == 5)
    #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(Ship.self, value: ["mast": "four"]) }
    }
  }

  @available(*, deprecated)
  @Test func anOptionalOfTheOldestKindIsAPrimaryKey() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Raft.self]))
    try realm.write {
      realm.create(Raft.self, value: ["number": 7, "speed": 1.5] as [String: Any])
      realm.create(Raft.self, value: ["number": nil, "speed": 2.5] as [String: Any?])
      let raft = Raft()
      raft.number.value = 9
      realm.add(raft)
    }
    #expect(realm.object(ofType: Raft.self, forPrimaryKey: nil as Int?)?.speed.value == 2.5)
    #expect(realm.object(ofType: Raft.self, forPrimaryKey: 7)?.speed.value == 1.5)
    #expect(realm.object(ofType: Raft.self, forPrimaryKey: 9 as Int?)?.number.value == 9)
    #expect(realm.object(ofType: Raft.self, forPrimaryKey: 8) == nil)
    try realm.write { realm.create(Raft.self, value: ["number": 7, "speed": 4], update: .modified) }
    #expect(realm.object(ofType: Raft.self, forPrimaryKey: 7)?.speed.value == 4)
    #expect(_name(for: \Raft.speed) == "speed")
    #expect(realm.objects(Raft.self).count == 3)
  }
}
