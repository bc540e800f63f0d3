import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Ship: Object {
  @Persisted var name = ""
  @Persisted var length: Double?
  @Persisted var sister: Ship?
  @Persisted var ports: List<String>
  @Persisted var boats: List<Ship>
  @Persisted var crew: Map<String, Int>
  @Persisted(indexed: true) var cargo: AnyRealmValue
  @Persisted var extra: AnyRealmValue
  let older = List<Ship>()

  convenience init(_ name: String, _ length: Double?) {
    self.init()
    self.name = name
    self.length = length
  }
}

/// Unmanaged elements are tested one by one, with the results of managed ones.
@Suite struct UnmanagedMatchingTests {
  private func ships() -> List<Ship> {
    let ships = List<Ship>()
    ships.append(objectsIn: [Ship("Ark", nil), Ship("Bounty", 28), Ship("Cutty", 65), Ship("Ärk", 5)])
    ships[1].sister = ships[2]
    ships[2].sister = ships[1]
    ships[1].ports.append(objectsIn: ["Oslo", "Bergen"])
    ships[2].boats.append(objectsIn: [Ship("d1", 3), Ship("d2", 4)])
    ships[3].crew["cook"] = 2
    ships[3].older.append(ships[0])
    for (ship, cargo) in zip(ships, [AnyRealmValue.int(7), .string("Grain"), .data(Data([1])), .none]) {
      (ship.cargo, ship.extra) = (cargo, cargo)
    }
    return ships
  }

  private func conditions(_ ships: List<Ship>) -> [((List<Ship>) -> Int?, Int?)] {
    [
      ({ $0.index(matching: "name == 'Bounty'") }, 1),
      ({ $0.index(matching: "name == %@", "none") }, nil),
      ({ $0.index(matching: "length > %@ AND NOT name BEGINSWITH 'B'", 20) }, 2),
      ({ $0.index(matching: "length == nil") }, 0),
      ({ $0.index(matching: "name BEGINSWITH[cd] 'ÄR' AND length != nil") }, 3),
      ({ $0.index(matching: "ANY ports == 'Bergen'") }, 1),
      ({ $0.index(matching: "sister.length == 28") }, 2),
      ({ $0.index(matching: "boats.@count == 2 OR FALSEPREDICATE") }, 2),
      ({ $0.index(matching: "boats.@max.length == 4") }, 2),
      ({ $0.index(matching: "SUBQUERY(boats, $b, $b.length > 3).@count == 1") }, 2),
      ({ $0.index(matching: "crew.@allKeys == 'cook'") }, 3),
      ({ $0.index(matching: "older.@count > 0") }, 3),
      ({ $0.index(matching: "cargo IN[c] {7, 'x'}") }, 0),
      ({ $0.index(matching: "cargo IN[c] {8, 'GRAIN'}") }, 1),
      ({ $0.index(matching: "extra IN[cd] {'x', %@}", Data([1])) }, 2),
      ({ $0.index(matching: "extra IN[d] {nil, 'x', 8}") }, 3),
      ({ $0.index(matching: { $0.name == "Cutty" }) }, 2),
      ({ $0.index(matching: { $0.sister.name == "Cutty" || $0.length > 90 }) }, 1),
      ({ $0.index(matching: { $0.ports.contains("Oslo") }) }, 1),
      ({ $0.index(matching: { ($0.boats.length > 2).count == 2 }) }, 2),
      ({ $0.index(matching: { $0.older.name == "Ark" }) }, 3),
      ({ $0.index(matching: #Predicate<Ship> { ($0.length ?? 0) > 30 }) }, 2),
      ({ $0.index(matching: NSPredicate { ship, _ in (ship as? Ship)?.name == "Ark" }) }, 0),
    ]
  }

  @Test func conditionsFindUnmanagedElementsAsTheyDoManagedOnes() throws {
    let ships = ships()
    let all = conditions(ships)
    for (number, (ask, expected)) in all.enumerated() { #expect(ask(ships) == expected, "condition \(number)") }
    let any = AnyRealmCollection(ships)
    #expect(any.index(matching: "name == 'Cutty'") == 2)
    let realm = try Realm(configuration: .inMemory(objectTypes: [Ship.self]))
    let fleet = Ship()
    fleet.boats.append(objectsIn: ships)
    try realm.write { realm.add(fleet) }
    for (number, (ask, expected)) in all.enumerated() { #expect(ask(fleet.boats) == expected, "managed \(number)") }
    for name in ["cargo", "extra"] {
      let found = realm.objects(Ship.self).filter("%K IN[c] {7, 'GRAIN'}", name)
      #expect(found.sorted(by: \.name).map(\.name) == ["Ark", "Bounty"])
    }
  }

  /// There are exponentially many ways through a ring of objects. A condition that follows them ends with an error, and
  /// does not take all memory.
  @Test(arguments: Effort.of(debug: ["path"], release: ["path", "subqueries"]))
  func conditionsOverARingOfObjectsOutsideAStoreEnd(_ form: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
      let ships = (0..<32).map { Ship("\($0)", Double($0)) }
      for ship in ships { ship.boats.append(objectsIn: ships) }
      let levels = (0..<30).map { "SUBQUERY(\($0 == 0 ? "" : "$v\($0 - 1).")boats, $v\($0), " }.joined()
      let format =
        form == "path"
        ? "ANY " + String(repeating: "boats.", count: 30) + "length > 99"
        : levels + "TRUEPREDICATE" + String(repeating: ").@count > 0", count: 30)
      _ = NSPredicate(format: format).evaluate(with: ships[0])
    }
    expectSentence(
      form == "path"
        ? "leads to more than 1000000 objects outside a store" : "test more than 1000000 elements",
      of: result)
  }

  @Test func managedObjectsInAnUnmanagedListAreFound() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Ship.self]))
    let managed = try realm.write { realm.create(Ship.self, value: ["name": "Dory"]) }
    let ships = ships()
    ships.append(managed)
    #expect(ships.index(matching: "name == 'Dory'") == 4)
    #expect(ships.index(matching: { $0.name == "Dory" }) == 4)
  }

  @Test func unmanagedElementsThatAreNoObjectsAreSpokenOfAsSelf() {
    let (numbers, texts, tags) = (List<Int?>(), List<String>(), MutableSet<Int>())
    numbers.append(objectsIn: [3, nil, 8])
    texts.append(objectsIn: ["oslo", "Bergen"])
    tags.insert(objectsIn: [4, 7])
    #expect(numbers.index(matching: "SELF > 5") == 2)
    #expect(numbers.index(matching: "SELF == nil") == 1)
    #expect(texts.index(matching: "SELF BEGINSWITH[c] 'b'") == 1)
    #expect(tags.index(matching: "SELF == 7") == 1)
    #expect(List<Int>().index(matching: "SELF == 7") == nil)
  }

  @Test func aConditionThatDoesNotFitUnmanagedElementsTraps() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let ships = List<Ship>()
      ships.append(Ship())
      _ = ships.index(matching: "nothing == 1")
    }
    expectSentence("There is no property 'nothing' in 'Ship'", of: unknown)
    let unfinished = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let ships = List<Ship>()
      ships.append(Ship())
      _ = ships.index(matching: "name > ")
    }
    expectSentence("A property or a constant is expected, and not the end", of: unfinished)
  }
}
