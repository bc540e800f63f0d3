import FiefTestSupport
import RealmSwift
import Testing

private class Sensor: Object {
  @Persisted var value = 0
}

private class Gauge: Object {
  @Persisted var value = 0
  @Persisted var sensor: Sensor?
}

private class Slot: EmbeddedObject {
  @Persisted var gauge: Gauge?
}

private class Rack: Object {
  @Persisted var list: List<Gauge>
  @Persisted var set: MutableSet<Gauge>
  @Persisted var map: Map<String, Gauge?>
  @Persisted var slots: List<Slot>
  @Persisted var numbers: MutableSet<Int?>
  @Persisted var values: MutableSet<AnyRealmValue>
}

@Suite struct ObservingManyTests {
  private func sensors(_ count: Int) throws -> [Sensor] {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Sensor.self]))
    return try realm.write { (0..<count).map { _ in realm.create(Sensor.self) } }
  }

  /// Registers and invalidates an observer for each sensor, from the first or from the last.
  private func time(_ sensors: [Sensor], fromTheLast: Bool) -> Duration {
    threadTime {
      let tokens = sensors.map { $0.observe { (_: ObjectChange<Sensor>) in } }
      for token in fromTheLast ? tokens.reversed() : tokens { token.invalidate() }
    }
  }

  @MainActor @Test(arguments: [true, false])
  func eightTimesAsManyObserversTakeSomeEightTimesAsLong(_ fromTheLast: Bool) throws {
    let (few, many) = (try sensors(1_000), try sensors(8_000))
    let short = (0..<5).map { _ in time(few, fromTheLast: fromTheLast) }.min() ?? .zero
    let long = (0..<3).map { _ in time(many, fromTheLast: fromTheLast) }.min() ?? .zero
    #expect(long < short * 30, "\(short) for 1,000, and \(long) for 8,000")
  }

  @MainActor @Test func theOthersAreToldInTheOrderOfRegistrationAfterManyHaveGone() throws {
    let sensors = try sensors(1)
    let realm = try #require(sensors[0].realm)
    var told: [Int] = []
    var tokens = (0..<200).map { number in
      sensors[0].observe { (_: ObjectChange<Sensor>) in told.append(number) }
    }
    for number in 0..<200 where number % 7 != 3 { tokens[number].invalidate() }
    tokens.append(sensors[0].observe { (_: ObjectChange<Sensor>) in told.append(200) })
    try realm.write { sensors[0].value = 1 }
    realm.refresh()
    #expect(told == (0..<200).filter { $0 % 7 == 3 } + [200])
    #expect(tokens.map { $0.invalidate() } == (0..<200).map { $0 % 7 == 3 } + [true])
  }

  @MainActor @Test func aModifiedElementIsReportedAmongManyAndAnOtherObjectIsNot() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Rack.self, Slot.self, Gauge.self, Sensor.self]))
    let (rack, gauges, sensor) = try realm.write {
      let rack = realm.create(Rack.self)
      let gauges = (0..<40).map { _ in realm.create(Gauge.self) }
      rack.list.append(objectsIn: gauges[..<30] + gauges[3...4])
      rack.set.insert(objectsIn: gauges[..<30])
      for (number, gauge) in gauges[..<30].enumerated() {
        rack.map["\(100 + number)"] = gauge
        rack.slots.append(Slot(value: ["gauge": gauge]))
      }
      let sensor = realm.create(Sensor.self)
      gauges[7].sensor = sensor
      return (rack, gauges, sensor)
    }
    var told: [String] = []
    func hear<C: RealmCollection>(_ name: String, _ collection: C) -> NotificationToken {
      collection.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          told.append("\(name) -\(deletions) +\(insertions) ~\(modifications)")
        }
      }
    }
    var tokens = [hear("list", rack.list), hear("set", rack.set), hear("slots", rack.slots)]
    tokens.append(
      rack.map.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          told.append("map -\(deletions) +\(insertions) ~\(modifications)")
        }
      })
    realm.refresh()
    func changes(after change: () -> Void) throws -> [String] {
      told = []
      try realm.write(change)
      realm.refresh()
      return told
    }
    #expect(try changes { gauges[35].value = 1 } == [])
    #expect(
      try changes { gauges[3].value = 1 } == [
        "list -[] +[] ~[3, 30]", "set -[] +[] ~[3]", "slots -[] +[] ~[3]", #"map -[] +[] ~["103"]"#,
      ])
    // Through a link of the element.
    #expect(
      try changes { sensor.value = 1 } == [
        "list -[] +[] ~[7]", "set -[] +[] ~[7]", "slots -[] +[] ~[7]", #"map -[] +[] ~["107"]"#,
      ])
    #expect(
      try changes {
        gauges[4].value = 1
        rack.list.remove(at: 4)
        rack.list.append(gauges[36])
        gauges[36].value = 2
        rack.slots[9].gauge = nil
      } == ["list -[4] +[31] ~[31]", "set -[] +[] ~[4]", "slots -[] +[] ~[4, 9]", #"map -[] +[] ~["104"]"#])
    let all = try changes { for gauge in gauges { gauge.value = 3 } }
    #expect(all.map { $0.split(separator: ",").count } == [32, 30, 29, 30])
    tokens.forEach { $0.invalidate() }
  }

  @MainActor @Test func whatASetGainsAndLosesIsReportedByItsPositions() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Rack.self, Slot.self, Gauge.self, Sensor.self]))
    let rack = try realm.write {
      let rack = realm.create(Rack.self)
      rack.numbers.insert(objectsIn: (0..<50).map { 2 * $0 })
      rack.values.insert(objectsIn: [.int(1), .double(2.5), .string("a"), .bool(true)])
      return rack
    }
    var told: [String] = []
    func hear<C: RealmCollection>(_ collection: C) -> NotificationToken {
      collection.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          told.append("-\(deletions) +\(insertions) ~\(modifications)")
        }
      }
    }
    let tokens = [hear(rack.numbers), hear(rack.values)]
    realm.refresh()
    try realm.write {
      rack.numbers.remove(20)
      rack.numbers.remove(0)
      rack.numbers.insert(objectsIn: [99, 31, nil])
    }
    realm.refresh()
    #expect(told == ["-[0, 10] +[0, 15, 50] ~[]"])
    let first = try #require(rack.values.index(of: .int(1)))
    told = []
    try realm.write {
      rack.values.remove(.int(1))
      rack.values.insert(.string("b"))
    }
    realm.refresh()
    let added = try #require(rack.values.index(of: .string("b")))
    #expect(told == ["-[\(first)] +[\(added)] ~[]"])
    tokens.forEach { $0.invalidate() }
  }
}
