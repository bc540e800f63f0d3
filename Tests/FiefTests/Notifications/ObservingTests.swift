import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Sensor: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var level: Int8 = 0
  @Persisted var next: Sensor?
  @Persisted var history: List<Int>
  @Persisted var links: List<Sensor>
  @Persisted var marks: MutableSet<String>
  @Persisted var limits: Map<String, Int>
  @Persisted var peers: Map<String, Sensor?>
  @Persisted var mount: Mount?
  @Persisted var extra: AnyRealmValue
  @Persisted(originProperty: "next") var sources: LinkingObjects<Sensor>

  convenience init(_ id: Int, _ name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

private class Mount: EmbeddedObject {
  @Persisted var height = 0
}

private class SensorView: Projection<Sensor> {
  @Projected(\Sensor.next) var following
  @Projected(\Sensor.extra) var note
}

private class SensorLists: Projection<Sensor> {
  @Projected(\Sensor.links.projectTo.name) var names: ProjectedCollection<String>
  @Projected(\Sensor.history) var levels
  @Projected(\Sensor.sources) var sources
}

private func memory() -> Realm.Configuration { .inMemory(objectTypes: [Sensor.self, Mount.self]) }

private struct Positions: Equatable, CustomStringConvertible {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var modifications: [Int] = []
  var isInitial = false

  var description: String { isInitial ? "initial" : "-\(deletions) +\(insertions) ~\(modifications)" }
}

private final class Told {
  var all: [Positions] = []
  var tokens: [NotificationToken] = []

  func hear<C: RealmCollection>(_ collection: C, keyPaths: [String]? = nil) {
    tokens.append(
      collection.observe(keyPaths: keyPaths) { [unowned self] change in
        switch change {
        case .initial: all.append(Positions(isInitial: true))
        case .update(_, let deletions, let insertions, let modifications):
          all.append(Positions(deletions: deletions, insertions: insertions, modifications: modifications))
        case .error: break
        }
      })
  }

  /// The notifications since the last call.
  func take() -> [Positions] {
    defer { all = [] }
    return all
  }
}

@MainActor @Suite struct RealmObservingTests {
  @Test func theWriterIsNotifiedBeforeItsWriteReturns() throws {
    let realm = try Realm(configuration: memory())
    var told: [Realm.Notification] = []
    let token = realm.observe { notification, _ in told.append(notification) }
    try realm.write { realm.add(Sensor(1)) }
    #expect(told == [.didChange])
    try realm.write {}
    #expect(told.count == 2)
    realm.beginWrite()
    realm.cancelWrite()
    #expect(told.count == 2)
    try realm.write(withoutNotifying: [token]) { realm.add(Sensor(2)) }
    #expect(told.count == 2)
    #expect(token.invalidate())
    #expect(!token.invalidate())
    try realm.write { realm.add(Sensor(3)) }
    #expect(told.count == 2)
  }

  @Test func noBlockRunsInsideThatOfARealmWhichIsToldOfItsCommit() throws {
    let realm = try Realm(configuration: memory())
    let sensors = realm.objects(Sensor.self)
    var told: [String] = []
    let tokens = [
      realm.observe { _, realm in
        told.append("begin \(realm.refresh())")
        realm.invalidate()
        told.append("end")
      },
      sensors.observe { _ in told.append("\(sensors.count) sensors") },
    ]
    try realm.write { realm.add(Sensor(1)) }
    #expect(told == ["0 sensors", "begin false", "end"])
    realm.refresh()
    #expect(told == ["0 sensors", "begin false", "end", "1 sensors"])
    withExtendedLifetime(tokens) {}
  }

  @Test nonisolated func aRealmThatDoesNotAdvanceReceivesRefreshRequired() throws {
    let configuration = memory()
    let queue = DispatchQueue(label: "watching")
    let told = Mutex<[String]>([])
    let kept = try queue.sync {
      let own = try Realm(configuration: configuration, queue: queue)
      own.autorefresh = false
      _ = own.isEmpty
      return Held(
        own.observe { notification, realm in told.withLock { $0.append("\(notification) \(realm.isEmpty)") } })
    }
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Sensor(1)) }
    queue.sync {}
    #expect(told.withLock { $0 } == ["refreshRequired true"])
    withExtendedLifetime(kept) {}
  }

  @Test func lettingGoOfTheTokenEndsTheObservation() throws {
    let realm = try Realm(configuration: memory())
    var count = 0
    var token: NotificationToken? = realm.observe { _, _ in count += 1 }
    try realm.write {}
    #expect(token != nil)
    token = nil
    try realm.write {}
    #expect(count == 1)
  }
}

private enum Wide: Int64, PersistableEnum { case a, b }

private class Widths: Object {
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var optional: Int64?
  @Persisted var kind: Wide
}

@MainActor @Suite struct ObjectObservingTests {
  private func told(
    _ sensor: Sensor, _ keyPaths: [String]? = nil, _ writes: () throws -> Void
  ) throws -> [String] {
    var told: [String] = []
    let token = sensor.observe(keyPaths: keyPaths) { change in
      switch change {
      case .change(let object, let properties):
        #expect(object == sensor)
        for property in properties {
          let (old, new) = (property.oldValue.map { "\($0)" }, property.newValue.map { "\($0)" })
          told.append("\(property.name): \(old ?? "nil") -> \(new ?? "nil")")
        }
      case .deleted: told.append("deleted")
      case .error: break
      }
    }
    try writes()
    sensor.realm?.refresh()
    token.invalidate()
    return told
  }

  @Test func integersArriveInTheirDeclaredTypes() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Widths.self]))
    let widths = Widths()
    try realm.write { realm.add(widths) }
    var types: [String] = []
    let note = { (change: ObjectChange<ObjectBase>) in
      guard case .change(_, let properties) = change else { return }
      for property in properties {
        let values = [property.oldValue, property.newValue]
        types.append("\(property.name) \(values.map { $0.map { "\(type(of: $0))" } ?? "nil" }.joined(separator: " "))")
      }
    }
    let tokens = [widths.observe { note($0) }]
    try realm.write {
      (widths.int, widths.int8, widths.int16, widths.int32, widths.int64) = (1, 1, 1, 1, 1)
      widths.optional = 1
      widths.kind = .b
    }
    realm.refresh()
    #expect(
      types == [
        "int Int Int", "int8 Int8 Int8", "int16 Int16 Int16", "int32 Int32 Int32", "int64 Int64 Int64",
        "optional nil Int64", "kind Int64 Int64",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func changedPropertiesArriveInOrderWithOldAndNewValues() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1, "a")
    try realm.write { realm.add(sensor) }
    let told = try told(sensor) {
      try realm.write {
        sensor.level = 3
        sensor.name = "b"
      }
    }
    #expect(told == ["name: a -> b", "level: 0 -> 3"])
  }

  @Test func noChangeIsDeliveredInsideAWriteOrTwice() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    try realm.write { realm.add(sensor) }
    var count = 0
    let token = sensor.observe { (_: ObjectChange<Sensor>) in count += 1 }
    try realm.write { sensor.name = "b" }
    #expect(count == 0)
    try realm.write {
      #expect(count == 1)
      sensor.name = "c"
    }
    realm.refresh()
    realm.refresh()
    #expect(count == 2)
    try realm.write { sensor.name = "c" }
    realm.refresh()
    #expect(count == 2)
    try realm.write(withoutNotifying: [token]) { sensor.name = "d" }
    realm.refresh()
    #expect(count == 2)
  }

  @Test func collectionsNestedValuesAndLinksCountButNotWhatTheyLeadTo() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    sensor.next = Sensor(2)
    sensor.mount = Mount()
    try realm.write {
      realm.add(sensor)
      sensor.extra = .fromArray([.int(1)])
    }
    #expect(try told(sensor) { try realm.write { sensor.next?.name = "x" } } == [])
    #expect(try told(sensor) { try realm.write { sensor.mount?.height = 2 } } == [])
    #expect(try told(sensor) { try realm.write { sensor.history.append(1) } }.map { $0.prefix(8) } == ["history:"])
    #expect(
      try told(sensor) { try realm.write { sensor.extra.listValue?.append(.int(2)) } }.map { $0.prefix(6) } == [
        "extra:"
      ])
    #expect(try told(sensor) { try realm.write { sensor.next = nil } }.map { $0.prefix(5) } == ["next:"])
  }

  /// A list that was changed could only be shown as it is now, and one that was replaced not at all.
  @Test func aCollectionInAnAnyValueHasNoOldValue() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    try realm.write {
      realm.add(sensor)
      sensor.extra = .fromArray([.int(1)])
    }
    let appended = try told(sensor) { try realm.write { sensor.extra.listValue?.append(.int(2)) } }
    #expect(appended.count == 1 && appended.allSatisfy { $0.hasPrefix("extra: nil -> List") })
    #expect(try told(sensor) { try realm.write { sensor.extra = .int(3) } } == ["extra: nil -> 3"])
    let replaced = try told(sensor) { try realm.write { sensor.extra = .fromDictionary(["a": .int(1)]) } }
    #expect(replaced.count == 1 && replaced.allSatisfy { $0.hasPrefix("extra: 3 -> Map") })
  }

  @Test func objectsAmongTheOldValuesOfAProjectionAreLive() throws {
    let realm = try Realm(configuration: memory())
    let (sensor, peer) = (Sensor(1), Sensor(2, "p"))
    try realm.write {
      realm.add([sensor, peer])
      (sensor.next, sensor.extra) = (peer, .object(peer))
    }
    var told: [PropertyChange] = []
    let token = SensorView(projecting: sensor).observe { (change: ObjectChange<SensorView>) in
      if case .change(_, let properties) = change { told += properties }
    }
    try realm.write {
      peer.name = "q"
      (sensor.next, sensor.extra) = (nil, .fromArray([.int(1)]))
    }
    realm.refresh()
    #expect(told.map(\.name) == ["following", "note"])
    let old = [told[0].oldValue as? Sensor, (told[1].oldValue as? AnyRealmValue)?.object(Sensor.self)]
    #expect(old.allSatisfy { $0?.isFrozen == false && $0?.name == "q" }, "They show their present state.")
    try realm.write { (sensor.next, sensor.extra) = (old[0], .none) }
    realm.refresh()
    #expect(told.count == 4 && told[3].oldValue == nil, "A collection has no old value.")
    try realm.write {
      sensor.next = nil
      realm.delete(peer)
    }
    realm.refresh()
    #expect(told.count == 5 && told[4].oldValue == nil, "It no longer exists.")
    withExtendedLifetime(token) {}
  }

  @Test func collectionsThatAProjectionShowsHaveNoOldValue() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1, "a")
    try realm.write { realm.add(sensor) }
    var told: [PropertyChange] = []
    let token = SensorLists(projecting: sensor).observe { (change: ObjectChange<SensorLists>) in
      if case .change(_, let properties) = change { told += properties }
    }
    try realm.write {
      sensor.links.append(sensor)
      sensor.history.append(1)
      sensor.next = sensor
    }
    realm.refresh()
    #expect(told.map(\.name) == ["names", "levels", "sources"])
    #expect(told.allSatisfy { $0.oldValue == nil && $0.newValue != nil })
    withExtendedLifetime(token) {}
  }

  @Test func anObjectInAnAnyValueOfAProjectionIsFrozenForTasksWithoutAnActor() async throws {
    func changed() throws -> ObservedChanges<SensorView, ObjectChange<SensorView>> {
      let realm = try Realm(configuration: memory())
      let sensor = Sensor(1)
      try realm.write {
        realm.add(sensor)
        sensor.extra = .object(sensor)
      }
      let changes = SensorView(projecting: sensor).changes
      try realm.write { sensor.extra = .fromArray([.object(sensor)]) }
      return changes
    }
    #expect(await firstNote(try changed()) == "object frozen, list frozen, of 1")
  }

  @Test func keyPathsTellOfWhatTheyNameUnderTheFirstName() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    sensor.next = Sensor(2)
    let source = Sensor(3)
    source.next = sensor
    try realm.write {
      realm.add(sensor)
      realm.add(source)
    }
    let paths = ["next.name", "sources.name"]
    #expect(try told(sensor, paths) { try realm.write { sensor.name = "x" } } == [])
    #expect(try told(sensor, paths) { try realm.write { sensor.next?.level = 1 } } == [])
    #expect(try told(sensor, paths) { try realm.write { sensor.next?.name = "n" } }.map { $0.prefix(5) } == ["next:"])
    #expect(try told(sensor, paths) { try realm.write { source.name = "s" } }.map { $0.prefix(8) } == ["sources:"])
    #expect(try told(sensor, paths) { try realm.write { realm.add(with(Sensor(4)) { $0.next = sensor }) } }.count == 1)
    #expect(try told(sensor, paths) { try realm.write { sensor.next = nil } }.map { $0.prefix(5) } == ["next:"])
  }

  @Test func aDeletionIsDeliveredOnceAndEndsTheObservation() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    try realm.write { realm.add(sensor) }
    var told: [String] = []
    let token = sensor.observe { (change: ObjectChange<Sensor>) in
      if case .deleted = change { told.append("deleted") } else { told.append("other") }
    }
    try realm.write { realm.delete(sensor) }
    try realm.write { realm.add(Sensor(1)) }
    realm.refresh()
    #expect(told == ["deleted"])
    token.invalidate()
  }

  @Test func aWriteAcceptsTheTokenOfAnObjectThatIsGoneWhenItBegins() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    let sensor = Sensor(1)
    try realm.write { realm.add(sensor) }
    var told = 0
    let token = sensor.observe { (_: ObjectChange<Sensor>) in told += 1 }
    try elsewhere {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.deleteAll() }
    }
    for id in 2...3 { try realm.write(withoutNotifying: [token]) { realm.add(Sensor(id)) } }
    #expect(told == 1)
    #expect(!token.invalidate())
  }

  @Test func aDeletionInAWriteThatSkipsTheTokenIsNeverDelivered() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    try realm.write { realm.add(sensor) }
    var told = 0
    let tokens = [
      sensor.observe { (_: ObjectChange<Sensor>) in told += 1 },
      sensor.limits.observe { _ in told += 1 },
    ]
    realm.refresh()
    #expect(told == 1)
    try realm.write(withoutNotifying: tokens) { realm.delete(sensor) }
    try realm.write { realm.add(Sensor(2)) }
    realm.refresh()
    #expect(told == 1)
    #expect(!tokens[0].invalidate() && !tokens[1].invalidate())
  }

  @Test nonisolated func changesOfManyCommitsComeTogether() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1, "a")
    try realm.write { realm.add(sensor) }
    var told: [String] = []
    let queue = DispatchQueue(label: "far")
    let done = DispatchSemaphore(value: 0)
    let heard = Mutex<[String]>([])
    let token = sensor.observe(on: queue) { (change: ObjectChange<Sensor>) in
      if case .change(let far, let properties) = change {
        heard.withLock { $0 += properties.map { "\($0.name) \(far.name)" } }
        if far.name == "c" { done.signal() }
      }
    }
    try realm.write { sensor.name = "b" }
    try realm.write { sensor.name = "c" }
    done.wait()
    told = heard.withLock { $0 }
    #expect(told.last == "name c" && told.count <= 2)
    token.invalidate()
  }

  @Test func anUnknownNameTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await observeUnknown()
    }
    expectSentence("Invalid property name 'nonsense' in key path 'nonsense'", of: result)
  }

  @Test func observingInsideAWriteThatChangedSomethingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await observeInWrite()
    }
    expectSentence("cannot be observed inside a write transaction", of: result)
  }

  @Test func aWriteThatIsToSkipAnObservationThatHasNotBegunTrapsAndSaysSo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memory())
      let queue = DispatchQueue(label: "busy")
      queue.suspend()
      let token = realm.objects(Sensor.self).observe(on: queue) { _ in }
      try realm.write(withoutNotifying: [token]) { realm.add(Sensor(1)) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("has not begun yet on its queue") && !text.contains("invalidated"))
  }
}

private func with<T: AnyObject>(_ object: T, _ change: (T) -> Void) -> T {
  change(object)
  return object
}

/// Describes the any-values of the first change.
private func firstNote(_ changes: ObservedChanges<SensorView, ObjectChange<SensorView>>) async -> String {
  for await case .change(_, let properties) in changes {
    guard case .object(let object)? = properties[0].oldValue as? AnyRealmValue,
      case .list(let list)? = properties[0].newValue as? AnyRealmValue
    else { break }
    return "object \(object.isFrozen ? "frozen" : "live"), list \(list.isFrozen ? "frozen" : "live"), of \(list.count)"
  }
  return "other values"
}

@MainActor private func observeUnknown() throws {
  let realm = try Realm(configuration: memory())
  let sensor = Sensor(1)
  try realm.write { realm.add(sensor) }
  _ = sensor.observe(keyPaths: ["nonsense"]) { (_: ObjectChange<Sensor>) in }
}

@MainActor private func observeInWrite() throws {
  let realm = try Realm(configuration: memory())
  let sensor = Sensor(1)
  try realm.write {
    realm.add(sensor)
    _ = sensor.observe { (_: ObjectChange<Sensor>) in }
  }
}

@MainActor @Suite struct CollectionObservingTests {
  @Test func resultsArriveFirstAndThenTheirChanges() throws {
    let realm = try Realm(configuration: memory())
    let sensors = (0..<5).map { Sensor($0) }
    try realm.write { realm.add(sensors) }
    let told = Told()
    told.hear(realm.objects(Sensor.self))
    #expect(told.take() == [])
    realm.refresh()
    #expect(told.take() == [Positions(isInitial: true)])
    try realm.write {
      realm.delete(sensors[1])
      sensors[3].name = "x"
      realm.add([Sensor(5), Sensor(6)])
    }
    #expect(told.take() == [])
    realm.refresh()
    #expect(told.take() == [Positions(deletions: [1], insertions: [4, 5], modifications: [3])])
    try realm.write { realm.add(Sensor(7)) }
    try realm.write { realm.delete(realm.object(ofType: Sensor.self, forPrimaryKey: 7)!) }
    realm.refresh()
    // The beginning of the second write notified of the first one.
    #expect(told.take() == [Positions(insertions: [6]), Positions(deletions: [6])])
  }

  @Test func commitsElsewhereArriveAsOneChange() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Sensor(1)) }
    let told = Told()
    told.hear(realm.objects(Sensor.self))
    realm.refresh()
    _ = told.take()
    let queue = DispatchQueue(label: "elsewhere")
    try queue.sync {
      for number in 2..<5 {
        let own = try Realm(configuration: configuration, queue: queue)
        try own.write { own.add(Sensor(number)) }
      }
      let own = try Realm(configuration: configuration, queue: queue)
      try own.write { own.object(ofType: Sensor.self, forPrimaryKey: 3).map(own.delete) }
    }
    realm.refresh()
    #expect(told.take() == [Positions(insertions: [1, 2])])
  }

  @Test func changesOverFourLinksAreModificationsAndOverFiveAreNot() throws {
    let realm = try Realm(configuration: memory())
    let chain = (0..<6).map { Sensor($0) }
    for number in 0..<5 { chain[number].links.append(chain[number + 1]) }
    let list = Sensor(10)
    try realm.write {
      realm.add(chain)
      realm.add(list)
      list.links.append(objectsIn: [chain[0], chain[1]])
    }
    let told = Told()
    told.hear(list.links)
    realm.refresh()
    _ = told.take()
    try realm.write { chain[4].name = "x" }
    realm.refresh()
    #expect(told.take() == [Positions(modifications: [0, 1])])
    try realm.write { chain[5].name = "x" }
    realm.refresh()
    #expect(told.take() == [Positions(modifications: [1])])
  }

  @Test func keyPathsNameWhatCountsAsModified() throws {
    let realm = try Realm(configuration: memory())
    let sensors = (0..<3).map { Sensor($0) }
    sensors[0].next = sensors[1]
    try realm.write { realm.add(sensors) }
    let told = Told()
    told.hear(realm.objects(Sensor.self), keyPaths: ["next.name", "level"])
    realm.refresh()
    _ = told.take()
    try realm.write { sensors[1].name = "x" }
    realm.refresh()
    #expect(told.take() == [Positions(modifications: [0])])
    try realm.write { sensors[2].name = "x" }
    realm.refresh()
    #expect(told.take() == [])
    try realm.write {
      sensors[2].level = 1
      realm.add(Sensor(3))
    }
    realm.refresh()
    #expect(told.take() == [Positions(insertions: [3], modifications: [2])])
  }

  @Test func aListTellsReplacedValuesAsModifications() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    sensor.history.append(objectsIn: [1, 2, 3, 4])
    try realm.write { realm.add(sensor) }
    let told = Told()
    told.hear(sensor.history)
    told.hear(sensor.marks)
    realm.refresh()
    #expect(told.take().count == 2)
    try realm.write {
      sensor.history[1] = 7
      sensor.history.append(9)
      sensor.marks.insert("b")
      sensor.marks.insert("a")
    }
    realm.refresh()
    #expect(told.take() == [Positions(insertions: [4], modifications: [1]), Positions(insertions: [0, 1])])
    try realm.write {
      sensor.history.remove(at: 0)
      sensor.marks.remove("a")
    }
    realm.refresh()
    #expect(told.take() == [Positions(deletions: [0]), Positions(deletions: [0])])
    try realm.write { realm.delete(sensor) }
    realm.refresh()
    #expect(told.take() == [Positions(deletions: [0, 1, 2, 3]), Positions(deletions: [0])])
  }

  @Test func aMapTellsItsKeys() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    let peer = Sensor(2)
    try realm.write {
      realm.add([sensor, peer])
      sensor.peers["b"] = peer
      sensor.limits["x"] = 1
    }
    var told: [String] = []
    func words<M>(_ change: RealmMapChange<M>) -> String {
      switch change {
      case .initial: "initial"
      case .update(_, let deletions, let insertions, let modifications):
        "-\(deletions) +\(insertions) ~\(modifications)"
      case .error: "error"
      }
    }
    let tokens = [
      sensor.limits.observe { told.append("limits " + words($0)) },
      sensor.peers.observe { told.append("peers " + words($0)) },
    ]
    realm.refresh()
    #expect(told == ["limits initial", "peers initial"])
    told = []
    try realm.write {
      sensor.limits["x"] = 2
      sensor.limits["a"] = 3
      peer.name = "changed"
    }
    realm.refresh()
    #expect(told == [#"limits -[] +["a"] ~["x"]"#, #"peers -[] +[] ~["b"]"#])
    told = []
    try realm.write {
      sensor.limits["a"] = nil
      realm.delete(peer)
    }
    realm.refresh()
    #expect(told == [#"limits -["a"] +[] ~[]"#, #"peers -[] +[] ~["b"]"#])
    tokens.forEach { $0.invalidate() }
  }

  @Test func valuesOfAMapThatSatisfyAConditionAreObserved() throws {
    let realm = try Realm(configuration: memory())
    let sensor = Sensor(1)
    try realm.write {
      realm.add(sensor)
      for id in 2...4 { sensor.peers["\(id)"] = Sensor(id, "old") }
    }
    let told = Told()
    told.hear(sensor.peers.where { $0.name == "old" })
    realm.refresh()
    #expect(told.take() == [Positions(isInitial: true)])
    try realm.write {
      sensor.peers["3"]??.name = "new"
      sensor.peers["4"]??.level = 1
      sensor.peers["5"] = Sensor(5, "old")
    }
    realm.refresh()
    #expect(told.take() == [Positions(deletions: [1], insertions: [2], modifications: [2])])
    let old = sensor.peers.where { $0.name == "old" }
    #expect(old.index(of: sensor.peers["4"] ?? nil) == 1 && old.index(of: sensor.peers["3"] ?? nil) == nil)
  }

  @Test func anObserverOnAnActorRunsThere() async throws {
    let configuration = memory()
    let station = Station()
    let token = try await station.watch(configuration)
    #expect(await eventually { await station.hasBegun })
    try add(configuration)
    #expect(await eventually { await station.changes > 0 })
    #expect(await station.changes == 1)
    token.invalidate()
  }

  /// Applying the reported changes to the old elements gives the new ones, for any sequence of writes.
  @Test(arguments: Seeds.first(8)) func deliveredChangesLeadFromOldToNew(_ seed: Seed) throws {
    var random = seed.random
    let realm = try Realm(configuration: memory())
    let owner = Sensor(1000)
    try realm.write { realm.add(owner) }
    let mirror = Mirror()
    mirror.keep(0, realm.objects(Sensor.self)) { "\($0.id) \($0.name)" }
    mirror.keep(1, owner.links) { "\($0.id) \($0.name)" }
    mirror.keep(2, owner.history) { "\($0)" }
    mirror.keep(3, realm.objects(Sensor.self).sorted(byKeyPath: "name")) { "\($0.id) \($0.name)" }
    var next = 0
    for _ in 0..<40 {
      try realm.write {
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
          let all = realm.objects(Sensor.self)
          let some = all[Int.random(in: 0..<all.count, using: &random)]
          switch Int.random(in: 0..<8, using: &random) {
          case 0, 1:
            let made = Sensor(next)
            next += 1
            realm.add(made)
            owner.links.append(made)
          case 2: if some.id != 1000 { realm.delete(some) }
          case 3: some.name = "\(Int.random(in: 0..<100, using: &random))"
          case 4:
            owner.history.insert(
              Int.random(in: 0..<9, using: &random), at: Int.random(in: 0...owner.history.count, using: &random))
          case 5:
            if owner.history.count > 0 {
              owner.history.remove(at: Int.random(in: 0..<owner.history.count, using: &random))
            }
          case 6:
            if owner.links.count > 1 {
              owner.links.move(
                from: Int.random(in: 0..<owner.links.count, using: &random),
                to: Int.random(in: 0..<owner.links.count, using: &random))
            }
          default: owner.links.append(some)
          }
        }
      }
      if Bool.random(using: &random) { realm.refresh() }
    }
    realm.refresh()
    #expect(mirror.elements[0] == realm.objects(Sensor.self).map { "\($0.id) \($0.name)" })
    #expect(mirror.elements[1] == owner.links.map { "\($0.id) \($0.name)" })
    #expect(mirror.elements[3] == realm.objects(Sensor.self).sorted(byKeyPath: "name").map { "\($0.id) \($0.name)" })
    #expect(mirror.elements[2] == owner.history.map { "\($0)" })
    mirror.tokens.forEach { $0.invalidate() }
  }
}

/// The elements of collections, kept up to date by the reported changes alone.
@MainActor private final class Mirror {
  private(set) var elements: [[String]] = [[], [], [], []]
  private(set) var tokens: [NotificationToken] = []

  func keep<C: RealmCollection>(_ number: Int, _ collection: C, _ text: @escaping (C.Element) -> String) {
    tokens.append(
      collection.observe { [unowned self] change in
        switch change {
        case .initial(let collection): elements[number] = Array(collection.map(text))
        case .update(let collection, let deletions, let insertions, let modifications):
          var now = elements[number]
          let gone = Set(deletions)
          #expect(gone.isDisjoint(with: modifications))
          for position in modifications { now[position] = "?" }
          for position in deletions.reversed() { now.remove(at: position) }
          for position in insertions { now.insert("?", at: position) }
          let after = Array(collection.map(text))
          #expect(now.count == after.count)
          for (a, b) in zip(now, after) where a != "?" { #expect(a == b) }
          elements[number] = after
        case .error: break
        }
      })
  }
}

private actor Station {
  var changes = 0
  var hasBegun = false
  func note() { changes += 1 }
  func begin() { hasBegun = true }

  func watch(_ configuration: Realm.Configuration) async throws -> NotificationToken {
    let realm = try await Realm.open(configuration: configuration)
    return await realm.objects(Sensor.self).observe(on: self) { station, change in
      if case .update = change { station.note() } else { station.begin() }
    }
  }
}

private func add(_ configuration: Realm.Configuration) throws {
  let realm = try Realm(configuration: configuration)
  try realm.write { realm.add(Sensor(1)) }
}
