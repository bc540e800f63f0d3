import FiefRuntime
import RealmSwift
import Testing

private class Star: Object {
  @Persisted var number = 0

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

private class Sky: Object {
  @Persisted var stars: List<Star>
  @Persisted var numbers: List<Int>
}

/// Loops over collections that change during the loop.
@Suite struct IterationTests {
  private func sky(_ count: Int) throws -> (Realm, Sky) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Star.self, Sky.self]))
    let sky = Sky()
    for number in 0..<count { sky.stars.append(Star(number)) }
    sky.numbers.append(objectsIn: 0..<count)
    try realm.write { realm.add(sky) }
    return (realm, sky)
  }

  @Test func aLoopInAWriteGoesOverTheObjectsThatWereThereWhenItBegan() throws {
    for useList in [false, true] {
      let (realm, sky) = try sky(600)
      let all = AnyRealmCollection(
        useList ? AnyRealmCollection(sky.stars) : AnyRealmCollection(realm.objects(Star.self)))
      try realm.write {
        var seen = 0
        for star in all {
          #expect(star.number == seen)
          seen += 1
          sky.stars.append(Star(10_000))
          if star.number % 2 == 0 { realm.delete(star) }
        }
        #expect(seen == 600)
      }
      #expect(realm.objects(Star.self).count == 900)
    }
  }

  @Test func objectsThatTheLoopDeletedAheadComeInvalidated() throws {
    let (realm, sky) = try sky(4)
    let stars = realm.objects(Star.self)
    try realm.write {
      var states: [Bool] = []
      for star in stars {
        states.append(star.isInvalidated)
        if states.count == 1 { realm.delete(Array(stars.dropFirst(2))) }
      }
      #expect(states == [false, false, true, true])
      for star in sky.stars { realm.delete(star) }
      #expect(sky.stars.isEmpty)
    }
  }

  @Test func aLoopOutsideAWriteGoesOnOverWhatWasThereWhenTheRealmAdvances() throws {
    let (realm, sky) = try sky(5)
    var (objects, numbers) = (0, 0)
    for star in realm.objects(Star.self) {
      if objects == 0 { try realm.write { realm.add(Star(99)) } }
      #expect(star.number == objects)
      objects += 1
    }
    for number in sky.numbers {
      if numbers == 0 { try realm.write { sky.numbers.removeAll() } }
      #expect(number == numbers)
      numbers += 1
    }
    #expect(objects == 5)
    #expect(numbers == 5)
  }

  @Test func aLoopInAWriteOverNumbersReadsThemByPosition() throws {
    let (realm, sky) = try sky(6)
    try realm.write {
      var seen: [Int] = []
      for number in sky.numbers {
        seen.append(number)
        if number == 0 { sky.numbers[1] = 70 }
        if number == 2 { sky.numbers.removeSubrange(4...) }
      }
      #expect(seen == [0, 70, 2, 3])
    }
  }

  @Test func propertiesThatTheLoopChangesAreStored() throws {
    let (realm, _) = try sky(600)
    try realm.write { for star in realm.objects(Star.self) { star.number *= 2 } }
    #expect(realm.objects(Star.self).map(\.number) == (0..<600).map { $0 * 2 })
  }

  // A walk reuses an object that is no longer referenced elsewhere. Programs must not notice.

  @Test func objectsThatTheLoopKeepsStayWhatTheyWere() throws {
    let (realm, _) = try sky(300)
    var kept: [Star] = []
    var last: Star?
    for (index, star) in realm.objects(Star.self).enumerated() {
      if let last { #expect(last.number == index - 1) }
      last = star
      if index % 3 == 0 { kept.append(star) }
    }
    #expect(kept.map(\.number) == (0..<100).map { $0 * 3 })
    #expect(Array(realm.objects(Star.self)).map(\.number) == Array(0..<300))
  }

  @Test func weakReferencesDoNotComeToMeanAnotherObject() throws {
    let (realm, _) = try sky(50)
    weak var weak: Star?
    for (index, star) in realm.objects(Star.self).enumerated() {
      if let weak { #expect(weak.number == index - 1) }
      weak = star
      #expect(weak?.number == index)
    }
    #expect(weak == nil)
  }

  @Test func unownedReferencesDoNotComeToMeanAnotherObject() throws {
    final class Watcher {
      unowned let star: Star
      let held: Star
      init(_ star: Star) {
        self.star = star
        held = star
      }
    }
    final class Faint {
      unowned var star: Star?
    }
    let (realm, _) = try sky(50)
    var watchers: [Watcher] = []
    let faint = Faint()
    var addresses: Set<ObjectIdentifier> = []
    for star in realm.objects(Star.self) {
      watchers.append(Watcher(star))
      addresses.insert(ObjectIdentifier(star))
    }
    #expect(watchers.map(\.star.number) == Array(0..<50))
    #expect(addresses.count == 50)
    for (index, star) in realm.objects(Star.self).enumerated() {
      #expect(star.number == index)
      faint.star = star
    }
    faint.star = nil
  }

  @Test func closuresKeepTheObjectsThatTheyCaptured() throws {
    let (realm, _) = try sky(50)
    var closures: [() -> Int] = []
    for star in realm.objects(Star.self) { closures.append { star.number } }
    #expect(closures.map { $0() } == Array(0..<50))
  }

  @Test func twoIteratorsAtOnceDoNotMeet() throws {
    let (realm, sky) = try sky(20)
    for (a, b) in zip(realm.objects(Star.self), sky.stars.reversed()) { #expect(a.number + b.number == 19) }
    var first = realm.objects(Star.self).makeIterator()
    var second = first
    let one = first.next()
    let two = second.next()
    #expect(one?.number == 0)
    #expect(two != nil)
    #expect(one !== two)
  }

  @Test func aLoopThatForgetsMakesFewObjects() throws {
    let (realm, _) = try sky(1000)
    var addresses: Set<ObjectIdentifier> = []
    func look(_ star: Star) { addresses.insert(ObjectIdentifier(star)) }
    for star in realm.objects(Star.self) { look(star) }
    // Reuse is not guaranteed, but it is known to work on this platform.
    #if os(Linux) && arch(x86_64)
      #expect(addresses.count < 100)
    #endif
  }

  @Test func aLoopOverDynamicObjectsMakesFewObjectsAndLeavesThoseThatAreKept() throws {
    let (realm, _) = try sky(300)
    var kept: [DynamicObject] = []
    var addresses: Set<ObjectIdentifier> = []
    func look(_ star: DynamicObject) {
      if star["number"] as? Int ?? 0 < 10 { kept.append(star) }
      addresses.insert(ObjectIdentifier(star))
    }
    #if DEBUG
      let watch = ShortCut.Watch()
      watch.run { for star in realm.dynamicObjects("Star") { look(star) } }
      let isPossible = RuntimeFeature.referenceCounts.isAvailable && ShortCut.objectReuse.isOn
      #expect(watch.taken(.objectReuse) >= (isPossible ? 250 : 0))
    #else
      for star in realm.dynamicObjects("Star") { look(star) }
    #endif
    #expect(kept.map { $0["number"] as? Int } == Array(0..<10))
    #if os(Linux) && arch(x86_64)
      #expect(10..<100 ~= addresses.count)
    #endif
  }
}
