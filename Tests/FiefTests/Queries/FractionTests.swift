import RealmSwift
import Testing

private class Row: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var decimal: Decimal128
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var d: List<Decimal128>
  @Persisted var f: List<Float>
  @Persisted var r: List<Double>
  @Persisted var i: List<Int>
  @Persisted var optionalDecimals: List<Decimal128?>
  @Persisted var optionalFloats: List<Float?>
  @Persisted var decimalSet: MutableSet<Decimal128>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var rows: List<Row>
  @Persisted var next: Row?
}

/// A constant with a fraction becomes a number of the kind with which it is compared, and only then is compared.
@Suite struct FractionTests {
  private func row() -> Row {
    let row = Row()
    let digits = "123456789012345678901234567890.1234"
    row.decimal = (try? Decimal128(string: digits)) ?? 0
    row.float = 0.1
    row.double = 0.1
    row.d.append(objectsIn: ["0.1", "0.2"])
    row.f.append(objectsIn: [0.1, 0.3])
    row.r.append(objectsIn: [0.1, 0.3])
    row.i.append(objectsIn: [1, 2])
    row.optionalDecimals.append(objectsIn: ["0.1", nil, "0.2"])
    row.optionalFloats.append(objectsIn: [0.1, nil, 0.3])
    row.decimalSet.insert(objectsIn: ["0.1", "0.2"])
    row.floatMap["a"] = 0.1
    row.floatMap["b"] = 0.3
    row.anys.append(objectsIn: [.double(0.1), .double(0.2)])
    let inner = Row()
    inner.id = 1
    inner.decimal = "0.2"
    inner.float = 0.3
    inner.d.append("0.2")
    row.rows.append(inner)
    row.next = inner
    return row
  }

  /// Whether the row satisfies a condition; asked of the stored row and of the one outside a store.
  private func answers(_ format: String, _ arguments: [Any?] = []) throws -> Bool {
    let row = row()
    let list = List<Row>()
    list.append(row)
    let predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 as Any })
    let outside = list.index(matching: predicate) == 0
    let realm = try Realm(configuration: .inMemory(objectTypes: [Row.self]))
    try realm.write { realm.add(row) }
    let inside = realm.objects(Row.self).where { $0.id == 0 }.filter(predicate).count == 1
    #expect(inside == outside, "\(format)")
    return inside
  }

  @Test(arguments: [
    ("d.@max == 0.2", true), ("d.@max != 0.2", false), ("d.@max < 0.2", false), ("d.@max <= 0.2", true),
    ("d.@max > 0.2", false), ("d.@max >= 0.2", true), ("d.@sum == 0.3", true), ("d.@min == 0.1", true),
    ("d.@avg == 0.15", true), ("0.2 == d.@max", true), ("0.2 > d.@max", false), ("d.@max IN {0.5, 0.2}", true),
    ("d.@max BETWEEN {0.2, 0.2}", true), ("NOT d.@max == 0.2", false), ("f.@max == 0.3", true),
    ("f.@max > 0.3", false), ("f.@max != 0.3", false), ("f.@min == 0.1", true), ("f.@max IN {0.3}", true),
    ("f.@max BETWEEN {0.3, 0.3}", true), ("0.3 < f.@max", false), ("f.@max == 1e300", false),
    ("f.@max < 1e300", true), ("r.@max == 0.3", true), ("r.@max == decimal(0.3)", true), ("i.@avg == 1.5", true),
    ("i.@max == 2.0", true), ("i.@max == 2.5", false), ("i.@max < 2.5", true), ("optionalDecimals.@max == 0.2", true),
    ("optionalDecimals.@sum == 0.3", true), ("optionalFloats.@max == 0.3", true), ("decimalSet.@sum == 0.3", true),
    ("floatMap.@max == 0.3", true), ("floatMap.@min < 0.1", false), ("anys.@sum == 0.3", true),
    ("anys.@avg == 0.15", true), ("rows.@max.decimal == 0.2", true), ("rows.@max.float == 0.3", true),
    ("next.d.@max == 0.2", true), ("ANY rows.d.@max == 0.2", true), ("f.@max == decimal(0.3)", true),
    ("SUBQUERY(rows, $x, $x.d.@max == 0.2).@count == 1.0", true),
  ])
  func aConstantBesideAnAggregateTakesItsKind(format: String, isFound: Bool) throws {
    #expect(try answers(format) == isFound, "\(format)")
  }

  @Test func anArgumentBesideAnAggregateTakesItsKind() throws {
    #expect(try answers("d.@max == %@", [0.2]))
    #expect(try answers("d.@max IN %@", [[0.2, 7]]))
    #expect(try answers("d.@max BETWEEN %@", [[0.2, 0.2]]))
    #expect(try !answers("d.@max < %@", [0.2]))
    #expect(try answers("d.@sum == %@", [Float(0.3)]))
    #expect(try answers("f.@max == %@", [0.3]))
    #expect(try answers("f.@max == %@", [Decimal128("0.3")]))
    #expect(try answers("%@ == f.@max", [0.3]))
    #expect(try answers("f.@max == %f", [0.3]))
  }

  @Test(arguments: [
    ("decimal == 123456789012345678901234567890.1234", true), ("decimal != 123456789012345678901234567890.1234", false),
    ("decimal > 123456789012345678901234567890.1234", false), ("decimal > 123456789012345678901234567890.1233", true),
    ("123456789012345678901234567890.1235 > decimal", true),
    ("decimal IN {1, 123456789012345678901234567890.1234}", true),
    ("decimal BETWEEN {123456789012345678901234567890.1234, 123456789012345678901234567890.1234}", true),
    ("decimal > 123456789012345678901234567890", true), ("decimal < 123456789012345678901234567891", true),
    ("decimal < 1e400", true), ("decimal > -1e400", true),
    ("SUBQUERY(rows, $x, $x.decimal == 0.20000000000000000000000000000001).@count == 0", true),
    ("ANY d == 0.2", true), ("0.2 IN d", true), ("ANY f == 0.3", true), ("float == 0.1", true), ("double == 0.1", true),
    ("double == 0.1000000000000000055511151231257827", true), ("i.@max < 9223372036854775808", true),
    ("ANY anys == 0.2", true),
  ])
  func theTextOfALiteralBecomesTheKindOfTheProperty(format: String, isFound: Bool) throws {
    #expect(try answers(format) == isFound, "\(format)")
  }

  @Test(arguments: [
    ("i.@sum < 1e400", true), ("r.@max < 1e400", true), ("r.@max > -1e400", true), ("r.@max == 1e400", false),
    ("f.@max < 1e400", true), ("f.@max IN {1e400}", false), ("i.@avg BETWEEN {-1e400, 1e400}", true),
    ("ANY anys < 1e400", true), ("ANY anys == 1e400", false),
  ])
  func aLiteralBeyondAllDoublesComparesExactly(format: String, isFound: Bool) throws {
    #expect(try answers(format) == isFound, "\(format)")
  }

  @Test func noLiteralEqualsAnInfinity() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Row.self]))
    try realm.write {
      let row = realm.create(Row.self)
      (row.double, row.float, row.decimal) = (.infinity, .infinity, Decimal128(Double.infinity))
      row.r.append(.infinity)
      row.f.append(.infinity)
      row.anys.append(.double(.infinity))
    }
    let rows = realm.objects(Row.self)
    for format in ["ANY anys == 1e400", "r.@max == 1e400", "f.@max == 1e400", "r.@max == decimal(1e400)"] {
      #expect(rows.filter(format).isEmpty, "\(format)")
    }
    for format in ["ANY anys > 1e400", "r.@max > 1e400", "f.@max > 1e400", "double == inf"] {
      #expect(rows.filter(format).count == 1, "\(format)")
    }
    for format in ["double == 1e400", "float == 1e400", "double IN {1, 1e400}", "decimal == 1e7000"] {
      #expect(throws: (any Error).self, "\(format)") { try rows.filter(parsing: format) }
    }
  }

  @Test func aLiteralIsRoundedToAFloatOnce() throws {
    let list = List<Row>()
    list.append(Row())
    // The text lies just above the middle of two floats. The nearest double is the middle, which rounds down.
    list[0].float = Float(1).nextUp
    #expect(list.index(matching: "float == 1.00000005960464477539063") == 0)
    #expect(list.index(matching: "float IN {2, 1.00000005960464477539063}") == 0)
  }

  @Test func literalsStandBesideVariables() throws {
    let predicate = NSPredicate(format: "decimal IN {$one, 123456789012345678901234567890.1234}")
    let list = List<Row>()
    list.append(row())
    #expect(list.index(matching: predicate.withSubstitutionVariables(["one": 1])) == 0)
    #expect(predicate.description == "decimal IN {$one, 123456789012345678901234567890.1234}")
  }

  @Test func booleansAmongAnyValuesHaveAnOrder() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Row.self]))
    try realm.write {
      realm.create(Row.self, value: ["id": 1, "anys": [true, 3] as [Any]] as [String: Any])
      realm.create(Row.self, value: ["id": 2, "anys": [false, "true"] as [Any]] as [String: Any])
      realm.create(Row.self, value: ["id": 3, "anys": [1, "x"] as [Any]] as [String: Any])
    }
    func ids(_ format: String) -> [Int] { realm.objects(Row.self).filter(format).map(\.id) }
    #expect(ids("ANY anys >= true") == [1])
    #expect(ids("ANY anys > false") == [1])
    #expect(ids("ANY anys < true") == [2])
    #expect(ids("ANY anys <= true") == [1, 2])
    #expect(ids("true <= anys") == [1])
  }
}
