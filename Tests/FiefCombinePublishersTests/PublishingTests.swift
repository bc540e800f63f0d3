import Combine
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

@Suite("Publishers of values and changes")
@MainActor
struct PublishingTests {
  @Test func `a collection is published soon after the subscription, and after each change`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"), Cow(2, "Bea"))
    let counts = Received<Int>()
    let cancellable = realm.objects(Cow.self).collectionPublisher.record(counts) { $0.count }
    #expect(counts.values.isEmpty)
    #expect(await eventually { counts.values == [2] })
    try realm.write { realm.add(Cow(3, "Cleo")) }
    #expect(counts.values == [2])
    #expect(await eventually { counts.values == [2, 3] })
    try realm.write { realm.objects(Cow.self)[0].weight += 1 }
    #expect(await eventually { counts.values == [2, 3, 3] })
    #expect(counts.completions == 0)
    cancellable.cancel()
  }

  @Test func `every kind of collection publishes itself and its changes`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let herd = realm.objects(Herd.self)[0]
    let cow = herd.cows[0]
    let (values, changes) = (Received<String>(), Received<String>())
    let sections = realm.objects(Cow.self).sectioned(by: \.name)
    let kept = [
      herd.cows.publisher.record(values) { "list \($0.count)" },
      herd.marks.publisher.record(values) { "set \($0.count)" },
      herd.yields.collectionPublisher.record(values) { "map \($0.count)" },
      cow.herds.publisher.record(values) { "backlinks \($0.count)" },
      AnyRealmCollection(herd.cows).publisher.record(values) { "any \($0.count)" },
      realm.objects(CowView.self).publisher.record(values) { "views \($0.count)" },
      sections.publisher.record(values) { "sections \($0.count)" },
      sections[0].publisher.record(values) { "section \($0.count)" },
      herd.cows.changesetPublisher.record(changes) { "list \(words($0))" },
      herd.marks.changesetPublisher.record(changes) { "set \(words($0))" },
      changesetPublisher(cow.herds).record(changes) { "backlinks \(words($0))" },
      herd.yields.changesetPublisher.record(changes) { change in
        guard case .update(_, _, let insertions, _) = change else { return "map initial" }
        return "map +\(insertions)"
      },
      sections.changesetPublisher.record(changes) { change in
        guard case .update(_, _, let insertions, _, let inserted, _) = change else { return "sections initial" }
        return "sections +\(insertions.map { Array($0) }) +\(Array(inserted))"
      },
    ]
    let first = Set(["list 1", "set 0", "map 0", "backlinks 1", "any 1", "views 1", "sections 1", "section 1"])
    #expect(await eventually { Set(values.values) == first })
    #expect(await eventually { changes.values.count == 5 })
    try realm.write {
      herd.cows.append(Cow(2, "Bea"))
      herd.marks.insert("red")
      herd.yields["May"] = 20
    }
    let second = Set(["list 2", "set 1", "map 1", "any 2", "views 2", "sections 2"])
    #expect(await eventually { second.isSubset(of: values.values) })
    let told = Set(["list -[] +[1] ~[]", "set -[] +[0] ~[]", #"map +["May"]"#, "sections +[[1, 0]] +[1]"])
    #expect(await eventually { told.isSubset(of: changes.values) }, "\(changes.values)")
    withExtendedLifetime(kept) {}
  }

  @Test func `an object is published after each change, and completes when it is deleted`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let cow = realm.objects(Cow.self)[0]
    try realm.write { cow.bell = Bell(value: ["tone": "high"]) }
    let (names, titles, tones) = (Received<String>(), Received<String>(), Received<String>())
    let kept = [
      valuePublisher(cow).record(names) { $0.name },
      valuePublisher(CowView(projecting: cow)).record(titles) { $0.title },
      valuePublisher(try #require(cow.bell)).record(tones) { $0.tone },
    ]
    try realm.write {
      cow.name = "Eve"
      cow.bell?.tone = "low"
    }
    #expect(await eventually { names.values == ["Eve"] && titles.values == ["Eve"] && tones.values == ["low"] })
    try realm.write { realm.delete(cow) }
    #expect(await eventually { names.completions == 1 && titles.completions == 1 && tones.completions == 1 })
    #expect(names.values == ["Eve"] && titles.values == ["Eve"] && tones.values == ["low"])
    withExtendedLifetime(kept) {}
  }

  @Test func `a list completes when its object is deleted`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let herd = realm.objects(Herd.self)[0]
    let (counts, changes) = (Received<Int>(), Received<String>())
    let kept = [
      herd.cows.collectionPublisher.record(counts) { $0.count },
      herd.cows.changesetPublisher.record(changes) { words($0) },
    ]
    #expect(await eventually { counts.values == [1] && changes.values.count == 1 })
    try realm.write { realm.delete(herd) }
    #expect(await eventually { counts.completions == 1 && changes.values == ["initial", "-[0] +[] ~[]"] })
    #expect(counts.values == [1])
    withExtendedLifetime(kept) {}
  }

  @Test func `empty collections and sections complete when their object is deleted`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let herd = realm.objects(Herd.self)[0]
    let sections = herd.cows.sectioned(by: \.name)
    let counts = Received<Int>()
    let kept = [
      herd.marks.collectionPublisher.record(counts) { $0.count },
      herd.yields.collectionPublisher.record(counts) { $0.count },
      sections.collectionPublisher.record(counts) { $0.count },
      sections[0].collectionPublisher.record(counts) { $0.count },
    ]
    #expect(await eventually { counts.values.sorted() == [0, 0, 1, 1] })
    try realm.write { realm.delete(herd) }
    #expect(await eventually { counts.completions == 4 })
    #expect(counts.values.count == 4)
    withExtendedLifetime(kept) {}
  }

  @Test func `what is deleted before the first value completes without one`() async throws {
    let configuration = try Realm.Configuration.herd(Cow(1, "Ada"))
    let realm = try Realm.here(configuration)
    let herd = realm.objects(Herd.self)[0]
    let received = Received<Int>()
    let queue = DispatchQueue(label: "pasture")
    let here = [
      herd.cows.collectionPublisher.record(received) { $0.count },
      herd.yields.collectionPublisher.record(received) { $0.count },
    ]
    let kept = try deleteHerds(configuration, on: queue)
    // The realm of the main thread has not advanced yet.
    let there = [
      herd.cows.collectionPublisher.subscribe(on: queue).record(received) { $0.count },
      herd.yields.collectionPublisher.subscribe(on: queue).record(received) { $0.count },
      valuePublisher(herd).subscribe(on: queue).record(received) { $0.id },
    ]
    #expect(await eventually { received.completions == 5 })
    #expect(received.values.isEmpty)
    withExtendedLifetime((here, there, kept)) {}
  }

  @Test func `a changeset of an object names the properties, and completes when it is deleted`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let cow = realm.objects(Cow.self)[0]
    let (changes, views) = (Received<String>(), Received<String>())
    let kept = [
      changesetPublisher(cow).record(changes) { words($0) },
      changesetPublisher(CowView(projecting: cow)).record(views) { words($0) },
    ]
    try realm.write {
      cow.name = "Eve"
      cow.weight = 510
    }
    #expect(await eventually { changes.values == ["name weight"] && views.values == ["title"] })
    try realm.write { realm.delete(cow) }
    #expect(await eventually { changes.completions == 1 && views.completions == 1 })
    #expect(changes.values == ["name weight"] && views.values == ["title"])
    withExtendedLifetime(kept) {}
  }

  @Test func `key paths narrow what is published`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let (cow, herd) = (realm.objects(Cow.self)[0], realm.objects(Herd.self)[0])
    try realm.write { herd.leaders["north"] = cow }
    let received = (0..<8).map { _ in Received<String>() }
    let kept = [
      realm.objects(Cow.self).collectionPublisher(keyPaths: ["name"]).record(received[0]) { $0[0].name },
      herd.cows.collectionPublisher(keyPaths: [\.name]).record(received[1]) { $0[0].name },
      herd.leaders.collectionPublisher(keyPaths: [\.name]).record(received[2]) { ($0["north"] ?? nil)?.name ?? "" },
      realm.objects(CowView.self).collectionPublisher(keyPaths: [\.title]).record(received[3]) { $0[0].title },
      herd.cows.changesetPublisher(keyPaths: [\.name]).record(received[4]) { words($0) },
      valuePublisher(cow, keyPaths: [\.name]).record(received[5]) { $0.name },
      changesetPublisher(cow, keyPaths: [\.name]).record(received[6]) { words($0) },
      changesetPublisher(herd.cows, keyPaths: ["name"]).record(received[7]) { words($0) },
    ]
    let first = [["Ada"], ["Ada"], ["Ada"], ["Ada"], ["initial"], [], [], ["initial"]]
    #expect(await eventually { received.map { $0.values } == first })
    try realm.write { cow.weight += 1 }
    realm.refresh()
    try realm.write { cow.name = "Eve" }
    let second = zip(first, ["Eve", "Eve", "Eve", "Eve", "-[] +[] ~[0]", "Eve", "name", "-[] +[] ~[0]"])
    #expect(await eventually { received.map { $0.values } == second.map { $0 + [$1] } })
    withExtendedLifetime(kept) {}
  }

  @Test func `objectWillChange publishes each change, and collections at first`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let (cow, herd) = (realm.objects(Cow.self)[0], realm.objects(Herd.self)[0])
    let received = (0..<7).map { _ in Received<String>() }
    func record<T: ObservableObject>(_ object: T, _ at: Int) -> AnyCancellable {
      object.objectWillChange.sink { _ in received[at].add(cow.name) }
    }
    let kept = [
      record(cow, 0), record(CowView(projecting: cow), 1), record(herd.cows, 2), record(herd.leaders, 3),
      realm.objects(Cow.self).objectWillChange.sink { received[4].add(cow.name) },
      AnyRealmCollection(herd.cows).objectWillChange.sink { received[5].add(cow.name) },
      realm.objectWillChange.sink { received[6].add(cow.name) },
    ]
    // Collections publish when the subscription begins, too.
    let first = [[], [], ["Ada"], ["Ada"], ["Ada"], ["Ada"], []]
    #expect(await eventually { received.map { $0.values } == first }, "\(received.map { $0.values })")
    try realm.write {
      cow.name = "Eve"
      herd.leaders["north"] = cow
    }
    #expect(received[6].values == ["Eve"])
    let second = first.map { $0 + ["Eve"] }
    #expect(await eventually { received.map { $0.values } == second }, "\(received.map { $0.values })")
    withExtendedLifetime(kept) {}
  }

  @Test func `cancelling ends the observation, and so does releasing the cancellable`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let cows = realm.objects(Cow.self)
    let (cancelled, released, kept) = (Received<Int>(), Received<Int>(), Received<Int>())
    let cancellable = cows.collectionPublisher.record(cancelled) { $0.count }
    var holder: AnyCancellable? = cows.collectionPublisher.record(released) { $0.count }
    let other = cows.collectionPublisher.record(kept) { $0.count }
    #expect(await eventually { cancelled.values == [1] && released.values == [1] && kept.values == [1] })
    cancellable.cancel()
    holder = nil
    try realm.write { realm.add(Cow(2, "Bea")) }
    #expect(await eventually { kept.values == [1, 2] })
    #expect(cancelled.values == [1] && released.values == [1] && cancelled.completions == 0)
    withExtendedLifetime((other, holder)) {}
  }

  @Test func `a subscriber that cancels at once is sent nothing, and is released`() async throws {
    final class Hasty: Subscriber {
      let received: Received<Int>
      init(_ received: Received<Int>) { self.received = received }
      func receive(subscription: any Subscription) { subscription.cancel() }
      func receive(_ input: Results<Cow>) -> Subscribers.Demand {
        received.add(input.count)
        return .none
      }
      func receive(completion: Subscribers.Completion<any Swift.Error>) { received.complete() }
    }
    let realm = try Realm.herd(Cow(1, "Ada"))
    let (hasty, calm) = (Received<Int>(), Received<Int>())
    weak var released: Hasty?
    do {
      let subscriber = Hasty(hasty)
      released = subscriber
      realm.objects(Cow.self).collectionPublisher.subscribe(subscriber)
    }
    let kept = realm.objects(Cow.self).collectionPublisher.record(calm) { $0.count }
    #expect(await eventually { calm.values == [1] })
    #expect(hasty.values.isEmpty && hasty.completions == 0 && released == nil)
    withExtendedLifetime(kept) {}
  }

  final class Holder {
    var token: NotificationToken?
  }

  @Test func `a saved token leaves the subscriber out of a write`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let cow = realm.objects(Cow.self)[0]
    let (left, told) = (Received<String>(), Received<String>())
    let holders = (0..<4).map { _ in Holder() }
    let kept = [
      realm.objects(Cow.self).collectionPublisher.saveToken(on: holders[0], at: \.token).record(left) { _ in "value" },
      changesetPublisher(cow).saveToken(on: holders[1], at: \.token).record(left) { _ in "changeset" },
      cow.objectWillChange.saveToken(on: holders[2], at: \.token).record(left) { _ in "will change" },
      realm.objectWillChange.saveToken(on: holders[3], for: \.token).record(left) { _ in "realm" },
      valuePublisher(cow).record(told) { $0.name },
    ]
    #expect(await eventually { left.values == ["value"] })
    let tokens = try holders.map { try #require($0.token) }
    try realm.write(withoutNotifying: tokens) { cow.name = "Eve" }
    #expect(await eventually { told.values == ["Eve"] })
    #expect(left.values == ["value"])
    try realm.write { cow.name = "Ida" }
    #expect(await eventually { left.values.count == 5 }, "\(left.values)")
    withExtendedLifetime(kept) {}
  }

  @Test func `a write accepts the saved token of what is gone when it begins`() throws {
    let configuration = try Realm.Configuration.herd(Cow(1, "Ada"))
    let realm = try Realm.here(configuration)
    let received = Received<Int>()
    let holder = Holder()
    let kept = valuePublisher(realm.objects(Herd.self)[0]).saveToken(on: holder, at: \.token)
      .record(received) { $0.id }
    let token = try #require(holder.token)
    let far = try deleteHerds(configuration, on: DispatchQueue(label: "pasture"))
    try realm.write(withoutNotifying: [token]) { realm.add(Cow(2, "Bea")) }
    #expect(received.completions == 1)
    withExtendedLifetime((kept, far)) {}
  }
}

/// Deletes all herds in the realm of a queue.
///
/// - Returns: that realm, which shows the version without them.
private func deleteHerds(_ configuration: Realm.Configuration, on queue: DispatchQueue) throws -> Held<Realm> {
  try queue.sync {
    let realm = try Realm(configuration: configuration, queue: queue)
    try realm.write { realm.delete(realm.objects(Herd.self)) }
    return Held(realm)
  }
}

func words<C>(_ change: RealmCollectionChange<C>) -> String {
  switch change {
  case .initial: "initial"
  case .update(_, let deletions, let insertions, let modifications): "-\(deletions) +\(insertions) ~\(modifications)"
  case .error(let error): "\(error)"
  }
}

func words<T>(_ change: ObjectChange<T>) -> String {
  switch change {
  case .change(_, let properties): properties.map { $0.name }.joined(separator: " ")
  case .deleted: "deleted"
  case .error(let error): "\(error)"
  }
}
