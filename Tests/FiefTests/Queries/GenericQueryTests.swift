import RealmSwift
import Testing

private class Item: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var price: Double?
  @Persisted var name = ""
  @Persisted var note: String?
  @Persisted var rates: List<Int?>
  @Persisted var counts: Map<String, Int?>
  @Persisted var next: Item?
}

private func above<T: _HasPersistedType>(_ query: Query<T>, _ value: T) -> Query<Bool>
where T.PersistedType: _QueryNumeric { query > value && query >= value && query != value && !(query == value) }

private func begins<T: _HasPersistedType>(_ query: Query<T>, _ value: T) -> Query<Bool>
where T.PersistedType: _QueryString {
  query.starts(with: value) && query.contains(value, options: [.caseInsensitive]) && query >= value
}

private func holds<T: _HasPersistedType>(_ query: Query<T>, _ value: T) -> Query<Bool>
where T.PersistedType: _QueryBinary { query.contains(value) && query.starts(with: value) && !query.isEmpty }

private func isMissing<T: _RealmSchemaDiscoverable & ExpressibleByNilLiteral>(_ query: Query<T>) -> Query<Bool> {
  query == nil && !(query != nil)
}

private func lies<T: OptionalProtocol>(_ query: Query<T>, _ range: ClosedRange<T.Wrapped>) -> Query<Bool>
where T.Wrapped: Comparable { query.contains(range) }

/// Conditions in generic functions, whose types are known by protocols alone.
@Suite struct GenericQueryTests {
  @Test func protocolsOfStoredTypesGiveTheOperators() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Item.self]))
    try realm.write {
      realm.create(Item.self, value: ["id": 1, "price": 1.5, "name": "Pen", "rates": [1, nil], "counts": ["a": 5]])
      realm.create(Item.self, value: ["id": 2, "name": "Cup", "note": "Pen"])
    }
    func ids(_ condition: (Query<Item>) -> Query<Bool>) -> [Int] {
      realm.objects(Item.self).where(condition).map(\.id).sorted()
    }
    #expect(ids { above($0.price, 1) } == [1])
    #expect(ids { above($0.id, 1) } == [2])
    #expect(ids { begins($0.name, "P") } == [1])
    #expect(ids { begins($0.note, "Pe") } == [2])
    #expect(ids { holds($0.name, "P") } == [1])
    #expect(ids { isMissing($0.price) } == [2])
    #expect(ids { isMissing($0.note) } == [1])
    #expect(ids { isMissing($0.next) } == [1, 2])
    #expect(ids { lies($0.price, 1...2) } == [1])
    #expect(ids { $0.price.contains(1..<2) } == [1])
    #expect(ids { $0.rates.contains(0..<2) } == [1])
    #expect(ids { $0.counts.contains(5...5) } == [1])
    #expect(ids { $0.price == nil } == [2])
    #expect(ids { $0.next.next.note != nil } == [])
  }
}
