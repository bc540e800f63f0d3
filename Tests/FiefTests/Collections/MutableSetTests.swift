import FiefTestSupport
import RealmSwift
import Testing

private class Book: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

private class Shelf: Object {
  @Persisted var books: MutableSet<Book>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var words: MutableSet<String?>
  @Persisted var things: MutableSet<AnyRealmValue>
}

/// Counts how often its objects are compared.
private class Compared: Object {
  nonisolated(unsafe) static var count = 0
  @Persisted var number = 0

  override var hash: Int { number.hashValue }
  override func isEqual(_ object: Any?) -> Bool {
    Compared.count += 1
    return (object as? Compared)?.number == number
  }
}

@Suite struct MutableSetTests {
  private func managed() throws -> (Realm, Shelf) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Book.self, Shelf.self]))
    let shelf = Shelf()
    try realm.write { realm.add(shelf) }
    return (realm, shelf)
  }

  @Test func removingManyElementsOfAnUnmanagedSetIsLinear() {
    let all = (0..<1000).map { number in
      let object = Compared()
      object.number = number
      return object
    }
    let ways: [(MutableSet<Compared>) -> Void] = [
      { $0.subtract(MutableSet(all[500...])) }, { $0.formIntersection(MutableSet(all[..<500])) },
      { $0.removeAll(where: { $0.number >= 500 }) },
    ]
    for way in ways {
      let set = MutableSet(all)
      Compared.count = 0
      way(set)
      #expect(Array(set) == Array(all[..<500]) && set.contains(all[0]) && !set.contains(all[500]))
      #expect(Compared.count < 20_000)
      set.subtract(set)
      #expect(set.isEmpty && !set.contains(all[0]))
    }
  }

  /// A set finds no object whose key has changed, but a condition removes it.
  @Test func anObjectThatIsGoneTakesNoOtherWithItWhenItsKeyComesBack() {
    let books = (0..<64).map { Book($0) }
    let set = MutableSet<Book>()
    set.insert(objectsIn: books)
    for book in books[..<32] { book.id += 1_000 }
    set.removeAll { $0.id >= 1_000 }
    for book in books[..<32] { book.id -= 1_000 }
    for book in books[..<32] {
      #expect(set.index(of: book) == nil && !set.contains(book))
      set.remove(book)
    }
    #expect(Array(set) == Array(books[32...]))
    let others = MutableSet<Book>()
    others.insert(objectsIn: books[32...])
    #expect(set == others)
    for book in books[..<32] { set.insert(book) }
    #expect(Array(set) == Array(books[32...] + books[..<32]) && set.index(of: books[31]) == 63)
  }

  @Test func findingAndRemovingAnElementOfAnUnmanagedSetComparesFewElements() {
    let all = (0..<1000).map { number in
      let object = Compared()
      object.number = number
      return object
    }
    let set = MutableSet<Compared>()
    set.insert(objectsIn: all)
    Compared.count = 0
    for (position, object) in all.enumerated() where set.index(of: object) != position {
      Issue.record("Element \(position) is found elsewhere.")
    }
    for object in all where object.number % 2 == 0 { set.remove(object) }
    #expect(set.index(of: all[0]) == nil && set.index(of: all[1]) == 0 && set.index(of: all[999]) == 499)
    set.insert(all[0])
    set.remove(all[0])
    set.remove(all[999])
    set.insert(all[2])
    set.insert(all[999])
    #expect(Compared.count < 20_000)
    #expect(set.suffix(3).map(\.number) == [997, 2, 999] && set.index(of: all[2]) == 499)
  }

  @Test func aListOrADictionaryIsRefusedOnEveryPath() throws {
    let (realm, shelf) = try managed()
    try realm.write { shelf.things.insert(.int(1)) }
    for nested in [AnyRealmValue.fromArray([.int(2)]), .fromDictionary([:])] {
      let loose = Shelf()
      loose.things.insert(nested)
      let ways: [() -> Void] = [
        { shelf.things.insert(nested) }, { shelf.things.insert(objectsIn: [.int(3), nested]) },
        { shelf.things = loose.things }, { shelf["things"] = [nested] }, { realm.add(loose) },
      ]
      for way in ways {
        let error = #expect(throws: Realm.Error.self) { try realm.write { way() } }
        #expect(error?.code == .invalidValue && error?.localizedDescription.contains("Shelf.things") == true)
        #expect(error?.localizedDescription.contains("a set cannot hold lists or dictionaries") == true)
        #expect(shelf.things == [.int(1)])
      }
    }
  }

  @Test(arguments: Seeds.all) func anyHistoryIsThatOfASwiftSet(seed: Seed) throws {
    var random = seed.random
    let (realm, shelf) = try managed()
    let (second, loose, looseSecond) = (Shelf(), MutableSet<Int>(), MutableSet<Int>())
    var (model, other): (Set<Int>, Set<Int>) = ([], [])
    realm.beginWrite()
    realm.add(second)
    for _ in 0..<100 {
      let value = random.below(30)
      let sets = [(shelf.numbers, second.numbers), (loose, looseSecond)]
      switch random.below(9) {
      case 0, 1:
        model.insert(value)
        for (set, _) in sets { set.insert(value) }
      case 2:
        other.formUnion([value, value + 3, value])
        for (_, set) in sets { set.insert(objectsIn: [value, value + 3, value]) }
      case 3:
        model.remove(value)
        for (set, _) in sets { set.remove(value) }
      case 4:
        model.formUnion(other)
        for (set, more) in sets { set.formUnion(more) }
      case 5:
        model.formIntersection(other)
        for (set, more) in sets { set.formIntersection(more) }
      case 6:
        model.subtract(other)
        for (set, more) in sets { set.subtract(more) }
      case 7:
        if random.below(5) == 0 {
          other = []
          for (_, set) in sets { set.removeAll() }
        }
      default:
        for (set, more) in sets {
          #expect(set.isSubset(of: more) == model.isSubset(of: other))
          #expect(set.intersects(more) == !model.isDisjoint(with: other))
          #expect(set.contains(value) == model.contains(value))
        }
      }
      #expect(Array(shelf.numbers) == model.sorted())
      #expect(Set(loose) == model)
      #expect(loose.count == model.count)
    }
    try realm.commitWrite()
    #expect(Set(shelf.numbers) == model)
  }

  @Test func valuesThatMeanTheSameAreOneElement() throws {
    let (realm, shelf) = try managed()
    let loose = MutableSet<AnyRealmValue>()
    try realm.write {
      for set in [shelf.things, loose] {
        set.insert(objectsIn: [.int(1), .double(1), .decimal128(1), .float(1), .bool(true), .none, .none])
        set.insert(objectsIn: [.double(.nan), .double(.nan), .double(0), .double(-0.0)])
        #expect(set.count == 5)
        #expect(set.contains(.double(1)))
        #expect(set.contains(.none))
        #expect(!set.contains(.int(2)))
        set.remove(.float(1))
        #expect(set.count == 4)
      }
    }
  }

  @Test func stringsAreDistinguishedByTheirBytes() throws {
    let (realm, shelf) = try managed()
    let loose = MutableSet<String?>()
    try realm.write {
      for set in [shelf.words, loose] {
        set.insert(objectsIn: ["\u{E9}", "e\u{301}", nil, nil, ""])
        #expect(set.count == 4)
      }
    }
    #expect(shelf.words.first == .some(nil))
  }

  @Test func objectsAreDistinguishedByRow() throws {
    let (realm, shelf) = try managed()
    let book = Book(1)
    try realm.write {
      shelf.books.insert(book)
      shelf.books.insert(book)
      shelf.books.insert(objectsIn: [realm.objects(Book.self)[0], Book(2)])
    }
    #expect(shelf.books.map(\.id) == [1, 2])
    #expect(shelf.books.contains(book))
    #expect(!shelf.books.contains(Book(1)))
    #expect(shelf.books.index(of: book) == 0)
    try realm.write {
      shelf.books.remove(Book(1))
      #expect(shelf.books.count == 2)
      shelf.books.remove(book)
    }
    #expect(shelf.books.map(\.id) == [2])
    #expect(!book.isInvalidated)
    try realm.write { realm.delete(realm.objects(Book.self)[1]) }
    #expect(shelf.books.isEmpty)
  }

  @Test func aRejectedObjectLeavesTheSetAsItWas() throws {
    let (realm, shelf) = try managed()
    try realm.write { shelf.books.insert(Book(1)) }
    #expect(throws: Realm.Error.self) {
      try realm.write {
        shelf.books.insert(objectsIn: [Book(2), Book(1)])
        #expect(shelf.books.count == 1)
      }
    }
    #expect(realm.objects(Book.self).count == 1)
  }

  @Test func assigningASetCopiesItsElements() throws {
    let (realm, shelf) = try managed()
    let other = MutableSet<Int>()
    other.insert(objectsIn: [3, 1, 2])
    #expect(Array(other) == [3, 1, 2])
    try realm.write {
      shelf.numbers.insert(9)
      shelf.numbers = other
      shelf.numbers = shelf.numbers
    }
    #expect(Array(shelf.numbers) == [1, 2, 3])
    let loose = Shelf()
    loose.numbers = shelf.numbers
    #expect(Array(loose.numbers) == [1, 2, 3])
    #expect(loose.numbers == other)
    #expect(loose.numbers != shelf.numbers)
    #expect(shelf.numbers == shelf.numbers)
  }

  @Test func aFrozenSetStaysAsItWas() throws {
    let (realm, shelf) = try managed()
    try realm.write { shelf.numbers.insert(1) }
    let frozen = shelf.numbers.freeze()
    try realm.write { shelf.numbers.insert(2) }
    #expect(Array(frozen) == [1])
    #expect(frozen.contains(1))
    #expect(frozen.thaw()?.count == 2)
  }

  @Test func setOperationsWithAnUnmanagedSetTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Book.self, Shelf.self]))
      let shelf = Shelf()
      try realm.write {
        realm.add(shelf)
        shelf.numbers.formUnion(MutableSet<Int>())
      }
    }
    expectSentence("A set operation was given a set that is not managed by the same realm", of: result)
  }
}
