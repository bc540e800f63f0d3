import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Animal: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var toy: Ball?
}

private class Ball: Object {
  @Persisted var color = ""
}

private class Hound: Animal {
  @Persisted var races = 0
}

private class Kennel: Object {
  @Persisted var hounds: List<Hound>
  @Persisted var rare: MutableSet<Hound>
  @Persisted var named: Map<String, Hound?>
}

private class HoundView: Projection<Hound> {
  @Projected(\Hound.name) var title
  @Projected(\Hound.age) var age
}

@globalActor private actor Watcher {
  static let shared = Watcher()
}

/// Key paths may omit the name of their class in every form of `observe`.
@Suite struct KeyPathObservingTests {
  private final class Count: @unchecked Sendable {
    var told = 0
  }

  private var configuration: Realm.Configuration {
    .inMemory(objectTypes: [Animal.self, Ball.self, Hound.self, Kennel.self])
  }

  private func kennel(_ open: Realm? = nil) throws -> (Realm, Kennel, Hound) {
    let realm = try open ?? Realm(configuration: configuration)
    let (kennel, hound) = (Kennel(), Hound())
    kennel.hounds.append(hound)
    kennel.rare.insert(hound)
    kennel.named["Rex"] = hound
    try realm.write { realm.add(kennel) }
    return (realm, kennel, hound)
  }

  /// Expects an observer to be notified of a change to the name, and not of a change to another property.
  private func check(
    _ begin: (Realm, Kennel, Hound, Count) -> NotificationToken, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (realm, kennel, hound) = try kennel()
    let count = Count()
    let token = begin(realm, kennel, hound, count)
    realm.refresh()
    let before = count.told
    try realm.write { hound.races = 3 }
    realm.refresh()
    #expect(count.told == before, sourceLocation: sourceLocation)
    try realm.write { hound.name = "Max" }
    realm.refresh()
    #expect(count.told == before + 1, sourceLocation: sourceLocation)
    token.invalidate()
  }

  @MainActor @Test func collectionsAreObservedByKeyPathsOfTheirElements() throws {
    try check { realm, _, _, count in
      realm.objects(Hound.self).observe(keyPaths: [\.name]) { _ in count.told += 1 }
    }
    try check { realm, _, _, count in
      realm.objects(Hound.self).observe(keyPaths: [\.name, \.toy?.color]) { _ in count.told += 1 }
    }
    try check { _, kennel, _, count in kennel.hounds.observe(keyPaths: [\.name]) { _ in count.told += 1 } }
    try check { _, kennel, _, count in kennel.rare.observe(keyPaths: [\.name]) { _ in count.told += 1 } }
    try check { _, kennel, _, count in kennel.named.observe(keyPaths: [\.name]) { _ in count.told += 1 } }
    try check { _, kennel, _, count in
      AnyRealmCollection(kennel.hounds).observe(keyPaths: [\.name]) { _ in count.told += 1 }
    }
  }

  @MainActor @Test func collectionsAreObservedByKeyPathsOfAClassAbove() throws {
    try check { realm, _, _, count in
      realm.objects(Hound.self).observe(keyPaths: [\Animal.name]) { _ in count.told += 1 }
    }
    try check { _, kennel, _, count in kennel.named.observe(keyPaths: [\Animal.name]) { _ in count.told += 1 } }
  }

  @MainActor @Test func projectionsAndSectionsAreObservedByKeyPathsOfTheirElements() throws {
    try check { realm, _, _, count in
      realm.objects(HoundView.self).observe(keyPaths: [\.title]) { _ in count.told += 1 }
    }
    try check { realm, _, _, count in
      realm.objects(Hound.self).sectioned(by: \.age).observe(keyPaths: [\.name]) { _ in count.told += 1 }
    }
    try check { realm, _, _, count in
      realm.objects(Hound.self).sectioned(by: \.age)[0].observe(keyPaths: [\.name]) { _ in count.told += 1 }
    }
  }

  @MainActor @Test func anObjectOfABaseTypeIsObservedAsWhatItIs() throws {
    try check { _, _, hound, count in
      let object: Object = hound
      return object.observe(keyPaths: [\Hound.name]) { change in
        if case .change(let hound, _) = change { count.told += hound.name == "Max" ? 1 : 0 }
      }
    }
    try check { _, _, hound, count in
      let animal: Animal = hound
      return animal.observe(keyPaths: [\.name]) { (_: ObjectChange<Hound>) in count.told += 1 }
    }
    try check { _, _, hound, count in hound.observe(keyPaths: [\Animal.name]) { _ in count.told += 1 } }
    try check { _, _, hound, count in hound.observe(keyPaths: [\.name]) { _ in count.told += 1 } }
  }

  @Test func observingAnObjectAsOneOfAnotherClassTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let realm = try Realm(configuration: .inMemory(objectTypes: [Animal.self, Ball.self]))
        let ball = try realm.write { realm.create(Ball.self) }
        let object: Object = ball
        _ = object.observe(keyPaths: [\Animal.name]) { _ in }
      }
    }
    expectSentence("was observed as one of class 'Animal'", of: result)
  }

  @Test func keyPathsAreObservedOnQueues() throws {
    let (realm, kennel, hound) = try kennel()
    let queue = DispatchQueue(label: "key paths")
    let count = Count()
    let tokens = [
      realm.objects(Hound.self).observe(keyPaths: [\.name], on: queue) { _ in count.told += 1 },
      kennel.hounds.observe(keyPaths: [\.name], on: queue) { _ in count.told += 1 },
      kennel.named.observe(keyPaths: [\.name], on: queue) { _ in count.told += 1 },
      realm.objects(Hound.self).sectioned(by: \.age).observe(keyPaths: [\.name], on: queue) { _ in count.told += 1 },
    ]
    waitUntil(queue, count, 4)
    try realm.write { hound.races = 3 }
    try realm.write { hound.name = "Max" }
    waitUntil(queue, count, 8)
    withExtendedLifetime(tokens) {}
  }

  @Watcher
  @Test func keyPathsAreObservedOnActors() async throws {
    let (realm, kennel, hound) = try kennel(await Realm.open(configuration: configuration))
    let count = Count()
    let actor = Watcher.shared
    let object: Object = hound
    var tokens = [
      await realm.objects(Hound.self).observe(keyPaths: [\.name], on: actor) { _, _ in count.told += 1 },
      await kennel.rare.observe(keyPaths: [\.name], on: actor) { _, _ in count.told += 1 },
      await kennel.named.observe(keyPaths: [\.name], on: actor) { _, _ in count.told += 1 },
      await realm.objects(HoundView.self).observe(keyPaths: [\.title], on: actor) { _, _ in count.told += 1 },
      await realm.objects(Hound.self).observe(keyPaths: [\Animal.name], on: actor) { _, _ in count.told += 1 },
    ]
    tokens.append(await object.observe(keyPaths: [\Hound.name], on: actor) { _, _ in count.told += 1 })
    #expect(await eventually { count.told >= 5 })
    #expect(count.told == 5)
    try await realm.asyncWrite { hound.name = "Max" }
    #expect(await eventually { count.told >= 11 })
    #expect(count.told == 11)
    withExtendedLifetime(tokens) {}
  }

  private func waitUntil(_ queue: DispatchQueue, _ count: Count, _ wanted: Int) {
    #expect(waits { queue.sync { count.told } >= wanted })
    #expect(queue.sync { count.told } == wanted)
  }
}
