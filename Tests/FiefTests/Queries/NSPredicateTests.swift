import FiefTestSupport
import RealmSwift
import Testing

private enum Mood: String, PersistableEnum {
  case good, bad
}

private struct Mark: CustomPersistable {
  var number: Int
  init(persistedValue: Int) { number = persistedValue }
  init(_ number: Int) { self.number = number }
  var persistableValue: Int { number }
}

private class Place: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

private class Pet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var nick: String?
  @Persisted var age = 0
  @Persisted var weight = 0.5
  @Persisted var isTame = false
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var mood = Mood.good
  @Persisted var mark: Mark
  @Persisted var any: AnyRealmValue
  @Persisted var mother: Pet?
  @Persisted var friends: List<Pet>
  @Persisted var words: MutableSet<String>
  @Persisted var naps: List<Int?>
  @Persisted var hours: Map<String, Int>
  @Persisted var deputies: Map<String, Pet?>
  @Persisted var home: Place?
  @Persisted(originProperty: "friends") var admirers: LinkingObjects<Pet>
}

/// Predicates of Foundation that are made from formats, alone and in compounds.
@Suite struct NSPredicateTests {
  private func pets() throws -> Results<Pet> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Pet.self, Place.self]))
    let all = family()
    try realm.write { realm.add(all) }
    return realm.objects(Pet.self)
  }

  private func family() -> [Pet] {
    let all = (0..<40).map { id in
      let pet = Pet()
      pet.id = id
      pet.name = ["Rex", "Kit", "rexa", "Älf", ""][id % 5]
      pet.nick = id % 3 == 0 ? nil : "n\(id % 4)"
      pet.age = id % 7
      pet.weight = Double(id) / 4
      pet.isTame = id % 2 == 0
      pet.born = Date(timeIntervalSince1970: Double(id % 5))
      pet.mood = id % 2 == 0 ? .good : .bad
      pet.mark = Mark(id % 3)
      pet.any =
        [.none, .int(id), .string("x"), .fromArray([.int(id % 5), .fromDictionary(["k": .int(id % 3)])])][id % 4]
      for number in 0..<(id % 4) { pet.naps.append(number == 2 ? nil : number) }
      pet.words.insert(objectsIn: ["a", "b", "c"].prefix(id % 4))
      pet.hours["mon"] = id % 5
      if id % 2 == 0 { pet.hours["tue"] = id % 3 }
      if id % 3 > 0 {
        let place = Place()
        place.city = id % 3 == 1 ? "Oslo" : "Bern"
        place.coordinates.append(objectsIn: [Double(id), Double(id) / 2])
        pet.home = place
      }
      return pet
    }
    for (id, pet) in all.enumerated() {
      if id % 4 > 0 { pet.mother = all[id / 2] }
      for number in 0..<(id % 5) { pet.friends.append(all[(id * 7 + number * 3) % 40]) }
      if id % 2 == 0 { pet.deputies["x"] = all[(id + 5) % 40] }
    }
    return all
  }

  private static let formats: [(String, [any Sendable])] = [
    ("age > 3", []), ("3 < age", []), ("age == %d AND name == %@", [1, "Kit"]), ("name BEGINSWITH[c] 'R'", []),
    ("NOT (name CONTAINS 'x' OR isTame == YES)", []), ("name ==[cd] 'alf'", []), ("name LIKE '?i*'", []),
    ("name IN {'Rex', 'Kit'}", []), ("age IN %@", [[1, 2, 6]]), ("age BETWEEN {2, 4}", []), ("weight >= 2.5", []),
    ("nick == nil", []), ("nick != 'n1'", []), ("nick IN {nil, 'n2'}", []), ("nick < 'n2'", []),
    ("born > %@", [Date(timeIntervalSince1970: 2)]), ("mood == 'bad'", []), ("mark > 1", []),
    ("mother.name == 'Rex'", []), ("mother == nil", []), ("mother.mother.age > 2", []), ("mother.nick == nil", []),
    ("mother.age < age", []), ("ANY friends.age > 5", []), ("friends.age > 5", []), ("NONE friends.age > 5", []),
    ("ALL friends.age > 1", []), ("ANY friends.mother.name == 'Kit'", []), ("friends.@count == 2", []),
    ("friends.@max.age >= 5", []), ("friends.@sum.age > 8", []), ("friends.@avg.weight > 4", []),
    ("friends.@min.born == %@", [Date(timeIntervalSince1970: 1)]), ("naps.@sum == 1", []), ("naps.@count > 1", []),
    ("ANY naps == nil", []), ("ANY naps == 1", []), ("1 IN naps", []), ("'b' IN words", []), ("words.@count == 2", []),
    ("hours['mon'] > 2", []), ("hours['tue'] == nil", []), ("ANY hours.@allValues == 2", []), ("hours.@max == 4", []),
    ("ANY hours.@allKeys == 'tue'", []), ("ANY deputies.@allValues == nil", []), ("deputies['x'] == nil", []),
    ("home.city == 'Oslo'", []), ("home == nil", []), ("home IN geoBox([0, 0], [10, 10])", []),
    ("home IN geoCircle([10, 5], 0.2)", []), ("admirers.@count > 2", []), ("ANY admirers.name == 'Kit'", []),
    ("any == 5", []), ("any == 'x'", []), ("any == nil", []), ("any[0] > 2", []), ("any[1]['k'] == 2", []),
    ("any[*] == 3", []), ("any != 5", []), ("any > 3", []),
    ("SUBQUERY(friends, $f, $f.age > 2 AND $f.name != name).@count > 1", []),
    ("SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g.age == $f.age).@count > 0).@count >= 1 AND age > 1", []),
    ("2 > SUBQUERY(friends, $f, $f.age > 2).@count", []),
    ("TRUEPREDICATE", []), ("FALSEPREDICATE OR age == 0", []), ("id == 7", []), ("id IN {3, 50, 7}", []),
  ]

  @Test func evaluationOfUnmanagedObjectsSaysWhatStoresFind() throws {
    let (all, free) = (try pets(), family())
    for (format, arguments) in Self.formats {
      let predicate = NSPredicate(format: format, argumentArray: arguments)
      let found: [Int] = all.filter(predicate).map(\.id).sorted()
      #expect(all.chosen { predicate.evaluate(with: $0) }.map(\.id).sorted() == found, "\(format)")
      // Linking objects of an unmanaged object are unknown.
      if format.contains("admirers") { continue }
      #expect(free.chosen { predicate.evaluate(with: $0) }.map(\.id) == found, "\(format)")
    }
  }

  @Test func mistakesTrapForUnmanagedObjectsToo() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "mother.nothing == 1").evaluate(with: Pet())
    }
    expectSentence("There is no property 'nothing' in 'Pet'", of: name)
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "age == 'x'").evaluate(with: Pet())
    }
    expectSentence("'age' is an int, and is compared with", of: text)
    let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "age == nil").evaluate(with: Pet())
    }
    expectSentence("'age' is never null, and is compared with null", of: null)
    let order = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "isTame > NO").evaluate(with: Pet())
    }
    expectSentence("'isTame' is a bool, which has no order", of: order)
    let quantifier = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "ANY age == 1").evaluate(with: Pet())
    }
    expectSentence("ANY, ALL and NONE want a collection, and 'age' is none", of: quantifier)
    let subquery = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "SUBQUERY(mother, $m, $m.age == 1).@count > 0").evaluate(with: Pet())
    }
    expectSentence("SUBQUERY wants a collection of objects, and 'mother' is none", of: subquery)
  }

  @Test func aFormatIsParsedOnceAndAskedByIndexes() throws {
    let all = try pets()
    let predicate = NSPredicate(format: "name == %@ AND age > %d", "Rex", 2)
    #expect(predicate is FormatPredicate)
    #expect(all.filter(predicate).explain().contains("index on name"))
    #expect(all.filter(predicate).map(\.id) == all.filter("name == 'Rex' AND age > 2").map(\.id))
    #expect(all.index(matching: predicate) == all.firstIndex { $0.name == "Rex" && $0.age > 2 })
    #expect((predicate as? FormatPredicate)?.predicateFormat == "name == \"Rex\" AND age > 2")
    let same = NSPredicate(format: "%K == %@ && age > 2", argumentArray: ["name", "Rex"])
    #expect(predicate == same && predicate.hash == same.hash)
    #expect(predicate != NSPredicate(format: "age > 2"))
    let copy = predicate.copy() as? NSPredicate
    #expect(copy.map { all.filter($0).count } == all.filter(predicate).count)
  }

  @Test func valuesAreAskedAsSelf() {
    #expect(NSPredicate(format: "SELF > 2").evaluate(with: 3))
    #expect(!NSPredicate(format: "SELF > 2").evaluate(with: 2))
    #expect(NSPredicate(format: "SELF BEGINSWITH[c] %@", "R").evaluate(with: "rex"))
    #expect(NSPredicate(format: "SELF == nil").evaluate(with: nil))
    #expect(["a", "bc", "cb"].filter { NSPredicate(format: "SELF CONTAINS 'b'").evaluate(with: $0) } == ["bc", "cb"])
  }

  @Test func variablesGetTheirValuesLater() throws {
    let all = try pets()
    let open = NSPredicate(format: "age BETWEEN {$low, $high} AND name == $name")
    let values: [String: Any] = ["low": 1, "high": 5, "name": "Kit"]
    let closed = open.withSubstitutionVariables(values)
    let expected: [Int] = all.filter("age BETWEEN {1, 5} AND name == 'Kit'").map(\.id)
    #expect(all.filter(closed).map(\.id) == expected && !expected.isEmpty)
    #expect(all.filter(closed).explain().contains("index"))
    #expect(all.chosen { open.evaluate(with: $0, substitutionVariables: values) }.map(\.id) == Array(expected))
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [open, NSPredicate(format: "id > $id")])
    let made = both.withSubstitutionVariables(values.merging(["id": 10]) { $1 })
    #expect(all.filter(made).map(\.id) == expected.filter { $0 > 10 })
    #expect((open as? FormatPredicate)?.predicateFormat == "age BETWEEN {$low, $high} AND name == $name")
  }

  @Test func compoundsAreAskedByIndexes() throws {
    let all = try pets()
    let (rex, old) = (NSPredicate(format: "name == 'Rex'"), NSPredicate(format: "age > 3"))
    let (kit, yes, no) = (
      try FormatPredicate(parsing: "name == %@", "Kit"), NSPredicate(value: true), NSPredicate(value: false)
    )
    func both(_ parts: NSPredicate...) -> NSCompoundPredicate {
      NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }
    func one(_ parts: NSPredicate...) -> NSCompoundPredicate {
      NSCompoundPredicate(orPredicateWithSubpredicates: parts)
    }
    func not(_ part: NSPredicate) -> NSCompoundPredicate { NSCompoundPredicate(notPredicateWithSubpredicate: part) }
    let compounds: [(NSCompoundPredicate, String)] = [
      (both(rex, old), "name == 'Rex' AND age > 3"), (one(rex, kit), "name == 'Rex' OR name == 'Kit'"),
      (both(one(rex, kit), old), "(name == 'Rex' OR name == 'Kit') AND age > 3"), (not(rex), "name != 'Rex'"),
      (not(both(rex, not(old))), "name != 'Rex' OR age > 3"), (both(rex, yes), "name == 'Rex'"),
      (both(), "TRUEPREDICATE"),
      (one(), "FALSEPREDICATE"), (one(no, rex), "name == 'Rex'"), (both(no, rex), "FALSEPREDICATE"),
      (one(both(rex, old), both(kit, not(old))), "name == 'Rex' AND age > 3 OR name == 'Kit' AND age <= 3"),
    ]
    for (compound, format) in compounds {
      let expected: [Int] = all.filter(format).map(\.id)
      #expect(all.filter(compound).map(\.id) == expected, "\(format)")
      #expect(!all.filter(compound).explain().contains("one by one"))
      #expect(all.chosen { compound.evaluate(with: $0) }.map(\.id) == Array(expected), "\(format)")
      #expect(all.index(matching: compound) == all.firstIndex { $0.id == expected.first })
    }
    #expect(all.filter(both(rex, old)).explain().contains("index on name"))
    #expect(all.filter(one(rex, kit)).explain().contains("index on name"))
  }

  @Test func blocksInCompoundsAreAskedOfWhatTheOthersLeave() throws {
    let all = try pets()
    var asked = 0
    let even = NSPredicate { object, _ in
      asked += 1
      return (object as? Pet)?.id.isMultiple(of: 2) ?? false
    }
    let rex = NSPredicate(format: "name == 'Rex'")
    let found = all.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [even, rex]))
    #expect(found.map(\.id) == all.filter(rex).chosen { $0.id.isMultiple(of: 2) }.map(\.id))
    #expect(asked == all.filter(rex).count)
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [even, rex])
    #expect(all.filter(either).map(\.id) == all.chosen { $0.id.isMultiple(of: 2) || $0.name == "Rex" }.map(\.id))
  }

  @Test func unmanagedObjectsAreTheSameByInstance() throws {
    let (free, all) = (family(), try pets())
    let predicate = NSPredicate(format: "mother == %@", free[3])
    #expect(free.chosen { predicate.evaluate(with: $0) }.map(\.id) == free.chosen { $0.mother === free[3] }.map(\.id))
    #expect(NSPredicate(format: "ANY friends == %@", free[7]).evaluate(with: free[1]))
    #expect(all.filter(predicate).isEmpty)
    #expect(!predicate.evaluate(with: all[7]))
  }

  @Test func malformedFormatsTrapWithTheParsersSentence() async {
    let unfinished = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "age == 1 AND")
    }
    expectSentence("Invalid query: At byte 12", of: unfinished)
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "nothing == 1").evaluate(with: Pet())
    }
    expectSentence("'nothing'", of: unknown)
    let open = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "age == $x").evaluate(with: Pet())
    }
    expectSentence("The variable '$x' has no value", of: open)
    let substituted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "age == $x").withSubstitutionVariables(["y": 1])
    }
    expectSentence("The variable '$x' has no value", of: substituted)
  }
}

extension Sequence {
  /// An eager `filter`, because collections also have a lazy one.
  fileprivate func chosen(_ test: (Element) throws -> Bool) rethrows -> [Element] {
    var found: [Element] = []
    for element in self where try test(element) { found.append(element) }
    return found
  }
}
