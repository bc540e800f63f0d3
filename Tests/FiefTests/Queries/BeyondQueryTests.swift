import FiefTestSupport
import RealmSwift
import Testing

private class Page: Object {
  @Persisted(indexed: .fullText) var body = ""
  @Persisted(indexed: .fullText) var title: String?
  @Persisted var remark = ""
  @Persisted var size = 0
  @Persisted var book: Book?

  convenience init(_ body: String) {
    self.init()
    self.body = body
  }
}

private class Book: Object {
  @Persisted var name = ""
  @Persisted var city: String?
  @Persisted var year = 0
  @Persisted var price = 0.0
  @Persisted var pages: List<Page>
  @Persisted(originProperty: "books") var shelves: LinkingObjects<Shelf>
}

private class Shelf: Object {
  @Persisted var label = ""
  @Persisted var books: List<Book>
}

private func store() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Page.self, Book.self, Shelf.self]))
}

@Suite struct FullTextTests {
  private let texts = [
    "The swan crosses the lake.", "A DUCK and a swan on the Lake", "Ballet shoes: swan-lake", "A café by the sea", "",
    "swans only",
  ]

  @Test func wordsPrefixesAndExclusionsAreFoundByTheIndex() throws {
    let realm = try store()
    try realm.write { for text in texts { realm.add(Page(text)) } }
    let all = realm.objects(Page.self)
    func found(_ words: String) -> [Int] {
      let results = all.where { $0.body.fullText(words) }
      #expect(
        all.filter("body TEXT %@", words).map { texts.firstIndex(of: $0.body) }
          == results.map { texts.firstIndex(of: $0.body) })
      return results.compactMap { texts.firstIndex(of: $0.body) }
    }
    #expect(found("swan") == [0, 1, 2])
    #expect(found("lake swan") == [0, 1, 2])
    #expect(found("swan -duck") == [0, 2])
    #expect(found("swan*") == [0, 1, 2, 5])
    #expect(found("CAFE") == [3])
    #expect(found("swan sea") == [])
    #expect(found("-swan") == [3, 4, 5])
    #expect(found("") == [])
    #expect(all.where { $0.body.fullText("duck") }.explain().contains("index on the words of body"))
    #expect(all.where { $0.body.fullText("duck") && $0.size == 0 }.count == 1)
    #expect(!all.where { $0.remark.fullText("duck") }.explain().contains("index on"))
  }

  @Test func theIndexKeepsUpWithChanges() throws {
    let realm = try store()
    try realm.write { for text in texts { realm.add(Page(text)) } }
    let ducks = realm.objects(Page.self).where { $0.body.fullText("duck") }
    try realm.write {
      realm.objects(Page.self)[4].body = "another duck"
      realm.delete(realm.objects(Page.self)[1])
    }
    #expect(ducks.map(\.body) == ["another duck"])
    realm.beginWrite()
    realm.add(Page("Duck!"))
    #expect(ducks.count == 2)
    realm.cancelWrite()
    #expect(ducks.count == 1)
  }

  @Test(arguments: Seeds.all) func indexAndReadingAgree(seed: Seed) throws {
    var random = seed.random
    let realm = try store()
    let words = ["swan", "Swan", "swans", "lake", "duck", "é", "ö", "a1"]
    try realm.write {
      for _ in 0..<120 {
        let text = (0..<random.below(6)).map { _ in words[random.below(8)] }.joined(
          separator: [" ", "-", ", "][random.below(3)])
        let page = Page(text)
        page.remark = text
        realm.add(page)
      }
    }
    let all = realm.objects(Page.self)
    for _ in 0..<20 {
      let wanted = (0..<1 + random.below(3)).map { _ in
        ["", "", "-"][random.below(3)] + words[random.below(8)] + ["", "", "*"][random.below(3)]
      }.joined(separator: " ")
      #expect(
        Array(all.where { $0.body.fullText(wanted) }.map(\.body))
          == Array(all.where { $0.remark.fullText(wanted) }.map(\.body)),
        "\(wanted)")
    }
  }
}

@Suite struct GroupingTests {
  @Test(arguments: Seeds.all) func groupsAreWhatDictionariesMake(seed: Seed) throws {
    var random = seed.random
    let realm = try store()
    try realm.write {
      for number in 0..<80 {
        realm.create(
          Book.self,
          value: [
            "name": "b\(number)", "city": [nil, "Oslo", "Bergen", "Ålesund"][random.below(4)] as Any,
            "year": random.below(5), "price": Double(random.below(9)),
          ])
      }
    }
    let all = realm.objects(Book.self)
    let groups = all.where { $0.year > 1 }.grouped(by: \.city)
    let expected = Dictionary(grouping: all.filter { $0.year > 1 }, by: \.city)
    #expect(groups.map(\.key) == expected.keys.sorted { ($0 ?? "") < ($1 ?? "") })
    for group in groups {
      let members = expected[group.key] ?? []
      #expect(group.count == members.count)
      #expect(group.elements.map(\.name) == members.map(\.name))
      #expect(group.elements.sum(of: \.price) == members.map(\.price).reduce(0, +))
      #expect(group.elements.max(of: \.year) == members.map(\.year).max())
      #expect(group.elements.sorted(by: \.name, ascending: false).map(\.name) == members.map(\.name).sorted(by: >))
    }
    #expect(all.sorted(by: \.price).limit(9).grouped(by: \.year).map(\.count).reduce(0, +) == 9)
  }

  @Test func theElementsOfAGroupAreLive() throws {
    let realm = try store()
    try realm.write {
      for city in ["Oslo", "Oslo", "Bergen"] { realm.create(Book.self, value: ["city": city]) }
    }
    let all = realm.objects(Book.self)
    let groups = all.grouped(by: \.city)
    let oslo = groups[1].elements
    #expect(groups[1].key == "Oslo" && oslo.count == 2)
    try realm.write { all[2].city = "Oslo" }
    #expect(oslo.count == 3)
    #expect(groups[0].elements.isEmpty)
    #expect(groups[0].count == 1)
    #expect(List<Int>().isEmpty)
  }

  @Test func theElementsOfAGroupAreAmongTheDistinctOnes() throws {
    let realm = try store()
    try realm.write {
      for (name, city, year) in [("a", "Oslo", 1), ("b", "Oslo", 2), ("c", "Bergen", 2)] {
        realm.create(Book.self, value: ["name": name, "city": city, "year": year] as [String: Any])
      }
    }
    func names(_ groups: [ResultsGroup<Int, Book>]) -> [[String]] { groups.map { Array($0.elements.map(\.name)) } }
    let firsts = realm.objects(Book.self).distinct(by: ["city"])
    let groups = firsts.grouped(by: \.year)
    #expect(groups.map(\.key) == [1, 2] && groups.map(\.count) == [1, 1] && names(groups) == [["a"], ["c"]])
    #expect(names(firsts.freeze().grouped(by: \.year)) == [["a"], ["c"]])
    try realm.write { realm.add(Shelf()) }
    #expect(names(groups) == [["a"], ["c"]])
    try realm.write { realm.objects(Book.self)[0].city = "Rome" }
    #expect(names(groups) == [["a"], ["b", "c"]])
  }

  @Test func aCollectionIsNothingToGroupBy() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store().objects(Book.self).grouped(by: \.pages)
    }
    expectSentence("'pages' leads to several values, by which nothing can be grouped", of: result)
  }
}

@Suite struct FurtherSortingTests {
  private func names(_ results: Results<Book>) -> [String] { results.map(\.name) }

  @Test func aggregatesOfCollectionsSort() throws {
    let realm = try store()
    try realm.write {
      for (name, sizes) in [("a", [5, 1]), ("b", [7]), ("c", []), ("d", [2, 2, 2])] {
        let book = realm.create(Book.self, value: ["name": name])
        for size in sizes { book.pages.append(realm.create(Page.self, value: ["size": size])) }
      }
    }
    let all = realm.objects(Book.self)
    #expect(names(all.sorted(byKeyPath: "pages.@count", ascending: false)) == ["d", "a", "b", "c"])
    #expect(names(all.sorted(byKeyPath: "pages.@max.size")) == ["c", "d", "a", "b"])
    #expect(names(all.sorted(by: [SortDescriptor(keyPath: "pages.@sum.size"), "name"])) == ["c", "a", "d", "b"])
    #expect(names(all.sorted(byKeyPath: "pages.@avg.size", ascending: false)) == ["b", "a", "d", "c"])
    #expect(names(all.filter("name != 'd' SORT(pages.@min.size DESC)")) == ["b", "a", "c"])
  }

  @Test func linkingObjectsSortByTheirLeastOrGreatest() throws {
    let realm = try store()
    try realm.write {
      let books = ["a", "b", "c"].map { realm.create(Book.self, value: ["name": $0]) }
      for (label, indices) in [("m", [0, 1]), ("k", [0]), ("z", [0]), ("l", [1])] {
        realm.create(Shelf.self, value: ["label": label, "books": indices.map { books[$0] }])
      }
    }
    let all = realm.objects(Book.self)
    #expect(names(all.sorted(byKeyPath: "shelves.label")) == ["c", "a", "b"])
    #expect(names(all.sorted(byKeyPath: "shelves.label", ascending: false)) == ["a", "b", "c"])
    #expect(names(all.sorted(byKeyPath: "shelves.@count")) == ["c", "b", "a"])
  }

  @Test func textsSortWithoutCasesOrAsALanguageDoes() throws {
    let realm = try store()
    try realm.write {
      for name in ["b", "Ä", "a", "Z", "B", "å"] { realm.create(Book.self, value: ["name": name]) }
    }
    let all = realm.objects(Book.self)
    #expect(names(all.sorted(byKeyPath: "name")) == ["B", "Z", "a", "b", "Ä", "å"])
    let folded = SortDescriptor(keyPath: "name", options: [.caseInsensitive, .diacriticInsensitive])
    #expect(names(all.sorted(by: [folded])) == ["Ä", "a", "å", "b", "B", "Z"])
    #expect(names(all.sorted(by: [folded.reversed()])) == ["Z", "b", "B", "Ä", "a", "å"])
    let swedish = SortDescriptor(keyPath: "name", locale: Locale(identifier: "sv_SE"))
    #expect(names(all.sorted(by: [swedish])).map { $0.lowercased() } == ["a", "b", "b", "z", "å", "ä"])
    let german = SortDescriptor(keyPath: "name", locale: Locale(identifier: "de_DE"))
    #expect(names(all.sorted(by: [german])).last == "Z")
    #expect(folded != SortDescriptor(keyPath: "name") && swedish.reversed().reversed() == swedish)
  }
}
