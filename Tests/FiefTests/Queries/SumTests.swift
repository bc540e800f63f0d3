import RealmSwift
import Testing

private enum SumStep: Int, PersistableEnum {
  case one = 1, two = 2
}

private class SumTally: Object {
  @Persisted var tiny: Int8
  @Persisted var small: Int16
  @Persisted var middle: Int32
  @Persisted var tinyOrNot: Int8?
  @Persisted var whole = 0
  @Persisted var price = Decimal128()
  @Persisted var step: SumStep
  @Persisted var tinies: List<Int8>
  @Persisted var optionals: List<Int8?>
  @Persisted var distinct: MutableSet<Int16>
  @Persisted var named: Map<String, Int32>
  @Persisted var wholes: List<Int>
  @Persisted var values: List<AnyRealmValue>
  @Persisted var valueSet: MutableSet<AnyRealmValue>
  @Persisted var valueMap: Map<String, AnyRealmValue>
  @Persisted var book: SumBook?
}

private class SumBook: Object {
  @Persisted var tallies: List<SumTally>
  @Persisted var byName: Map<String, SumTally?>
  @Persisted(originProperty: "book") var entries: LinkingObjects<SumTally>
}

@Suite struct SumTests {
  /// A book of three tallies, unmanaged and managed. The sums of the narrow numbers do not fit their types.
  private static func books() throws -> (Realm, [SumBook]) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [SumTally.self, SumBook.self]))
    let books = (0..<2).map { _ in
      let book = SumBook()
      for name in ["a", "b", "c"] {
        let tally = SumTally()
        tally.tiny = 100
        tally.small = 30_000
        tally.middle = 2_000_000_000
        tally.tinyOrNot = name == "b" ? nil : 100
        tally.whole = name == "c" ? -3 : .max
        tally.tinies.append(objectsIn: [100, 100, 100])
        tally.optionals.append(objectsIn: [-100, nil, -100])
        tally.distinct.insert(objectsIn: [30_000, 30_001])
        tally.named["x"] = 2_000_000_000
        tally.named["y"] = 2_000_000_000
        tally.wholes.append(objectsIn: name == "c" ? [1] : [.max, .max - 1])
        tally.book = book
        book.tallies.append(tally)
        book.byName[name] = tally
      }
      return book
    }
    try realm.write { realm.add(books[1]) }
    return (realm, books)
  }

  private static let twiceTheGreatest = try? Decimal128(string: "18446744073709551614")

  @Test func aSumThatItsTypeCannotHoldIsGivenInAWiderOne() throws {
    let (realm, books) = try Self.books()
    func check<C: RealmCollection>(_ all: C) where C.Element == SumTally {
      let (tiny, small, middle): (Int, Int32, Int64) = (
        all.sum(of: \.tiny), all.sum(of: \.small), all.sum(of: \.middle)
      )
      #expect(tiny == 300 && small == 90_000 && middle == 6_000_000_000)
      let (optional, double): (Int, Double) = (all.sum(of: \.tinyOrNot), all.sum(of: \.tinyOrNot))
      #expect(optional == 200 && double == 200)
      #expect(all.sum(ofProperty: "tiny") as Int == 300)
      #expect(all.sum(ofProperty: "tinyOrNot") as Int? == 200)
      let (decimal, wide): (Decimal128, Double) = (all.sum(of: \.whole), all.sum(of: \.whole))
      #expect(decimal == (Self.twiceTheGreatest ?? 0) - 3 && wide == 0x1p64)
    }
    for book in books { check(book.tallies) }
    for book in books { check(AnyRealmCollection(book.tallies)) }
    check(realm.objects(SumTally.self))
    check(realm.objects(SumTally.self).filter("tiny > 0"))
    check(books[1].entries)
    for book in books {
      let (tiny, whole): (Int, Decimal128) = (book.byName.sum(of: \.tiny), book.byName.sum(of: \.whole))
      #expect(tiny == 300 && whole == (Self.twiceTheGreatest ?? 0) - 3)
      #expect(book.byName.sum(ofProperty: "small") as Int == 90_000)
    }
    for group in realm.objects(SumTally.self).grouped(by: \.tiny) {
      #expect(group.elements.sum(of: \.tiny) as Int == 300)
    }
  }

  @Test func elementsAddUpInAWiderTypeToo() throws {
    for book in try Self.books().1 {
      let tally = book.tallies[0]
      let (tinies, optionals): (Int, Int) = (tally.tinies.sum(), tally.optionals.sum())
      let (distinct, named): (Int, Int) = (tally.distinct.sum(), tally.named.sum())
      #expect(tinies == 300 && optionals == -200 && distinct == 60_001 && named == 4_000_000_000)
      #expect(tally.wholes.sum() as Decimal128 == (Self.twiceTheGreatest ?? 0) - 1)
      #expect(book.tallies[2].wholes.sum() == 1)
      #expect(AnyRealmCollection(tally.tinies).sum() as Int == 300)
    }
  }

  @Test func propertiesOfObjectsInAnyValuesAddUp() throws {
    let (realm, books) = try Self.books()
    for book in books {
      let values = book.tallies[0].values
      realm.beginWrite()
      values.append(objectsIn: book.tallies.dropFirst().map { .object($0) })
      try realm.commitWrite()
      #expect(values.sum(ofProperty: "tiny") as Int == 200)
      #expect(values.max(ofProperty: "tinyOrNot") as Int8? == 100)
    }
  }

  @Test func keyValueCodingGivesWhatExceedsAnIntegerAsADecimal() throws {
    for book in try Self.books().1 {
      let all = AnyRealmCollection(book.tallies)
      #expect(all.value(forKeyPath: "@sum.tiny") as? Int == 300)
      #expect(all.value(forKeyPath: "@sum.whole") as? Decimal128 == (Self.twiceTheGreatest ?? 0) - 3)
      #expect(book.value(forKeyPath: "tallies.@sum.whole") as? Decimal128 == (Self.twiceTheGreatest ?? 0) - 3)
      #expect(book.tallies[0].wholes.value(forKeyPath: "@sum") as? [Decimal128] == [(Self.twiceTheGreatest ?? 0) - 1])
      #expect(book.tallies[0].value(forKeyPath: "named.@sum") as? Int == 4_000_000_000)
    }
  }

  @Test func conditionsAndOrdersUseExactSums() throws {
    let (realm, books) = try Self.books()
    let all = realm.objects(SumTally.self)
    #expect(all.filter("wholes.@sum > 0").count == 3)
    #expect(all.filter("wholes.@sum < 2").count == 1)
    #expect(all.filter("wholes.@sum == -3").isEmpty && all.filter("wholes.@sum == 1").count == 1)
    #expect(all.filter("wholes.@sum > %@", Int.max).count == 2)
    #expect(all.filter("wholes.@sum == %@", (Self.twiceTheGreatest ?? 0) - 1).count == 2)
    #expect(all.filter("tinies.@sum == 300").count == 3)
    #expect(all.where { $0.wholes.sum > .max }.count == 2)
    #expect(all.sorted(byKeyPath: "wholes.@sum").first?.wholes.count == 1)
    #expect(all.sorted(byKeyPath: "wholes.@sum", ascending: false).last?.wholes.count == 1)
    #expect(books[0].tallies.index(matching: "wholes.@sum > 0 AND wholes.@sum != 1") == 0)
  }

  @Test func anAverageOfGreatIntegersIsExact() throws {
    for book in try Self.books().1 {
      #expect(book.tallies[0].wholes.average() == Int.max - 1)
      #expect(book.tallies.average(of: \.tiny) == 100)
      let list = List<Int>()
      list.append(.max)
      #expect(list.average() == Int.max)
    }
  }

  @Test func theSumOfNoAnyValuesIsAnIntegerZero() throws {
    for book in try Self.books().1 {
      let tally = book.tallies[0]
      #expect(tally.values.sum() == .int(0) && tally.valueSet.sum() == .int(0) && tally.valueMap.sum() == .int(0))
      #expect(tally.values.average() as Double? == nil)
      let sums = AnyRealmCollection(tally.values)
      #expect(sums.sum() == .int(0))
    }
    let values = List<AnyRealmValue>()
    values.append(objectsIn: [.int(.max), .int(.max), .string("x"), .double(0.5)])
    #expect(values.sum() == .decimal128((Self.twiceTheGreatest ?? 0) + 0.5))
  }

  @Test func theGreatestOfAnyValuesMayBeAnObjectOrACollection() throws {
    let (realm, books) = try Self.books()
    let (tally, other) = (books[1].tallies[0], books[1].tallies[1])
    func isOther(_ value: AnyRealmValue?) -> Bool { value?.object(SumTally.self)?.isSameObject(as: other) == true }
    let loose = List<AnyRealmValue>()
    loose.append(objectsIn: [.string("x"), .object(other)])
    #expect(isOther(loose.max()) && loose.min() == .string("x"))
    try realm.write {
      tally.values.append(objectsIn: [.object(other), .string("x"), .none])
      tally.valueSet.insert(objectsIn: [.object(other), .string("x"), .none])
      tally.valueMap["a"] = .object(other)
    }
    #expect(isOther(tally.values.max()) && tally.values.min() == .string("x"))
    #expect(isOther(tally.valueSet.max()) && tally.valueSet.freeze().max()?.object(SumTally.self)?.isFrozen == true)
    #expect(isOther(tally.valueMap.max()) && isOther(tally.valueMap.min()))
    try realm.write {
      tally.values[0] = .fromArray([.int(7)])
      tally.valueMap["a"] = .fromDictionary(["c": .int(8)])
    }
    #expect(tally.values.max()?.listValue?.first == .int(7) && tally.values.min() == .string("x"))
    #expect(tally.valueMap.max()?.dictionaryValue?["c"] == .int(8))
  }

  /// Whether the program ended with these words.
  private func said(_ words: [String], _ result: ExitTest.Result?) -> Bool {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    return words.allSatisfy(text.contains)
  }

  @Test func aSumThatDoesNotFitEndsTheProgramWithAdvice() async {
    let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try SumTests.books().1[1].tallies.sum(of: \.tiny))
    }
    #expect(said(["The sum of 'tiny' is 300", "'Int8'", "let sum: Int ="], property))
    let elements = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try SumTests.books().1[0].tallies[0].tinies.sum())
    }
    #expect(said(["The sum of the elements is 300", "'Int8'"], elements))
    let optional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try SumTests.books().1[0].tallies.sum(of: \.tinyOrNot) ?? 0)
    }
    #expect(said(["The sum of 'tinyOrNot' is 200", "'Optional<Int8>'"], optional))
    let whole = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try SumTests.books().0.objects(SumTally.self).sum(of: \.whole))
    }
    #expect(said(["The sum of 'whole' is 18446744073709551611", "Decimal128"], whole))
    let step = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try SumTests.books().0.objects(SumTally.self).sum(of: \.step))
    }
    #expect(said(["The sum of 'step' is 3", "'SumStep'"], step))
    let narrow = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let greatest: Int8? = try SumTests.books().0.objects(SumTally.self).max(ofProperty: "small")
      print(greatest ?? 0)
    }
    #expect(said(["The maximum of 'small' is 30000", "'Int8'"], narrow))
  }
}
