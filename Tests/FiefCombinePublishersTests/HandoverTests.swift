import Combine
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

@Suite("Publishers and queues")
@MainActor
struct HandoverTests {
  private let queue = DispatchQueue(label: "pasture")

  @Test func `frozen values are read on any queue, and keep their version`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let received = Received<Held<Results<Cow>>>()
    let cancellable = realm.objects(Cow.self).collectionPublisher.freeze().receive(on: DispatchQueue.global())
      .record(received) { Held($0) }
    #expect(await eventually { received.values.count == 1 })
    try realm.write { realm.add(Cow(2, "Bea")) }
    #expect(await eventually { received.values.count == 2 })
    let counts = await Task.detached { received.values.map { $0.value.isFrozen ? $0.value.count : -1 } }.value
    #expect(counts == [1, 2])
    cancellable.cancel()
  }

  @Test func `frozen changes are read on any queue`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let (cow, herd) = (realm.objects(Cow.self)[0], realm.objects(Herd.self)[0])
    let received = Received<String>()
    let wide = DispatchQueue.global()
    let kept = [
      herd.cows.changesetPublisher.freeze().receive(on: wide).record(received) { change in
        guard case .update(let cows, _, _, _) = change else { return "list initial" }
        return "list \(cows.isFrozen) \(cows[0].name)"
      },
      herd.leaders.changesetPublisher.freeze().receive(on: wide).record(received) { change in
        guard case .update(let leaders, _, _, _) = change else { return "map initial" }
        return "map \(leaders.isFrozen) \((leaders["north"] ?? nil)?.name ?? "")"
      },
      realm.objects(Cow.self).sectioned(by: \.name).changesetPublisher.freeze().receive(on: wide).record(received) {
        guard case .update(let sections, _, _, _, _, _) = $0 else { return "sections initial" }
        return "sections \(sections.isFrozen) \(sections[0].key)"
      },
      changesetPublisher(cow).freeze().receive(on: wide).record(received) { change in
        guard case .change(let cow, let properties) = change else { return "deleted" }
        return "object \(cow.isFrozen) \(cow.name) \(properties.map { $0.newValue as? String ?? "" })"
      },
    ]
    #expect(await eventually { received.values.count == 3 })
    try realm.write {
      cow.name = "Eve"
      herd.leaders["north"] = cow
    }
    let expected = Set(["list true Eve", "map true Eve", "sections true Eve", #"object true Eve ["Eve"]"#])
    #expect(await eventually { expected.isSubset(of: received.values) }, "\(received.values)")
    withExtendedLifetime(kept) {}
  }

  @Test func `a section that has vanished is frozen, and can be asked on any queue`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"), Cow(2, "Bea"))
    let section = realm.objects(Cow.self).sectioned(by: \.name)[0]
    let (values, changes) = (Received<Bool>(), Received<Bool>())
    let wide = DispatchQueue.global()
    let kept = [
      section.collectionPublisher.freeze().receive(on: wide).record(values) { $0.isInvalidated },
      section.changesetPublisher.freeze().receive(on: wide).record(changes) { change in
        switch change {
        case .initial(let section), .update(let section, _, _, _, _, _): section.isInvalidated
        }
      },
    ]
    #expect(await eventually { values.values == [false] && changes.values == [false] })
    try realm.write { realm.delete(realm.objects(Cow.self)[0]) }
    #expect(await eventually { values.values == [false, true] && changes.values == [false, true] })
    withExtendedLifetime(kept) {}
  }

  @Test func `a section that has vanished is published on another queue, and so is its return`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"), Cow(2, "Bea"))
    let section = realm.objects(Cow.self).sectioned(by: \.name)[0]
    let (values, changes) = (Received<Bool>(), Received<String>())
    let kept = [
      section.collectionPublisher.receive(on: queue).record(values) { $0.isInvalidated },
      section.changesetPublisher.receive(on: queue).record(changes) { change in
        guard case .update(let section, _, _, _, let inserted, let deleted) = change else { return "initial" }
        return "\(section.isInvalidated) +\(inserted.count) -\(deleted.count)"
      },
    ]
    #expect(await eventually { values.values == [false] && changes.values == ["initial"] })
    try realm.write { realm.objects(Cow.self)[0].name = "Eve" }
    #expect(await eventually { values.values == [false, true] && changes.values.last == "true +0 -1" })
    try realm.write { realm.objects(Cow.self)[0].name = "Ada" }
    #expect(await eventually { values.values == [false, true, false] && changes.values.last == "false +1 -0" })
    withExtendedLifetime(kept) {}
  }

  @Test func `references arrive live on another queue, in order`() async throws {
    let configuration = try Realm.Configuration.herd(Cow(1, "Ada"))
    let realm = try Realm.here(configuration)
    let (counts, names) = (Received<Int>(), Received<String>())
    let queue = queue
    let kept = [
      realm.objects(Cow.self).collectionPublisher.map { $0.where { $0.weight > 400 } }.threadSafeReference()
        .receive(on: queue).record(counts) { cows in
          dispatchPrecondition(condition: .onQueue(queue))
          return cows.isFrozen ? -1 : cows.count
        },
      valuePublisher(realm.objects(Cow.self)[0]).threadSafeReference().receive(on: queue).record(names) { cow in
        dispatchPrecondition(condition: .onQueue(queue))
        return cow.isFrozen ? "" : cow.name
      },
    ]
    #expect(await eventually { counts.values == [1] })
    for number in 2...5 {
      try realm.write {
        realm.add(Cow(number, "Cow \(number)"))
        realm.objects(Cow.self)[0].name = "Ada \(number)"
      }
      #expect(await eventually { counts.values.last == number && names.values.last == "Ada \(number)" })
    }
    #expect(counts.values == counts.values.sorted())
    withExtendedLifetime(kept) {}
  }

  @Test func `publishers hand their own values over without a word`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let (cow, herd) = (realm.objects(Cow.self)[0], realm.objects(Herd.self)[0])
    let received = Received<String>()
    let queue = queue
    @Sendable func here(_ text: String) -> String {
      dispatchPrecondition(condition: .onQueue(queue))
      return text
    }
    let kept = [
      herd.cows.collectionPublisher.receive(on: queue).record(received) { here("value \($0.first?.name ?? "gone")") },
      herd.cows.changesetPublisher.receive(on: queue).record(received) { change in
        guard case .update(let cows, _, _, let modifications) = change else { return here("list initial") }
        return here("list \(cows.first?.name ?? "gone") \(modifications)")
      },
      herd.yields.changesetPublisher.threadSafeReference().receive(on: queue).record(received) { change in
        guard case .update(let yields, _, let insertions, _) = change else { return here("map initial") }
        return here("map \(insertions.compactMap { yields[$0] })")
      },
      realm.objects(Cow.self).sectioned(by: \.id).changesetPublisher.receive(on: queue).record(received) { change in
        guard case .update(let sections, _, _, _, _, _) = change else { return here("sections initial") }
        return here("sections \(sections.first?.first?.name ?? "gone")")
      },
      changesetPublisher(cow).receive(on: queue).record(received) { change in
        guard case .change(let cow, let properties) = change else { return here("deleted") }
        return here("object \(cow.name) \(properties.map { $0.oldValue as? String ?? "" })")
      },
    ]
    let first = Set(["value Ada", "list initial", "map initial", "sections initial"])
    #expect(await eventually { Set(received.values) == first }, "\(received.values)")
    try realm.write {
      cow.name = "Eve"
      herd.yields["May"] = 20
    }
    let second = Set(["value Eve", "list Eve [0]", "map [20]", "sections Eve", #"object Eve ["Ada"]"#])
    #expect(await eventually { second.isSubset(of: received.values) }, "\(received.values)")
    try realm.write { realm.delete(cow) }
    #expect(await eventually { received.completions == 1 })
    #expect(!received.values.contains("deleted"))
    withExtendedLifetime(kept) {}
  }

  @Test func `subscribing on a queue observes there, and changes fit their collections`() async throws {
    let configuration = try Realm.Configuration.herd(Cow(1, "Ada"))
    let realm = try Realm.here(configuration)
    let (ids, names) = (Received<[Int]>(), Received<String>())
    let queue = queue
    let shown = Received<Int>()
    let kept = [
      realm.objects(Cow.self).sorted(byKeyPath: "id").changesetPublisher.subscribe(on: queue).record(ids) { change in
        dispatchPrecondition(condition: .onQueue(queue))
        switch change {
        case .initial(let cows): return cows.map { $0.id }
        case .update(let cows, _, let insertions, _): return insertions.map { cows[$0].id }
        case .error: return []
        }
      },
      valuePublisher(realm.objects(Cow.self)[0]).subscribe(on: queue).record(names) { $0.name },
    ]
    #expect(await eventually { ids.values == [[1]] })
    try realm.write {
      realm.objects(Cow.self)[0].name = "Eve"
      realm.add([Cow(2, "Bea"), Cow(3, "Cleo")])
    }
    #expect(await eventually { ids.values.flatMap { $0 } == [1, 2, 3] && names.values == ["Eve"] })
    try realm.write { realm.delete(realm.objects(Cow.self).where { $0.id == 1 }) }
    #expect(await eventually { names.completions == 1 })
    withExtendedLifetime((kept, shown)) {}
  }

  @Test func `what is deleted before it arrives is left out, and the next value comes`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"), Cow(2, "Bea"))
    let subject = PassthroughSubject<Cow, Never>()
    let names = Received<String>()
    let cancellable = subject.threadSafeReference().receive(on: queue).record(names) { $0.name }
    queue.suspend()
    subject.send(realm.objects(Cow.self)[0])
    try realm.write { realm.delete(realm.objects(Cow.self)[0]) }
    // A reference is to the version where it was made; the queue's realm is at the latest one already.
    subject.send(realm.objects(Cow.self)[0])
    subject.send(completion: .finished)
    queue.resume()
    #expect(await eventually { names.completions == 1 })
    #expect(names.values.last == "Bea")
    #expect(names.values == ["Bea"] || names.values == ["Ada", "Bea"])
    cancellable.cancel()
  }

  @Test func `nothing arrives after a cancellation`() async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let (counts, others) = (Received<Int>(), Received<Int>())
    let cancellable = realm.objects(Cow.self).collectionPublisher.receive(on: queue).record(counts) { $0.count }
    let other = realm.objects(Cow.self).collectionPublisher.record(others) { $0.count }
    queue.suspend()
    #expect(await eventually { others.values == [1] })
    cancellable.cancel()
    queue.resume()
    queue.sync {}
    #expect(counts.values.isEmpty && counts.completions == 0)
    withExtendedLifetime(other) {}
  }

  /// Keeps its subscription until the end, as operators do.
  private final class Keeper: Subscriber {
    private let received: Received<Int>
    private var subscription: (any Subscription)?

    init(_ received: Received<Int>) { self.received = received }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(.unlimited)
    }

    func receive(_ input: Cow) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<any Swift.Error>) {
      subscription = nil
      received.complete()
    }

    func cancel() {
      subscription?.cancel()
      subscription = nil
    }
  }

  @Test(arguments: [true, false])
  func `a subscriber is released when it cancels, and after the completion`(_ cancels: Bool) async throws {
    let realm = try Realm.herd(Cow(1, "Ada"))
    let cow = realm.objects(Cow.self)[0]
    let received = Received<Int>()
    weak var released: Keeper?
    do {
      let keeper = Keeper(received)
      released = keeper
      valuePublisher(cow).receive(on: queue).subscribe(keeper)
      if cancels {
        keeper.cancel()
      } else {
        try realm.write { realm.delete(cow) }
        #expect(await eventually { received.completions == 1 })
      }
    }
    queue.sync {}
    #expect(released == nil)
  }

  @Test func `a realm is opened in the background, on the main thread or a queue`() async throws {
    let configuration = try Realm.Configuration.herd(Cow(1, "Ada"))
    let counts = Received<Int>()
    let queue = queue
    let kept = [
      Realm.asyncOpen(configuration: configuration).record(counts) { realm in
        dispatchPrecondition(condition: .onQueue(.main))
        return realm.objects(Cow.self).count
      },
      Realm.asyncOpen(configuration: configuration).onProgressNotification { _ in
        Issue.record("Nothing is downloaded.")
      }.receive(on: queue).record(counts) { realm in
        dispatchPrecondition(condition: .onQueue(queue))
        return realm.objects(Cow.self).count
      },
      Realm.asyncOpen(configuration: configuration).subscribe(on: queue).record(counts) { $0.objects(Cow.self).count },
    ]
    #expect(await eventually { counts.values == [1, 1, 1] && counts.completions == 3 })
    withExtendedLifetime(kept) {}
  }

  @Test func `an opening fails with the error, or is cancelled without one`() async throws {
    let failed = Received<String>()
    let impossible = Realm.Configuration(fileURL: URL(fileURLWithPath: "/dev/null/x"), objectTypes: [Cow.self])
    let opened = Realm.asyncOpen(configuration: impossible).sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { failed.add("\(type(of: error))") } else { failed.complete() }
      }, receiveValue: { _ in failed.complete() })
    let cancelled = Received<Int>()
    let configuration = try Realm.Configuration.herd(Cow(1, "Ada"))
    Realm.asyncOpen(configuration: configuration).record(cancelled) { _ in 1 }.cancel()
    let later = Received<Int>()
    let kept = Realm.asyncOpen(configuration: configuration).record(later) { _ in 1 }
    #expect(await eventually { failed.values == ["Error"] && later.values == [1] })
    #expect(failed.completions == 0 && cancelled.values.isEmpty && cancelled.completions == 0)
    withExtendedLifetime((opened, kept)) {}
  }
}
