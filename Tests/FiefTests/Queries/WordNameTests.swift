import RealmSwift
import Testing

private class Line: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var limit = 0
  @Persisted var sort = 0
  @Persisted var distinct = 0
  @Persisted var geowithin = 0
  @Persisted var nan = 0.0
  @Persisted var inf = 0.0
  @Persisted var infinity = 0.0
  @Persisted var not = 0
  @Persisted var `in` = 0
  @Persisted var contains = ""
  @Persisted var between = 0
  @Persisted var yes = false
  @Persisted var any = 0
  @Persisted var subquery = 0
  @Persisted var truepredicate = 0
  @Persisted var and = 0
  @Persisted var size = 0
}

/// Words of the language are words only where the grammar needs them; elsewhere they are names.
@Suite struct WordNameTests {
  private func lines() throws -> Results<Line> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Line.self]))
    try realm.write {
      realm.create(Line.self)
      realm.create(
        Line.self,
        value: [
          "id": 1, "limit": 3, "sort": 3, "distinct": 3, "geowithin": 3, "nan": 3.0, "inf": 3.0, "infinity": 3.0,
          "not": 3, "in": 3, "contains": "3", "between": 3, "yes": true, "any": 3, "subquery": 3, "truepredicate": 3,
          "and": 3, "size": 3,
        ] as [String: Any])
    }
    return realm.objects(Line.self)
  }

  @Test(arguments: [
    "limit == 3", "sort == 3", "distinct == 3", "geowithin == 3", "nan == 3", "inf == 3", "infinity == 3", "not == 3",
    "in == 3", "contains == '3'", "contains CONTAINS '3'", "between BETWEEN {2, 4}", "yes == true", "any == 3",
    "subquery == 3", "truepredicate == 3", "and == 3", "size == 3", "3 == limit", "3 == nan",
    "limit == sort AND id == 1",
    "limit IN {3}", "in IN {3}", "NOT limit == 0", "NOT not == 0", "limit > 0 AND sort > 0 SORT(limit DESC) LIMIT(1)",
    "and == 3 AND not == 3", "nan BETWEEN {1, 4}", "inf IN {3.0}", "id == 1 SORT(sort ASC) DISTINCT(distinct)",
    "limit == not AND id > 0",
  ])
  func aWordIsTheNameOfAProperty(format: String) throws {
    let all = try lines()
    #expect(try all.filter(parsing: format).map(\.id) == [1], "\(format)")
  }

  @Test func wordsThatAreConstantsStayConstantsBesideProperties() throws {
    let all = try lines()
    #expect(all.filter("nan == nan").isEmpty)
    #expect(all.filter("inf < infinity").count == 2)
    #expect(all.filter("yes == NO").map(\.id) == [0])
    #expect(all.filter("inf == #infinity").isEmpty)
    #expect(all.filter("#inf == #infinity").count == 2)
    #expect(all.filter("NOT TRUEPREDICATE").isEmpty)
    #expect(all.filter("limit == 3 OR TRUEPREDICATE").count == 2)
  }
}
