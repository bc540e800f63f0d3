import Dispatch
import Fief
import FiefSessions
import Foundation
import Observation
import Synchronization

final class Dog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "Rex"
  @Persisted var friends: List<Dog>
  @Persisted var notes: Map<String, String>
}

/// Uses realms of the main actor after the main thread has ceased to serve it.
///
/// For each kind of read there is a realm, which was opened before, so that the first use afterwards is that read.
@MainActor
final class MainActorUse {
  private typealias Read = @MainActor (Dog, Realm) -> Void

  private static let reads: [(kind: String, read: Read)] = [
    ("property", { dog, _ in _ = dog.name }),
    ("list", { dog, _ in _ = dog.friends.count }),
    ("map", { dog, _ in _ = dog.notes["food"] }),
    ("results", { _, realm in _ = realm.objects(Dog.self).count }),
    ("query", { _, realm in _ = realm.objects(Dog.self).where { $0.name == "Max" }.isEmpty }),
    ("key", { _, realm in _ = realm.object(ofType: Dog.self, forPrimaryKey: 2) }),
    ("life", { dog, _ in _ = dog.isInvalidated }),
  ]

  private let realms: [(kind: String, read: Read, realm: Realm, dog: Dog)]

  /// Opens the realms. Called on the main thread, before anything is suspended.
  init() {
    do {
      realms = try Self.reads.map { kind, read in
        let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
        let dog = try realm.write { realm.create(Dog.self) }
        return (kind, read, realm, dog)
      }
    } catch {
      fatalError("No realm in memory was opened: \(error)")
    }
    say("opened on the main thread: \(Thread.isMainThread)")
  }

  /// Prints for each kind of read what it needed, and how often its scope was notified of a change.
  func run() async throws {
    say("used on the main thread: \(Thread.isMainThread)")
    for (kind, read, realm, dog) in realms {
      let isKnown = realm.session.isKnownToBeHere
      let told = Told()
      withObservationTracking {
        read(dog, realm)
      } onChange: {
        told.count.wrappingAdd(1, ordering: .relaxed)
      }
      let learned = "known \(isKnown), then \(realm.session.isKnownToBeHere)"
      if kind == "life" {
        try realm.write { realm.delete(dog) }
      } else {
        try realm.write {
          dog.name = "Max"
          dog.friends.append(dog)
          dog.notes["food"] = "fish"
          realm.create(Dog.self, value: ["id": 2])
        }
      }
      say("\(kind): \(learned), told \(told.count.load(ordering: .relaxed))")
    }
    try await renderAgain()
  }

  private final class Told: Sendable {
    let count = Atomic(0)
  }

  private var shown: [String] = []

  /// Shows a name as a view does, and changes it thrice. Threads take turns in serving the main actor.
  private func renderAgain() async throws {
    let (_, _, realm, dog) = realms[0]
    render()
    for name in ["a", "b", "c"] {
      try realm.write { dog.name = name }
      while shown.last != name { try await Task.sleep(for: .milliseconds(1)) }
    }
    say("shown \(shown.joined(separator: " "))")
  }

  private func render() {
    withObservationTracking {
      shown.append(realms[0].dog.name)
    } onChange: {
      Task { @MainActor in self.render() }
    }
  }

  /// Ends the main thread, as programs do that only serve queues.
  nonisolated func leaveMainThread() -> Never { dispatchMain() }

  /// Reads on a thread that does not serve the main actor, which traps.
  func readElsewhere() async {
    // The check is bound to the queue by now.
    _ = realms[0].dog.name
    let held = UncheckedBox(realms[0].dog)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        say("reading elsewhere")
        say("read \(held.value.name)")
        continuation.resume()
      }
    }
  }

  private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
