import Combine
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

// The models of the tests of publishers.

final class Cow: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var weight: Int
  @Persisted var bell: Bell?
  @Persisted(originProperty: "cows") var herds: LinkingObjects<Herd>

  convenience init(_ id: Int, _ name: String, weight: Int = 500) {
    self.init()
    self.id = id
    self.name = name
    self.weight = weight
  }
}

final class Bell: EmbeddedObject, ObjectKeyIdentifiable {
  @Persisted var tone: String
}

final class Herd: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var cows: RealmSwift.List<Cow>
  @Persisted var marks: MutableSet<String>
  @Persisted var yields: Map<String, Int>
  @Persisted var leaders: Map<String, Cow?>
}

final class CowView: Projection<Cow>, ObjectKeyIdentifiable {
  @Projected(\Cow.name) var title
}

extension Realm.Configuration {
  /// A private realm in memory with a herd of cows.
  static func herd(_ cows: Cow...) throws -> Realm.Configuration { try herd(of: cows) }

  fileprivate static func herd(of cows: [Cow]) throws -> Realm.Configuration {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Cow.self, Bell.self, Herd.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let herd = realm.create(Herd.self, value: ["id": 1])
      herd.cows.append(objectsIn: cows)
    }
    return configuration
  }
}

extension Realm {
  /// A private realm of the main thread with a herd of cows.
  @MainActor static func herd(_ cows: Cow...) throws -> Realm { try Realm(configuration: .herd(of: cows)) }

  /// The realm of a configuration on the main thread.
  @MainActor static func here(_ configuration: Configuration) throws -> Realm {
    try Realm(configuration: configuration)
  }
}

/// What a subscriber has received, on any thread.
final class Received<Value: Sendable>: Sendable {
  private let all = Mutex<(values: [Value], completions: Int)>(([], 0))

  var values: [Value] { all.withLock { $0.values } }
  var completions: Int { all.withLock { $0.completions } }

  func add(_ value: Value) { all.withLock { $0.values.append(value) } }
  func complete() { all.withLock { $0.completions += 1 } }
}

extension Publisher {
  /// Records what a closure makes of each value, and the completion.
  func record<Value: Sendable>(_ received: Received<Value>, _ value: @escaping @Sendable (Output) -> Value)
    -> AnyCancellable
  {
    sink(receiveCompletion: { _ in received.complete() }, receiveValue: { received.add(value($0)) })
  }
}
