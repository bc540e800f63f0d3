import RealmSwift
import Testing

private class Moon: Object {
  @Persisted var number = 0

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

/// How long the result of a view stays current.
@Suite struct ResultsValidityTests {
  private static func realm(_ count: Int) throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Moon.self]))
    try realm.write { for number in 0..<count { realm.add(Moon(number)) } }
    return realm
  }

  /// A predicate that adds a moon when it is first asked.
  private static func adding(to realm: Realm) -> NSPredicate {
    nonisolated(unsafe) let realm = realm
    nonisolated(unsafe) var isFirst = true
    return NSPredicate { _, _ in
      if isFirst {
        isFirst = false
        realm.add(Moon(1))
      }
      return true
    }
  }

  @Test func aViewIsEvaluatedAgainAfterItsPredicateChangedTheRealm() throws {
    let realm = try Self.realm(1)
    try realm.write {
      let view = realm.objects(Moon.self).filter(Self.adding(to: realm))
      _ = view.count
      #expect(view.count == 2)
    }
  }

  @Test func theFirstElementsAreSoughtAgainAfterTheirPredicateChangedTheRealm() throws {
    let realm = try Self.realm(1)
    try realm.write {
      let view = realm.objects(Moon.self).filter(Self.adding(to: realm))
      _ = view.prefix(2).count
      #expect(view.prefix(2).count == 2)
    }
  }

  @Test func theFirstEvaluationOfAnUnpinnedRealmIsKept() throws {
    let realm = try Self.realm(3)
    realm.invalidate()
    nonisolated(unsafe) var asked = 0
    let view = realm.objects(Moon.self).filter(
      NSPredicate { _, _ in
        asked += 1
        return true
      })
    #expect(view.count == 3 && view.count == 3 && asked == 3)
  }
}
