import FiefTestSupport
import RealmSwift
import Testing

private class Owner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var isRich = false
  @Persisted var weight = 0.0
  @Persisted var photo = Data()
  @Persisted var key = ObjectId()
  @Persisted var born = Date()
  @Persisted var friend: Owner?
  @Persisted var pets: List<Owner>
  @Persisted var marks: List<Int>
  @Persisted var hours: Map<String, Int>
  @Persisted var deputies: Map<String, Owner?>
  @Persisted var any: AnyRealmValue
}

private func owners() throws -> Results<Owner> {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Owner.self]))
  try realm.write { realm.add(Owner()) }
  return realm.objects(Owner.self)
}

/// An owner, with a friend, outside of any realm.
private func unmanagedOwners() -> List<Owner> {
  let list = List<Owner>()
  list.append(Owner(value: ["name": "Ann", "weight": 1.5, "any": "a text", "friend": ["name": "Bob", "weight": 2]]))
  return list
}

/// Invalid queries, and their error messages.
@Suite struct QueryMisuseTests {
  /// A format, its arguments, and strings that the error must contain.
  private static let texts: [(text: String, arguments: [(any Sendable)?], words: String)] = [
    ("name ==", [], "byte 7"), ("name == 'x", [], "byte 8"), ("(id == 1", [], "never closed"), ("id === 1", [], "byte"),
    ("id == 1 AND", [], "byte 11"), ("", [], "byte 0"), ("id == %@", [], "argument"), ("id == 1", [2], "argument"),
    ("%K == 1", [3], "byte"), ("nothing == 1", [], "'nothing'"), ("friend.nothing == 1", [], "'nothing'"),
    ("name.length == 1", [], "name"), ("id == 'x'", [], "id"), ("id == 1.5", [], "id"), ("id == nil", [], "id"),
    ("isRich > NO", [], "isRich"), ("key < %@", [ObjectId()], "key"), ("friend > %@", [nil], "friend"),
    ("id BEGINSWITH 'x'", [], "id"), ("weight CONTAINS 'x'", [], "weight"), ("photo LIKE 'x'", [], "photo"),
    ("name <[c] 'x'", [], "byte"), ("name LIKE[d] 'x'", [], "byte"), ("name MATCHES 'x'", [], "MATCHES"),
    ("ANY id == 1", [], "ANY"), ("id BETWEEN {1}", [], "BETWEEN"), ("id BETWEEN 1", [], "BETWEEN"),
    ("id IN 1", [], "IN"), ("pets.@sum.id.@count == 1", [], "@"), ("pets.@links == 1", [], "@links"),
    ("pets.@wrong.id == 1", [], "@wrong"), ("SUBQUERY(pets, $p, $p.id == 1).id == 1", [], "byte"),
    ("SUBQUERY(pets, $p, $q.id == 1).@count == 1", [], "q"), ("FUNCTION(id, 'x') == 1", [], "FUNCTION"),
    ("id + 1 == 2", [], "byte"), ("deputies['x'].name == 'y'", [], "deputies"),
    ("id == %@", [Locale(identifier: "de")], "Locale"),
  ]

  @Test(arguments: QueryMisuseTests.texts.indices)
  func aBadFormatIsThrownWithItsPositionOrItsNames(index: Int) throws {
    let (text, arguments, words) = Self.texts[index]
    let all = try owners()
    let error = #expect(throws: Realm.Error.self) {
      switch arguments.count {
      case 0: _ = try all.filter(parsing: text)
      default: _ = try all.filter(parsing: text, arguments[0])
      }
    }
    #expect(error?.code == .invalidInput)
    #expect(error.map { "\($0)".contains(words) } ?? false, "\(text): \(error.map { "\($0)" } ?? "")")
  }

  @Test func anObjectIsCalledAnObject() throws {
    let all = try owners()
    let stored = try #require(all.first)
    for format in ["id == %@", "friend IN %@", "friend.name == %@", "pets.@count == %@"] {
      for object in [stored, Owner()] {
        let error = #expect(throws: Realm.Error.self) { try all.filter(parsing: format, object) }
        #expect(error.map { "\($0)".contains("an object") && !"\($0)".contains("#") } ?? false, "\(format)")
      }
    }
  }

  @Test func deepArgumentsAreRefusedWithoutAStackOverflow() throws {
    let all = try owners()
    var array: [Any] = []
    var dictionary: [String: Any] = [:]
    for _ in 0..<20_000 { (array, dictionary) = ([array], ["x": dictionary]) }
    for argument in [array, dictionary, [dictionary], [1, array]] as [Any] {
      for format in ["id == %@", "id IN %@", "name CONTAINS %@", "friend == %@"] {
        #expect(throws: Realm.Error.self) { try all.filter(parsing: format, argument) }
      }
    }
  }

  @Test func aLongNameMakesNoLongErrorOnAnyPath() throws {
    let all = try owners()
    let name = String(repeating: "n", count: 100_000)
    for format in [
      "\(name) == 1", "friend.\(name) == 1", "id == 0 SORT(\(name) ASC)", "id == 0 DISTINCT(\(name))", "id == $\(name)",
      "pets.@\(name) == 1", "id == '\(name)'",
    ] {
      let error = #expect(throws: Realm.Error.self) { try all.filter(parsing: format) }
      #expect(error.map { "\($0)".utf8.count < 4096 } ?? false)
    }
  }

  @Test func numbersOfAllTypesAreArguments() throws {
    let all = try owners()
    let numbers: [Any] = [
      0, UInt8(0), UInt64(0), Int16(0), false, NSNumber(value: 0), NSNumber(value: false),
    ]
    for number in numbers { #expect(all.filter("weight == %@ OR id == %@", 0.0, number).count == 1) }
    for number in [0.0, Float(0), CGFloat(0), NSNumber(value: 0.0)] as [Any] {
      #expect(all.filter("weight == %@", number).count == 1)
    }
    #expect(all.filter("name == %@ AND photo == %@", NSString(string: ""), NSData()).count == 1)
    #expect(all.filter("id IN %@", NSArray(array: [0, 1])).count == 1)
  }

  @Test func filterTrapsWithTheSameWords() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().filter("id == 1 AND")
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Invalid query: At byte 11"))
  }

  @Test func aParsedPredicateIsUsedAsItsTextIs() throws {
    let all = try owners()
    #expect(throws: Realm.Error.self) { try FormatPredicate(parsing: "id == 1 AND") }
    #expect(throws: Realm.Error.self) { try FormatPredicate(parsing: "id == 0 SORT(id ASC)") }
    let one = try FormatPredicate(parsing: "id == %@ AND name == ''", 0)
    #expect(all.filter(one).count == 1)
    #expect(all.filter(one).explain().contains("primary key"))
    #expect(all.index(matching: one) == 0)
    #expect(one.evaluate(with: all[0]))
    #expect(!(try FormatPredicate(parsing: "id == 1")).evaluate(with: all[0]))
    #expect(all[0].pets.filter(one).isEmpty)
  }

  @Test func typedMistakesTrap() async {
    // Two collections in one comparison, and in one subquery.
    let collections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().where { $0.pets.id == $0.pets.id }
    }
    expectSentence("Comparing two collection columns is not supported", of: collections)
    let twoCollections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().where { ($0.pets.id == 1 && $0.marks == 1).count > 0 }
    }
    expectSentence("A subquery speaks of one collection of objects; this one of 2", of: twoCollections)
    // A subquery over a property that is not a collection.
    let noCollection = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().where { ($0.id == 1).count > 0 }
    }
    expectSentence("A subquery speaks of one collection of objects; this one of 0", of: noCollection)
    // Aggregates of properties that have none.
    let sum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().sum(ofProperty: "name") as Int
    }
    expectSentence("'name' is a string, of which there is no sum", of: sum)
    let maximum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().max(ofProperty: "nothing") as Int?
    }
    expectSentence("There is no property 'nothing' in 'Owner'", of: maximum)
    let average = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().average(ofProperty: "born") as Double?
    }
    expectSentence("'born' is a date, of which there is no average", of: average)
    // A property of numbers.
    let ofNumbers = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let all = try owners()
      try all.realm?.write { all[0].marks.append(1) }
      _ = all[0].marks.sum(ofProperty: "nothing") as Int
    }
    expectSentence("it follows a value that has no properties", of: ofNumbers)
  }

  @Test func propertiesOfUnmanagedObjectsHaveTheAggregatesThatTheyHaveInAStore() async {
    let all = unmanagedOwners()
    #expect(all.sum(ofProperty: "weight") as Double == 1.5 && all.sum(ofProperty: "friend.weight") as Double == 2)
    #expect(all.max(ofProperty: "born") as Date? == all[0].born)
    #expect(all.sum(ofProperty: "any") as Int == 0, "Any-values that are no numbers are ignored.")
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().sum(ofProperty: "name") as Int
    }
    expectSentence("'name' is a string, of which there is no sum", of: text)
    let linkedText = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().sum(ofProperty: "friend.name") as Int
    }
    expectSentence("'friend.name' is a string, of which there is no sum", of: linkedText)
    let flag = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().min(ofProperty: "isRich") as Int?
    }
    expectSentence("'isRich' is a bool, of which there is no minimum", of: flag)
    let date = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().average(ofProperty: "born") as Double?
    }
    expectSentence("'born' is a date, of which there is no average", of: date)
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().sum(ofProperty: "marks") as Int
    }
    expectSentence("'marks' is no single property", of: list)
    let ofList = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().sum(ofProperty: "pets.weight") as Double
    }
    expectSentence("'pets.weight' is no single property", of: ofList)
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = unmanagedOwners().max(ofProperty: "nothing") as Int?
    }
    expectSentence("Invalid property name 'nothing' for class 'Owner'", of: unknown)
  }

  /// Whatever the store holds, so that a test of the program meets it.
  @Test func aNegativePositionInAnAnyValueIsRefused() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().where { $0.any[-1] == .int(3) }
    }
    expectSentence("The position -1 is negative", of: result)
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Owner>()
      list.append(Owner())
      _ = list.index(matching: { $0.any[0][-1] == .int(3) })
    }
    expectSentence("The position -1 is negative", of: unmanaged)
    #expect(throws: Realm.Error.self) { try owners().filter(parsing: "any[-1] == 3") }
    #expect(throws: Realm.Error.self) { try owners().filter(parsing: "any[%@] == 3", -1) }
  }

  @Test func aSortByDataSaysWhatToDoInstead() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().sorted(by: \.photo)
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      words.contains(
        "'photo' is data, by which nothing can be sorted: sort by another property, or sort an array of the elements "
          + "in Swift."))
  }

  @Test func badOrdersTrap() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().sorted(byKeyPath: "nothing")
    }
    expectSentence("There is no property 'nothing' in 'Owner'", of: unknown)
    let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().sorted(byKeyPath: "pets.id")
    }
    expectSentence("'pets.id' leads to several values, by which nothing can be sorted", of: several)
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().sorted(byKeyPath: "friend")
    }
    expectSentence("'friend' is a link, by which nothing can be sorted", of: link)
    let distinct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().distinct(by: ["pets"])
    }
    expectSentence("'pets' leads to several values, by which nothing can be told apart", of: distinct)
    let ofNumbers = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners()[0].marks.sorted(by: [SortDescriptor(keyPath: "size")])
    }
    expectSentence("Elements that are no objects have no properties", of: ofNumbers)
    let limit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try owners().limit(-1)
    }
    expectSentence("A limit of -1 elements from 0 on makes no sense", of: limit)
  }

  /// A row is a table and a key. Another realm may have a row with both, which a comparison would find.
  @Test func anObjectOfAnotherRealmIsNothingToCompareWith() async throws {
    let (all, others) = (try owners(), try owners())
    let realm = try #require(all.realm)
    try realm.write { all[0].friend = all[0] }
    let stranger = others[0]
    for (format, argument) in [("friend == %@", stranger), ("friend IN %@", [stranger]), ("ANY pets == %@", stranger)]
      as [(String, Any)]
    {
      let error = #expect(throws: Realm.Error.self) { try all.filter(parsing: format, argument) }
      #expect(error?.code == .invalidInput)
      #expect(error?.localizedDescription.contains("another Realm") ?? false)
    }
    // The row is accepted from another session of the store.
    #expect(all.where { $0.friend == all[0].freeze() }.count == 1)
    #expect(all.filter("friend IN %@", [all[0].freeze()]).count == 1)
    #expect(others.filter("friend == %@", stranger).isEmpty)

    let compared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (all, stranger) = (try owners(), try owners()[0])
      _ = all.where { $0.friend == stranger }
    }
    expectSentence("An object of another Realm cannot be compared with", of: compared)
    let listed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (all, stranger) = (try owners(), try owners()[0])
      _ = all.where { $0.id == 1 || !$0.friend.in([nil, stranger]) }
    }
    expectSentence("An object of another Realm cannot be compared with", of: listed)
    let contained = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (all, stranger) = (try owners(), try owners()[0])
      _ = all.where { $0.pets.contains(stranger) }
    }
    expectSentence("An object of another Realm cannot be compared with", of: contained)
    let format = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (all, stranger) = (try owners(), try owners()[0])
      _ = all.filter("friend == %@", stranger)
    }
    expectSentence("An object of another Realm cannot be compared with", of: format)
    let predicate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (all, stranger) = (try owners(), try owners()[0])
      _ = all.filter(try FormatPredicate(parsing: "friend == %@", stranger))
    }
    expectSentence("An object of another Realm cannot be compared with", of: predicate)
    let evaluated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (all, stranger) = (try owners(), try owners()[0])
      _ = try FormatPredicate(parsing: "friend == %@", stranger).evaluate(with: all[0])
    }
    expectSentence("An object of another Realm cannot be compared with", of: evaluated)
  }

  @Test func unmanagedAndDeletedObjectsMatchNothing() throws {
    let all = try owners()
    let realm = try #require(all.realm)
    let gone = try realm.write {
      let gone = realm.create(Owner.self, value: ["id": 7])
      all[0].friend = gone
      return gone
    }
    #expect(all.where { $0.friend == gone }.count == 1)
    try realm.write { realm.delete(gone) }
    #expect(all.filter("friend == %@", gone).isEmpty)
    #expect(all.filter("friend == %@", Owner()).isEmpty)
    #expect(all.where { $0.friend.in([Owner()]) }.isEmpty)
  }
}
