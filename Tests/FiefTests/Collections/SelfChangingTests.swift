import RealmSwift
import Testing

private class SelfChanging: Object {
  @Persisted var numbers: List<Int>
  @Persisted var distinct: MutableSet<Int>
  @Persisted var named: Map<String, Int>
}

/// Collections that are changed by what they contain themselves.
@Suite struct SelfChangingTests {
  /// Runs the checks on an unmanaged and on a managed object with the numbers 1 to 4.
  private func check(_ body: (SelfChanging) -> Void, _ holds: (SelfChanging) -> Bool, _ what: Comment) throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [SelfChanging.self]))
    for isManaged in [false, true] {
      let object = SelfChanging()
      object.numbers.append(objectsIn: [1, 2, 3, 4])
      object.distinct.insert(objectsIn: [1, 2, 3, 4])
      for number in 1...4 { object.named["\(number)"] = number }
      if isManaged {
        try realm.write {
          realm.add(object)
          body(object)
        }
      } else {
        body(object)
      }
      #expect(holds(object), what)
    }
  }

  @Test func aListTakesItsOwnElementsAsTheyWere() throws {
    func check(_ expected: [Int], _ what: Comment, _ body: (List<Int>) -> Void) throws {
      try self.check({ body($0.numbers) }, { Array($0.numbers) == expected }, what)
    }
    try check([1, 1, 2, 3, 4, 2, 3, 4], "insert") { $0.insert(contentsOf: $0, at: 1) }
    try check([1, 2, 3, 4, 1, 2, 3, 4], "append") { $0.append(objectsIn: $0) }
    try check([4, 3, 2, 1], "reversed") { $0.replaceSubrange(0..<4, with: $0.reversed()) }
    try check([1, 1, 2, 2, 3, 4], "prefix") { $0.insert(contentsOf: $0.prefix(2), at: 1) }
    try check([1, 2, 3, 4, 2, 4], "filter") { list in list.append(objectsIn: list.lazy.filter { $0 % 2 == 0 }) }
    try check([1, 2, 3, 4, 4, 3, 2, 1], "lazy map") { list in
      list.append(objectsIn: (0..<list.count).lazy.map { list[3 - $0] })
    }
    try check([3, 4, 3, 4], "slice") { $0[0..<2] = $0[2..<4] }
    try check([4, 3, 2, 1], "in place") { $0.replaceSubrange(0..., with: $0.reversed()) }
    try check([4, 3, 2, 1], "sort") { list in
      var list = list
      list.sort(by: >)
    }
    try check([1, 2, 3, 4, 1, 2, 3, 4], "any collection") { $0.append(objectsIn: AnyRealmCollection($0)) }
    try check([1, 2, 3, 4], "assigned") { $0.replaceSubrange(0..<4, with: $0) }
  }

  @Test func aPropertyTakesItsOwnElementsAsTheyWere() throws {
    try check(
      { $0.numbers.append(objectsIn: $0.numbers) }, { Array($0.numbers) == [1, 2, 3, 4, 1, 2, 3, 4] }, "append")
    try check({ object in object.numbers = object.numbers }, { Array($0.numbers) == [1, 2, 3, 4] }, "list")
    try check({ object in object.distinct = object.distinct }, { $0.distinct.count == 4 }, "set")
    try check({ object in object.named = object.named }, { $0.named.count == 4 }, "map")
  }

  @Test func aSetTakesItsOwnElementsAsTheyWere() throws {
    func check(_ expected: Set<Int>, _ what: Comment, _ body: (MutableSet<Int>) -> Void) throws {
      try self.check({ body($0.distinct) }, { Set($0.distinct) == expected }, what)
    }
    try check([1, 2, 3, 4], "insert") { $0.insert(objectsIn: $0) }
    try check([1, 2, 3, 4, 10, 20, 30, 40], "lazy map") { $0.insert(objectsIn: $0.lazy.map { $0 * 10 }) }
    try check([1, 2, 3, 4, 11, 12, 13, 14], "positions") { set in
      set.insert(objectsIn: (0..<4).lazy.map { set[$0] + 10 })
    }
    try check([1, 2, 3, 4], "union") { $0.formUnion($0) }
    try check([1, 2, 3, 4], "intersection") { $0.formIntersection($0) }
    try check([], "difference") { $0.subtract($0) }
  }

  @Test func aMapTakesItsOwnEntriesAsTheyWere() throws {
    func check(_ expected: [Int], _ what: Comment, _ body: (Map<String, Int>) -> Void) throws {
      try self.check({ body($0.named) }, { $0.named.values.sorted() == expected }, what)
    }
    try check([2, 4, 6, 8], "map") { $0.merge($0) { $0 + $1 } }
    try check([2, 4, 6, 8], "pairs") { map in
      map.merge(map.asKeyValueSequence().lazy.map { (key: $0.key, value: $0.value) }) { $0 + $1 }
    }
    try check([1, 2, 3, 4, 10, 20, 30, 40], "new keys") { map in
      map.merge(map.keys.lazy.map { (key: $0 + "0", value: (map[$0] ?? 0) * 10) }) { $1 }
    }
  }
}
