import RealmSwift
import Testing

private class Toy: Object {
  @Persisted var price = 0
  @Persisted var name = ""
}

private class Child: Object {
  @Persisted var age = 0
  @Persisted var name = ""
  @Persisted var toys: List<Toy>
}

private class Parent: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var limit = 0
  @Persisted var children: List<Child>
  @Persisted var others: List<Child>
  @Persisted var named: Map<String, Child?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

/// Typed conditions that are joined, counted and nested.
@Suite struct TypedJointTests {
  private func parents() throws -> Results<Parent> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Parent.self, Child.self, Toy.self]))
    try realm.write {
      for id in 0..<30 {
        let parent = Parent()
        parent.id = id
        parent.name = "n\(id % 3)"
        parent.limit = id % 5
        for number in 0..<(id % 4) {
          let child = Child()
          child.age = (id + number * 2) % 7
          child.name = "n\(number)"
          for price in 0..<number { child.toys.append(Toy(value: ["price": price + id % 2])) }
          parent.children.append(child)
          if number > 0 { parent.others.append(child) }
          parent.named["k\(number)"] = number == 2 ? .some(nil) : child
        }
        parent.any = Self.anys[id % Self.anys.count]
        parent.anys.append(parent.any)
        realm.add(parent)
      }
    }
    return realm.objects(Parent.self)
  }

  private static var anys: [AnyRealmValue] {
    [
      .none, .int(1), .fromArray([]), .fromArray([.int(1), .string("x")]), .fromDictionary([:]),
      .fromArray([.fromArray([.int(1)]), .fromDictionary(["a": .int(2), "b": .fromArray([.none])])]),
      .fromDictionary(["a": .int(1), "b": .fromArray([.int(2)])]), .fromArray([.string("x"), .int(1)]),
    ]
  }

  @Test func aSubqueryMayCompareWithAColumnOfTheRoot() throws {
    let all = try parents()
    #expect(
      all.where { ($0.children.age > 2 && $0.children.age > $0.limit).count > 0 }.map(\.id)
        == all.chosen { parent in parent.children.contains { $0.age > 2 && $0.age > parent.limit } }.map(\.id))
    #expect(
      all.where { ($0.children.name == $0.name && $0.limit > 1).count == 1 }.map(\.id)
        == all.chosen { parent in parent.children.filter { $0.name == parent.name && parent.limit > 1 }.count == 1 }
        .map(\.id))
  }

  @Test func subqueriesNest() throws {
    let all = try parents()
    // Each subquery applies to the tested object, as in the original.
    #expect(
      all.where { ($0.children.age > 3 && ($0.others.age < 3 && $0.others.name != "x").count > 0).count > 1 }.map(\.id)
        == all.chosen { parent in
          parent.children.filter { $0.age > 3 && parent.others.contains { $0.age < 3 && $0.name != "x" } }.count > 1
        }.map(\.id))
    #expect(
      all.where { ($0.children.age > 1 && ($0.children.toys.price > 1 && $0.children.age > 2).count >= 1).count == 2 }
        .map(\.id)
        == all.chosen { parent in
          let inner = parent.children.contains { $0.age > 2 && $0.toys.contains { $0.price > 1 } }
          return parent.children.filter { $0.age > 1 && inner }.count == 2
        }.map(\.id))
  }

  @Test func propertiesOfTheValuesOfAMapAreAsked() throws {
    let all = try parents()
    let expected: [Int] = all.chosen { $0.named.values.contains { ($0?.age ?? 0) > 4 } }.map(\.id)
    #expect(all.where { $0.named.values.age > 4 }.map(\.id) == expected && !expected.isEmpty)
    #expect(all.filter("ANY named.@allValues.age > 4").map(\.id) == expected)
    #expect(
      all.filter("named.@allValues.toys.price > 1").map(\.id) == all.where { $0.named.values.toys.price > 1 }.map(\.id))
    #expect(
      all.filter("ANY named.@allValues == nil").map(\.id)
        == all.chosen { $0.named.values.contains { $0 == nil } }.map(\.id))
    #expect(
      all.where { ($0.named.values.age > 2 && $0.named.values.name == "n1").count == 1 }.map(\.id)
        == all.chosen { $0.named.values.filter { ($0?.age ?? 0) > 2 && $0?.name == "n1" }.count == 1 }.map(\.id))
    #expect(all.filter("named.@allValues.@count > 2").map(\.id) == all.chosen { $0.named.count > 2 }.map(\.id))
  }

  @Test func anyValuesAreComparedWithListsAndDictionaries() throws {
    let (all, anys) = (try parents(), Self.anys)
    for (index, any) in anys.enumerated() {
      let expected: [Int] = all.chosen { $0.id % anys.count == index }.map(\.id)
      #expect(all.where { $0.any == any }.map(\.id) == expected, "\(index)")
      #expect(all.where { $0.any != any }.map(\.id) == all.chosen { $0.id % anys.count != index }.map(\.id), "\(index)")
      #expect(all.where { $0.anys.contains(any) }.map(\.id) == expected, "\(index)")
      #expect(all.filter("any == %@", any).map(\.id) == expected, "\(index)")
      #expect(all[0].realm?.objects(Parent.self).first?.anys.filter("SELF == %@", any).count == (index == 0 ? 1 : 0))
      let predicate = NSPredicate(format: "any == %@", any)
      #expect(anys.map { Parent(value: ["any": $0]) }.filter { predicate.evaluate(with: $0) }.count == 1)
    }
    #expect(
      all.where { $0.any[0] == .fromArray([.int(1)]) }.map(\.id) == all.chosen { $0.id % anys.count == 5 }.map(\.id))
    // A stored any-value works as a constant, too.
    let stored = all[5].any
    #expect(all.where { $0.any == stored }.map(\.id) == all.chosen { $0.id % anys.count == 5 }.map(\.id))
  }

  @Test func listsAndDictionariesAreAmongTheValuesOfIn() throws {
    let (all, anys) = (try parents(), Self.anys)
    let chosen: [AnyRealmValue] = [.none, anys[1], anys[3], anys[6], .string("no such")]
    let expected: [Int] = all.chosen { [0, 1, 3, 6].contains($0.id % anys.count) }.map(\.id)
    let others: [Int] = all.chosen { ![0, 1, 3, 6].contains($0.id % anys.count) }.map(\.id)
    #expect(all.where { $0.any.in(chosen) }.map(\.id) == expected)
    #expect(all.where { !$0.any.in(chosen) }.map(\.id) == others)
    #expect(all.where { $0.anys.containsAny(in: chosen) }.map(\.id) == expected)
    #expect(all.filter("any IN %@", chosen).map(\.id) == expected)
    #expect(all.filter("NONE anys IN %@", chosen).map(\.id) == others)
    #expect(all.where { $0.any.in([anys[2]]) }.map(\.id) == all.chosen { $0.id % anys.count == 2 }.map(\.id))
    let predicate = NSPredicate(format: "any IN %@", chosen)
    #expect(anys.map { predicate.evaluate(with: Parent(value: ["any": $0])) }.filter { $0 }.count == 4)
    #expect(throws: Realm.Error.self) { try all.filter(parsing: "limit IN %@", chosen) }
    #expect(throws: Realm.Error.self) { try all.filter(parsing: "any == %@", chosen) }
    // A list is one value, and no values of an IN.
    #expect(throws: Realm.Error.self) { try all.filter(parsing: "any IN %@", anys[3]) }
  }

  @Test func deepAnyValuesAreComparedWithoutAStackOverflow() throws {
    let all = try parents()
    var deep = AnyRealmValue.int(1)
    for _ in 0..<20_000 { deep = .fromArray([deep]) }
    #expect(all.where { $0.any == deep }.isEmpty)
    try all.realm?.write { all[0].any = deep }
    #expect(all.where { $0.any == deep }.map(\.id) == [0])
  }

  @Test func chainsOfAnyLengthAreLinear() throws {
    let all = try parents()
    let count = 20_000
    #expect(all.where { parent in (1..<count).reduce(parent.id == 0) { $0 || parent.id == $1 } }.count == 30)
    #expect(all.where { parent in (1..<count).reduce(parent.id >= 0) { parent.id != -$1 && $0 } }.count == 30)
    #expect(all.where { parent in (0..<count).reduce(parent.id >= 0) { condition, _ in !condition } }.count == 30)
    #expect(
      all.where { parent in
        (1..<count).reduce(parent.children.age == 100) { $0 || parent.children.age == $1 }.count > 0
      }.map(\.id) == all.chosen { $0.children.contains { $0.age > 0 } }.map(\.id))
    #expect(
      all.where { ($0.id == 3) == true }.count == 1 && all.where { ($0.id == 3 && $0.limit == 3) == false }.count == 29)
  }
}

extension Sequence {
  /// An eager `filter`, because collections also have a lazy one.
  fileprivate func chosen(_ test: (Element) throws -> Bool) rethrows -> [Element] {
    var found: [Element] = []
    for element in self where try test(element) { found.append(element) }
    return found
  }
}
