import FiefGraph
import RealmSwift
import Testing

private class Guardian: Object {
  @Persisted var name = ""

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

private class Home: EmbeddedObject {
  @Persisted(deleteRule: .deny) var warden: Guardian?
  @Persisted(deleteRule: .cascade) var helper: Guardian?

  convenience init(warden: Guardian? = nil, helper: Guardian? = nil) {
    self.init()
    self.warden = warden
    self.helper = helper
  }
}

private class Person: Object {
  @Persisted var home: Home?
  @Persisted var homes: List<Home>
  @Persisted var named: Map<String, Home?>
}

/// Embedded objects that delete rules keep from taking the places of others. Nothing that was made for them can be seen
/// within the write.
@Suite struct RefusedReplacementTests {
  private let realm: Realm
  private let person = Person()

  init() throws { realm = try Realm(configuration: .inMemory(objectTypes: [Guardian.self, Home.self, Person.self])) }

  /// What a person has in all three places: the names of the keepers.
  private var state: [String] {
    let homes = [person.home] + person.homes.map { .some($0) } + [person.named["a"] ?? nil]
    return homes.map { "\($0?.warden?.name ?? "-") \($0?.helper?.name ?? "-")" }
  }

  /// Expects that each assignment of a home is refused, and undone at once.
  private func expectRefusals(
    _ code: Realm.Error.Code? = nil, of home: () -> Home, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let ways: [(String, (Home) -> Void)] = [
      ("property", { person.home = $0 }), ("position", { person.homes[0] = $0 }),
      ("key", { person.named["a"] = $0 }), ("name", { person["home"] = $0 }),
    ]
    for (name, assign) in ways {
      let (state, keepers) = (state, realm.objects(Guardian.self).count)
      let new = home()
      let error = #expect(throws: Realm.Error.self, "\(name)", sourceLocation: sourceLocation) {
        try realm.write {
          assign(new)
          #expect(self.state == state, "\(name)", sourceLocation: sourceLocation)
          #expect(realm.objects(Guardian.self).count == keepers, "\(name)", sourceLocation: sourceLocation)
        }
      }
      if let code { #expect(error?.code == code, "\(name)", sourceLocation: sourceLocation) }
      #expect(self.state == state && new.realm == nil, "\(name)", sourceLocation: sourceLocation)
      #expect(realm.graph.checkInvariants() == [], sourceLocation: sourceLocation)
    }
  }

  @Test func whatADeniedAssignmentHasAddedIsGone() throws {
    let warden = Guardian("w")
    person.home = Home(warden: warden)
    person.homes.append(Home(warden: warden))
    person.named["a"] = Home(warden: warden)
    try realm.write { realm.add(person) }
    try expectRefusals(.deleteDenied) { Home(warden: Guardian("new"), helper: Guardian("other")) }
  }

  @Test func anAssignedObjectThatLinksToWhatItDeletesLeavesTheOldOneThere() throws {
    let helper = Guardian("h")
    person.home = Home(helper: helper)
    person.homes.append(Home(helper: helper))
    person.named["a"] = Home(helper: helper)
    try realm.write { realm.add(person) }
    try expectRefusals { Home(warden: helper) }
    #expect(!helper.isInvalidated)
  }

  @Test func anAssignmentThatRulesPermitIsStored() throws {
    let helper = Guardian("h")
    person.home = Home(helper: helper)
    try realm.write { realm.add(person) }
    try realm.write { person.home = Home(warden: Guardian("new")) }
    #expect(helper.isInvalidated && person.home?.warden?.name == "new" && realm.objects(Guardian.self).count == 1)
  }
}
