import FiefTestSupport
import RealmSwift
import Testing

private class Shelf: Object {
  @Persisted var books: List<Book>
  @Persisted var named: Map<String, Book?>
  @Persisted var best: Book?
}

private class Book: Object {
  @Persisted var title = ""
  @Persisted var next: Book?
  @Persisted(originProperty: "books") var holders: LinkingObjects<Shelf>
  @Persisted(originProperty: "named") var namers: LinkingObjects<Shelf>
  @Persisted(originProperty: "best") var fans: LinkingObjects<Shelf>
}

/// An object that links to another one several times counts as several linking objects. Observers by key paths are
/// notified of each.
@Suite struct ObservingLinksTests {
  private final class Told {
    var count = 0
  }

  /// A shelf with a book, which another book precedes.
  private struct Library {
    let realm: Realm
    let shelf = Shelf()
    let book = Book()
    let before = Book()

    init() throws {
      realm = try Realm(configuration: .inMemory(objectTypes: [Shelf.self, Book.self]))
      before.next = book
      shelf.books.append(book)
      shelf.named["a"] = book
      try realm.write {
        realm.add(before)
        realm.add(shelf)
      }
    }
  }

  /// Makes changes one after another, and returns for each whether observers were notified: those of the object, of
  /// results, and of the object before it.
  @MainActor
  private func heard(_ library: Library, _ name: String, _ changes: [(Library) -> Void]) throws -> [Int] {
    let told = Told()
    let position = library.realm.objects(Book.self).index(of: library.book)
    let tokens = [
      library.book.observe(keyPaths: [name]) { (_: ObjectChange<Book>) in told.count += 1 },
      library.realm.objects(Book.self).observe(keyPaths: [name]) { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          #expect(deletions == [] && insertions == [] && modifications == [position])
          told.count += 1
        }
      },
      library.before.observe(keyPaths: ["next.\(name)"]) { (_: ObjectChange<Book>) in told.count += 1 },
    ]
    library.realm.refresh()
    var counts: [Int] = []
    for change in changes {
      told.count = 0
      try library.realm.write { change(library) }
      library.realm.refresh()
      counts.append(told.count)
    }
    tokens.forEach { $0.invalidate() }
    return counts
  }

  @MainActor @Test func aSecondLinkFromAListIsReportedAndItsRemoval() throws {
    let library = try Library()
    let counts = try heard(
      library, "holders",
      [
        { $0.shelf.books.append($0.book) }, { $0.shelf.books.append(objectsIn: [$0.book, $0.book]) },
        { $0.shelf.books.remove(at: 0) }, { $0.shelf.books.removeSubrange(0..<2) },
      ])
    #expect(counts == [3, 3, 3, 3])
    #expect(library.book.holders.count == 1)
  }

  @MainActor @Test func aSecondLinkFromAMapIsReportedAndItsRemoval() throws {
    let counts = try heard(
      try Library(), "namers",
      [{ $0.shelf.named["b"] = $0.book }, { $0.shelf.named["b"] = nil }, { $0.shelf.named["a"] = nil }])
    #expect(counts == [3, 3, 3])
  }

  @MainActor @Test func theOrderOfTheLinksIsNoChange() throws {
    let library = try Library()
    try library.realm.write { library.shelf.books.append(objectsIn: [Book(), library.book]) }
    let counts = try heard(
      library, "holders",
      [
        { $0.shelf.books.move(from: 0, to: 1) },
        {
          $0.shelf.books.remove(at: 2)
          $0.shelf.books.insert($0.book, at: 0)
        },
        { $0.shelf.best = $0.book },
      ])
    #expect(counts == [0, 0, 0])
  }

  @MainActor @Test func aSecondObjectAndASingleLinkAreReported() throws {
    let counts = try heard(
      try Library(), "fans",
      [{ $0.shelf.best = $0.book }, { $0.realm.create(Shelf.self).best = $0.book }, { $0.shelf.best = nil }])
    #expect(counts == [3, 3, 3])
  }
}
