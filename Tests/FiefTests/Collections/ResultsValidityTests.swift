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

  /// Each use of all objects of a class that was invalidated with its realm.
  enum Use: String, CaseIterable, Codable {
    case count, isEmpty, element, first, last, loop, prefix, sum, narrowing, filtering

    fileprivate func run(_ all: Results<Moon>) {
      switch self {
      case .count: _ = all.count
      case .isEmpty: _ = all.isEmpty
      case .element: _ = all[0]
      case .first: _ = all.first
      case .last: _ = all.last
      case .loop: for _ in all {}
      case .prefix: _ = all.prefix(1)
      case .sum: _ = all.sum(of: \.number) as Int
      case .narrowing: _ = all.where { $0.number == 1 }
      case .filtering: _ = all.filter("number > 0")
      }
    }
  }

  @Test(arguments: Use.allCases) func allObjectsThatWereInvalidatedWithTheirRealmAreRefused(_ use: Use) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [use] in
      let realm = try Self.realm(3)
      let all = realm.objects(Moon.self)
      realm.invalidate()
      use.run(all)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("was invalidated with its realm"))
  }
}
