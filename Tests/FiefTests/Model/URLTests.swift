import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Page: Object, Codable {
  @Persisted(primaryKey: true) var url: URL
  @Persisted var parent: URL?
  @Persisted(indexed: true) var icon = URL(string: "https://example.org/icon")!
  @Persisted var links: List<URL>
  @Persisted var tags: MutableSet<URL>
  @Persisted var languages: Map<String, URL>
  @Persisted var visits: List<URL?>
  @Persisted var part: Part?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Part: EmbeddedObject, Codable {
  @Persisted var url: URL
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Bookmark: Object {
  @Persisted var url: URL
  @Persisted var other: URL?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The class `Bookmark` before its URLs were declared as such.
private class TextBookmark: Object {
  @Persisted var url: String
  @Persisted var other: String?
  override class func _realmObjectName() -> String? { "Bookmark" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private func url(_ path: String) -> URL { URL(string: "https://example.org/\(path)")! }

@Suite("URLs as properties, without a conformance of the application")
struct URLTests {
  private let blank = URL(string: "about:blank")!

  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Page.self, Part.self, Bookmark.self]))
  }

  @Test(arguments: [false, true]) func `they are read as they were set`(managed: Bool) throws {
    let realm = try realm()
    let page = Page(value: ["url": url("a")])
    try realm.write {
      if managed { realm.add(page) }
      page.parent = url("")
      page.links = [url("b"), url("c")]
      page.links.append(url("d"))
      page.tags = [url("t"), url("t")]
      page.languages["de"] = url("de")
      page.visits.append(objectsIn: [nil, url("v")])
      page.part = Part(value: [url("part")])
      realm.add(page, update: .modified)
    }
    let read = try #require(realm.object(ofType: Page.self, forPrimaryKey: url("a")))
    #expect(read.url == url("a") && read.parent == url("") && read.icon == url("icon"))
    #expect(Array(read.links) == [url("b"), url("c"), url("d")] && Array(read.tags) == [url("t")])
    #expect(read.languages["de"] == url("de") && read.languages["fr"] == nil)
    #expect(Array(read.visits) == [nil, url("v")] && read.part?.url == url("part"))
    try realm.write { page.parent = nil }
    #expect(read.parent == nil)
    #expect(read.detached().links[1] == url("c"))
  }

  @Test func `values give them as URLs and as texts`() throws {
    let realm = try realm()
    let texts: [String: Any] = [
      "url": "https://example.org/a", "links": ["https://example.org/b", url("c")],
      "languages": ["de": "https://example.org/de"], "tags": [url("t")], "visits": [NSNull(), "https://example.org/v"],
    ]
    let page = try realm.write { realm.create(Page.self, value: texts) }
    #expect(page.url == url("a") && page.parent == nil && page.icon == url("icon"))
    #expect(Array(page.links) == [url("b"), url("c")] && page.languages["de"] == url("de"))
    #expect(Array(page.visits) == [nil, url("v")])
    for wrong in [3, NSNull(), ["a"], Data()] as [Any] {
      let refused = #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(Page.self, value: ["url": url("z"), "icon": wrong]) }
      }
      #expect(refused?.localizedDescription.contains("icon") == true)
    }
    #expect(realm.objects(Page.self).count == 1)
  }

  @Test func `names read them as texts, and take both`() throws {
    let realm = try realm()
    let page = Page()
    for managed in [false, true] {
      try realm.write {
        if managed { realm.add(page) }
        page["parent"] = url("p")
        page.setValue("https://example.org/i", forKey: "icon")
      }
      #expect(page["parent"] as? String == "https://example.org/p" && page.icon == url("i"))
      #expect(page.value(forKey: "icon") as? String == "https://example.org/i")
    }
  }

  @Test func `a property without a default is blank until it is set`() throws {
    let realm = try realm()
    let unmanaged = Bookmark()
    #expect(unmanaged.url == blank && unmanaged.other == nil)
    let made = try realm.write { () -> [Bookmark] in
      realm.add(unmanaged)
      return [unmanaged, realm.create(Bookmark.self), realm.create(Bookmark.self, value: [:] as [String: Any])]
    }
    #expect(made.allSatisfy { $0.url == blank && $0.other == nil })
    #expect(realm.objects(Bookmark.self).where { $0.url == blank && $0.other == nil }.count == 3)
  }

  @Test func `queries compare, sort and search them as texts`() throws {
    let realm = try realm()
    try realm.write {
      for (number, path) in ["b", "a", "c/1", "c/2"].enumerated() {
        let page = realm.create(Page.self, value: ["url": url(path)])
        page.icon = url("icon\(number % 2)")
        page.parent = number > 1 ? url("c") : nil
        page.links.append(objectsIn: [url("shared"), url(path)])
        page.languages["de"] = url("de/\(path)")
      }
    }
    let pages = realm.objects(Page.self)
    func paths(_ condition: (Query<Page>) -> Query<Bool>) -> [String] {
      pages.where(condition).map { $0.url.path }.sorted()
    }
    #expect(paths { $0.url == url("a") } == ["/a"] && paths { $0.url != url("a") } == ["/b", "/c/1", "/c/2"])
    #expect(paths { $0.icon == url("icon1") } == ["/a", "/c/2"])
    #expect(paths { $0.parent == nil } == ["/a", "/b"] && paths { $0.parent == url("c") } == ["/c/1", "/c/2"])
    #expect(paths { $0.url > url("b") } == ["/c/1", "/c/2"])
    #expect(paths { $0.url.starts(with: url("c")) } == ["/c/1", "/c/2"])
    #expect(paths { $0.url.in([url("a"), url("b")]) } == ["/a", "/b"])
    #expect(paths { [url("a"), url("b")].contains($0.url) } == ["/a", "/b"])
    #expect(paths { $0.links.contains(url("b")) } == ["/b"] && paths { $0.languages["de"] == url("de/a") } == ["/a"])
    #expect(paths { $0.url.persistableValue.ends(with: "2") } == ["/c/2"])
    #expect(pages.filter("url == %@ OR url == %@", url("a"), "https://example.org/b").count == 2)
    #expect(pages.filter("ANY links IN %@", [url("c/1")]).count == 1)
    #expect(pages.sorted(by: \.url, ascending: false).map { $0.url.path } == ["/c/2", "/c/1", "/b", "/a"])
    #expect(pages.sorted(by: \.url).first?.links.sorted(ascending: false).first == url("shared"))
    #expect(pages.distinct(by: [\.icon]).count == 2)
    #expect(pages.where { $0.url == url("a") }.first?.links.index(of: url("a")) == 1)
  }

  @Test func `documents have texts, and read them`() throws {
    let realm = try realm()
    let page = Page(value: ["url": url("a"), "links": [url("b")], "languages": ["de": url("de")]])
    let encoded = try JSONEncoder().encode(page)
    let decoded = try JSONDecoder().decode(Page.self, from: encoded)
    #expect(decoded.url == url("a") && Array(decoded.links) == [url("b")] && decoded.parent == nil)
    try realm.write { realm.add(page) }
    let document = try realm.json()
    #expect(String(decoding: document, as: UTF8.self).contains(#""https://example.org/b""#))
    let other = try Realm(configuration: .inMemory(objectTypes: [Page.self, Part.self, Bookmark.self]))
    try other.seed(json: document)
    #expect(other.objects(Page.self).first?.isContentEqual(to: page) == true)
  }

  @Test func `a schema lists them as strings`() throws {
    let schema = try #require(try realm().schema["Page"])
    for (name, isOptional) in [("url", false), ("parent", true), ("links", false), ("visits", true)] {
      let property = try #require(schema[name])
      #expect(property.type == .string && property.isOptional == isOptional, "\(name)")
    }
    #expect(schema.primaryKeyProperty?.name == "url" && schema["icon"]?.isIndexed == true)
  }

  @Test func `a text that is no URL is stored as create stores it, and never traps`() throws {
    let realm = try realm()
    let wrong = "http://["
    let page = try realm.write {
      realm.create(
        Page.self,
        value: ["url": url("a"), "parent": wrong, "icon": wrong, "visits": [wrong, url("v")], "links": [wrong]])
    }
    #expect(page.parent == nil && Array(page.visits) == [nil, url("v")])
    #expect(page.icon == blank && Array(page.links) == [blank] && page.detached().icon == blank)
    #expect(realm.objects(Page.self).where { $0.icon.persistableValue == wrong }.count == 1)
    try realm.write { page["parent"] = "https://example.org/p" }
    #expect(page.parent == url("p"))
  }

  @Test func `texts of a file become URLs`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("bookmarks.realm")
    do {
      let realm = try Realm(configuration: .init(fileURL: file, objectTypes: [TextBookmark.self]))
      try realm.write {
        for text in ["https://example.org/a", "http://[", ""] {
          realm.create(TextBookmark.self, value: ["url": text, "other": text])
        }
      }
    }
    let bookmarks = try Realm(configuration: .init(fileURL: file, objectTypes: [Bookmark.self])).objects(Bookmark.self)
    #expect(bookmarks.map(\.url) == [url("a"), blank, blank])
    #expect(bookmarks.map(\.other) == [url("a"), nil, nil])
  }

  @Test func `a URL that is relative to another is stored as a whole`() throws {
    let realm = try realm()
    let relative = URL(string: "b/c?d=e#f", relativeTo: url("a/"))!
    let bookmark = try realm.write { realm.create(Bookmark.self, value: ["url": relative]) }
    #expect(bookmark.url == relative.absoluteURL && bookmark.url.baseURL == nil)
    let file = URL(fileURLWithPath: "/tmp/ä b")
    try realm.write { bookmark.url = file }
    #expect(bookmark.url == file && bookmark.url.isFileURL && bookmark.url.path == "/tmp/ä b")
  }

  @Test func `frozen values, sections and changes have them`() throws {
    let realm = try realm()
    let page = try realm.write { realm.create(Page.self, value: ["url": url("a"), "links": [url("b")]]) }
    let frozen = Frozen(page)
    #expect(frozen.url == url("a") && Array(frozen.links) == [url("b")] && frozen.parent == nil)
    #expect(realm.objects(Page.self).sectioned(by: \.icon).allKeys == [url("icon")])
    try realm.write { realm.objects(Page.self).set(\.parent, to: url("set")) }
    #expect(page.parent == url("set") && frozen.parent == nil)
  }
}
