import FiefTestSupport
import Foundation
import RealmSwift

// The models of the tests of wrappers and bindings.

enum Mood: String, PersistableEnum { case calm, wild }

final class Pond: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var name: String
  @Persisted var isOpen: Bool
  @Persisted var depth: Int?
  @Persisted var mood: Mood
  @Persisted var fish: RealmSwift.List<Fish>
  @Persisted var plants: MutableSet<String>
  @Persisted var guests: MutableSet<Fish>
  @Persisted var levels: Map<String, Int>
  @Persisted var ranks: RealmSwift.List<Int>
  @Persisted var king: Fish?
  @Persisted var shore: Shore?
  @Persisted var sight: AnyRealmValue

  convenience init(_ key: Int, _ name: String, fish: [String] = []) {
    self.init()
    self.key = key
    self.name = name
    self.fish.append(objectsIn: fish.map { Fish(value: ["name": $0]) })
  }
}

final class Fish: Object, ObjectKeyIdentifiable {
  @Persisted var name: String
  @Persisted(originProperty: "fish") var ponds: LinkingObjects<Pond>
}

final class Shore: EmbeddedObject, ObjectKeyIdentifiable {
  @Persisted var length: Int
}

final class PondView: Projection<Pond>, ObjectKeyIdentifiable {
  @Projected(\Pond.name) var title
  @Projected(\Pond.fish) var fish
}

extension Realm {
  /// A private realm of the main actor with ponds in it.
  @MainActor
  static func ponds(_ ponds: Pond..., history: Configuration.History = .none) throws -> Realm {
    var configuration = Configuration.inMemory(objectTypes: [Pond.self, Fish.self, Shore.self])
    configuration.history = history
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(ponds) }
    return realm
  }
}

/// Changes a realm on another thread. The realm of the main actor does not advance by that.
func changeElsewhere(_ configuration: Realm.Configuration, _ change: @escaping @Sendable (Realm) -> Void) throws {
  try elsewhere {
    let realm = try Realm(configuration: configuration)
    try realm.write { change(realm) }
  }
}
