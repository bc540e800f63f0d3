import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted(deleteRule: .deny) var dogs: List<Dog>
    @Persisted(deleteRule: .cascade) var house: House?
    @Persisted var badge: Badge?
    @Persisted(deleteRule: .deny) var former: List<Dog>
  }
  class Dog: PastClass { @Persisted var name = "" }
  class House: PastClass { @Persisted var street = "" }
  class Badge: PastClass { @Persisted var text = "" }
  static let types: [ObjectBase.Type] = [Person.self, Dog.self, House.self, Badge.self]
}

private enum Second {
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted(deleteRule: .cascade) var dogs: List<Dog>
    @Persisted var house: House?
    @Persisted(deleteRule: .cascade) var badge: Badge?
  }
  class Dog: PastClass { @Persisted var name = "" }
  class House: PastClass { @Persisted var street = "" }
  class Badge: PastClass { @Persisted var text = "" }
  static let types: [ObjectBase.Type] = [Person.self, Dog.self, House.self, Badge.self]
}

private enum Third {
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted(deleteRule: .deny) var dogs: List<Dog>
  }
  class Dog: PastClass { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Person.self, Dog.self]
}

private enum Embedding {
  class House: PastPart { @Persisted var street = "" }
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted var house: House?
  }
  class Badge: PastClass {
    @Persisted var text = ""
    @Persisted var house: House?
  }
}

/// The delete rules of the program's classes hold in the block of a migration, and not those that the file has.
@Suite struct ChangedDeleteRuleTests {
  private let file: Changing

  init() throws {
    file = try Changing()
    try file.make(First.types) { realm in
      for name in ["Ann", "Bob"] {
        realm.create(
          First.Person.self,
          value: [
            "name": name, "dogs": [["name": "\(name)'s dog"]], "house": ["street": "\(name) Street"],
            "badge": ["text": name], "former": [["name": "\(name)'s former dog"]],
          ])
      }
    }
  }

  private static func delete(_ name: String) -> MigrationBlock {
    { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        if old?["name"] as? String == name, let new { migration.delete(new) }
      }
    }
  }

  @Test func aBlockDeletesByTheRulesOfTheProgramsClasses() throws {
    let realm = try file.open(Second.types, 1, Self.delete("Ann"))
    #expect(realm.objects(Second.Person.self).map(\.name) == ["Bob"])
    #expect(realm.objects(Second.Badge.self).map(\.text) == ["Bob"])
    #expect(realm.objects(Second.House.self).map(\.street) == ["Ann Street", "Bob Street"])
    #expect(
      realm.objects(Second.Dog.self).map(\.name).sorted() == ["Ann's former dog", "Bob's dog", "Bob's former dog"])
    #expect(try file.problems().isEmpty)
  }

  @Test func aRuleThatTheProgramAddsCanDenyADeletion() throws {
    let before = try file.bytes()
    let report = try Realm.rehearseMigration(configuration: file.configuration(Third.types, 1, Self.delete("Bob")))
    #expect((report.failure as? Realm.Error)?.code == .deleteDenied)
    #expect(file.error(Third.types, 1, Self.delete("Bob"))?.code == .deleteDenied)
    #expect(try file.bytes() == before)
  }

  @Test func withoutABlockTheRulesAreThoseOfTheProgramsClasses() throws {
    let realm = try file.open(Second.types, 1)
    try realm.write { realm.delete(realm.objects(Second.Person.self)) }
    #expect(realm.objects(Second.Dog.self).count == 2 && realm.objects(Second.House.self).count == 2)
    #expect(realm.objects(Second.Badge.self).isEmpty)
  }

  @Test func aClassBecomesEmbeddedThoughAClassThatIsNotDeclaredHasARuleForIt() throws {
    do { _ = try file.open([Embedding.House.self, Embedding.Badge.self], 1) }
    #expect(try file.problems().isEmpty)
    let realm = try file.open([Embedding.House.self, Embedding.Person.self], 2)
    #expect(realm.objects(Embedding.Person.self).map { $0.house?.street } == ["Ann Street", "Bob Street"])
  }
}
