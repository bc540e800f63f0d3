import FiefTestSupport
import RealmSwift
import Testing

private class Gauge: Object {
  @Persisted var value = 0

  convenience init(_ value: Int) {
    self.init()
    self.value = value
  }
}

private class Note: EmbeddedObject {
  @Persisted var text = ""

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

private class Panel: Object {
  @Persisted var gauges: Map<String, Gauge?>
  @Persisted var limits: Map<String, Int>
  @Persisted var remarks: Map<String, String?>
  @Persisted var notes: Map<String, Note?>
  @Persisted var things: Map<String, AnyRealmValue>
}

@Suite struct MapTests {
  private func managed() throws -> (Realm, Panel) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Gauge.self, Note.self, Panel.self]))
    let panel = Panel()
    try realm.write { realm.add(panel) }
    return (realm, panel)
  }

  @Test(arguments: Seeds.all) func anyHistoryIsThatOfADictionary(seed: Seed) throws {
    var random = seed.random
    let (realm, panel) = try managed()
    let loose = Map<String, Int>()
    var model: [String: Int] = [:]
    realm.beginWrite()
    for _ in 0..<120 {
      let (key, value) = ("k\(random.below(40))", random.below(9))
      for map in [panel.limits, loose] { #expect(map[key] == model[key]) }
      switch random.below(7) {
      case 0, 1:
        model[key] = value
        for map in [panel.limits, loose] { map[key] = value }
      case 2:
        model[key] = nil
        for map in [panel.limits, loose] { map[key] = nil }
      case 3:
        model[key]? += 1
        for map in [panel.limits, loose] { map[key]? += 1 }
      case 4:
        let more = [key: value, "new": 1]
        model.merge(more) { $0 + $1 }
        for map in [panel.limits, loose] { map.merge(more) { $0 + $1 } }
      case 5:
        model.updateValue(value, forKey: key)
        for map in [panel.limits, loose] { map.updateValue(value, forKey: key) }
      default:
        if random.below(6) == 0 {
          model = [:]
          for map in [panel.limits, loose] { map.removeAll() }
        } else {
          model[key] = nil
          for map in [panel.limits, loose] { map.removeObject(for: key) }
        }
      }
      #expect(panel.limits.keys == model.keys.sorted())
      #expect(panel.limits.values == model.sorted { $0.key < $1.key }.map(\.value))
      #expect(Dictionary(uniqueKeysWithValues: zip(loose.keys, loose.values)) == model)
      #expect(panel.limits.count == model.count && loose.count == model.count)
    }
    try realm.commitWrite()
    #expect(Dictionary(uniqueKeysWithValues: panel.limits.map { ($0.key, $0.value) }) == model)
  }

  @Test func nullUnderAKeyIsNotTheSameAsNoKey() throws {
    let (realm, panel) = try managed()
    let loose = Panel()
    try realm.write {
      for panel in [panel, loose] {
        panel.remarks["a"] = .some(nil)
        panel.remarks.updateValue(nil, forKey: "b")
        #expect(panel.remarks["a"] == .some(.none))
        #expect(panel.remarks["c"] == nil)
        #expect(panel.remarks.count == 2)
        panel.remarks["a"] = nil
        #expect(panel.remarks.keys == ["b"])
      }
    }
  }

  @Test func aDeletedObjectLeavesItsKeyWithNull() throws {
    let (realm, panel) = try managed()
    let gauge = Gauge(7)
    try realm.write {
      panel.gauges["a"] = gauge
      panel.gauges["b"] = Gauge(8)
    }
    #expect(panel.gauges["a"]??.value == 7)
    #expect(gauge.realm == realm)
    try realm.write { realm.delete(gauge) }
    #expect(panel.gauges.count == 2)
    #expect(panel.gauges["a"] == .some(.none))
    #expect(panel.gauges.values.compactMap { $0?.value } == [8])
    realm.beginWrite()
    panel.gauges["a"] = Gauge(9)
    realm.cancelWrite()
    #expect(panel.gauges["a"] == .some(.none))
  }

  @Test func embeddedValuesLiveAndDieWithTheirKey() throws {
    let (realm, panel) = try managed()
    let (a, b) = (Note("a"), Note("b"))
    try realm.write {
      panel.notes["x"] = a
      panel.notes["y"] = b
      panel.notes["x"] = a
    }
    #expect(panel.notes["x"]??.text == "a")
    try realm.write { panel.notes["x"] = Note("c") }
    #expect(a.isInvalidated)
    try realm.write { panel.notes["y"] = nil }
    #expect(b.isInvalidated)
    #expect(throws: Realm.Error.self) { try realm.write { panel.notes["z"] = panel.notes["x"] } }
    #expect(panel.notes.keys == ["x"])
  }

  @Test func badKeysFailTheWriteOnEveryPath() throws {
    let (realm, panel) = try managed()
    for key in ["$a", "a.b", "."] {
      let attempts: [(Panel) -> Void] = [
        { $0.limits[key] = 1 }, { $0.limits[key] = nil }, { $0.limits.updateValue(1, forKey: key) },
        { $0.limits.removeObject(for: key) }, { $0.limits.setValue(1, forKey: key) },
        { $0.limits.merge([key: 1]) { $1 } },
        {
          let other = Map<String, Int>()
          other[key] = 1
          $0.limits = other
        },
      ]
      for attempt in attempts { #expect(throws: Realm.Error.self) { try realm.write { attempt(panel) } } }
      #expect(panel.limits[key] == nil)
      let loose = Panel()
      loose.limits[key] = 1
      #expect(throws: Realm.Error.self) { try realm.write { realm.add(loose) } }
    }
    try realm.write {
      panel.limits[""] = 1
      panel.limits["a$"] = 2
    }
    #expect(panel.limits.keys == ["", "a$"])
  }

  @Test func assigningAMapCopiesItsEntries() throws {
    let (realm, panel) = try managed()
    let other = Map<String, Gauge?>()
    other["new"] = Gauge(1)
    try realm.write {
      panel.gauges["old"] = Gauge(2)
      panel.gauges = other
      panel.gauges = panel.gauges
    }
    #expect(panel.gauges.keys == ["new"])
    #expect(other["new"]??.realm == realm)
    let loose = Panel()
    let kept = loose.gauges
    loose.gauges = panel.gauges
    #expect(loose.gauges === kept)
    #expect(kept["new"]??.value == 1)
  }

  @Test func nestedDictionariesAreLive() throws {
    let (realm, panel) = try managed()
    let inner = Map<String, AnyRealmValue>()
    inner["deep"] = .int(1)
    try realm.write { panel.things["a"] = .dictionary(inner) }
    guard case .dictionary(let nested)? = panel.things["a"] else {
      Issue.record("The value is no dictionary.")
      return
    }
    try realm.write { nested["more"] = .string("x") }
    #expect(nested.keys == ["deep", "more"])
    try realm.write { panel.things["a"] = .int(1) }
    #expect(nested.isInvalidated)
  }

  @Test func iterationGoesOverTheEntriesAsTheyWereWhenItBegan() throws {
    let (realm, panel) = try managed()
    try realm.write {
      for index in 0..<5 { panel.gauges["\(index)"] = Gauge(index) }
      var seen: [String] = []
      for entry in panel.gauges {
        seen.append(entry.key)
        panel.gauges["\(entry.key)+"] = Gauge(9)
        panel.gauges[entry.key] = nil
      }
      #expect(seen == ["0", "1", "2", "3", "4"])
    }
    #expect(panel.gauges.keys == ["0+", "1+", "2+", "3+", "4+"])
    var pairs: [String: Int] = [:]
    for (key, value) in panel.gauges.asKeyValueSequence() { pairs[key] = value?.value }
    #expect(pairs["3+"] == 9)
  }

  @Test func entriesAreEqualByValueAndHashByKey() {
    let map = Map<String, Int>()
    map["a"] = 1
    map["b"] = 1
    let entries = Array(map)
    #expect(entries[0] == entries[1])
    #expect(entries[0].hashValue != entries[1].hashValue)
    #expect(map.contains { key, value in key == "b" && value == 1 })
  }

  @Test func longChainsOfMapsAreFreed() {
    var chain = Map<String, AnyRealmValue>()
    for _ in 0..<100_000 {
      let next = Map<String, AnyRealmValue>()
      next["next"] = .dictionary(chain)
      chain = next
    }
    #expect(chain.count == 1)
  }
}
