import FiefTestSupport
import RealmSwift
import Testing

private class Sensor: Object {
  @Persisted var value = 0
}

/// The CPU time of this thread in milliseconds, because other tests run meanwhile.
private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
  let start = now()
  try body()
  return now() - start
}

@Suite struct ObservingManyTests {
  private func sensors(_ count: Int) throws -> [Sensor] {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Sensor.self]))
    return try realm.write { (0..<count).map { _ in realm.create(Sensor.self) } }
  }

  /// Registers and invalidates an observer for each sensor, from the first or from the last.
  private func time(_ sensors: [Sensor], fromTheLast: Bool) -> Double {
    milliseconds {
      let tokens = sensors.map { $0.observe { (_: ObjectChange<Sensor>) in } }
      for token in fromTheLast ? tokens.reversed() : tokens { token.invalidate() }
    }
  }

  @MainActor @Test(arguments: [true, false])
  func eightTimesAsManyObserversTakeSomeEightTimesAsLong(_ fromTheLast: Bool) throws {
    let (few, many) = (try sensors(1_000), try sensors(8_000))
    let short = (0..<5).map { _ in time(few, fromTheLast: fromTheLast) }.min() ?? 0
    let long = (0..<3).map { _ in time(many, fromTheLast: fromTheLast) }.min() ?? 0
    #expect(long < 30 * short, "\(short) ms for 1,000, and \(long) ms for 8,000")
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
}
