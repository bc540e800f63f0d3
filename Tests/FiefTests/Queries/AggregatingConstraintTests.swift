import RealmSwift
import Testing

private enum Level: Int, PersistableEnum {
  case low = 1, high = 5
}

private class Sample: Object {
  @Persisted var whole = 0
  @Persisted var part: Double?
  @Persisted var level: Level
}

private class Holder: Object {
  @Persisted var samples: Map<String, Sample?>
}

/// Generic code uses the constraints on persisted types that the original's declarations have.
@Suite struct AggregatingConstraintTests {
  private func least<C: RealmCollection, T: _HasPersistedType>(_ all: C, _ keyPath: KeyPath<C.Element, T>) -> T?
  where C.Element: ObjectBase, T.PersistedType: MinMaxType { all.min(of: keyPath) }

  private func greatest<C: RealmCollection, T: _HasPersistedType>(_ all: C, _ name: String, _ type: T.Type) -> T?
  where C.Element: ObjectBase, T.PersistedType: MinMaxType { all.max(ofProperty: name) }

  private func total<C: RealmCollection, T: _HasPersistedType>(_ all: C, _ keyPath: KeyPath<C.Element, T>) -> T
  where C.Element: ObjectBase, T.PersistedType: AddableType { all.sum(of: keyPath) }

  private func middle<C: RealmCollection, T: _HasPersistedType>(_ all: C, _ keyPath: KeyPath<C.Element, T>) -> T?
  where C.Element: ObjectBase, T.PersistedType: AddableType { all.average(of: keyPath) }

  private func total<T: _HasPersistedType>(_ map: Map<String, Sample?>, _ keyPath: KeyPath<Sample, T>) -> T
  where T.PersistedType: AddableType { map.sum(of: keyPath) }

  @Test func everyTypeWithAStoredFormIsAggregated() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Sample.self, Holder.self]))
    let all = realm.objects(Sample.self)
    #expect(least(all, \.whole) == nil && total(all, \.whole) == 0 && middle(all, \.part) == nil)
    #expect(total(all, \.part) == 0)
    let holder = try realm.write {
      realm.create(Sample.self, value: ["whole": 3, "part": 1.5, "level": 5] as [String: Any])
      let second = realm.create(Sample.self, value: ["whole": 5])
      return realm.create(Holder.self, value: ["samples": ["a": second]])
    }
    #expect(least(all, \.whole) == 3 && least(all, \.part) == 1.5)
    #expect(greatest(all, "whole", Int.self) == 5 && greatest(all, "whole", Int?.self) == 5)
    #expect(least(all, \.level) == .low)
    #expect(total(all, \.whole) == 8 && total(all, \.part) == 1.5)
    #expect(middle(all, \.whole) == 4 && middle(all, \.part) == 1.5)
    #expect(total(holder.samples, \.whole) == 5)
    let average: Double? = all.average(ofProperty: "whole")
    #expect(average == 4)
  }
}
