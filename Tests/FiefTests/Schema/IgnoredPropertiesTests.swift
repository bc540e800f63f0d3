import Foundation
import RealmSwift
import Testing

private class Page: Object {
  @Persisted var flag: Bool
  @Persisted var title = "none"
  @Persisted var draft = "empty"
  @Persisted var mark: ObjectId
  @Persisted var lines: List<String>
  @Persisted var previous: Page?
  override class func ignoredProperties() -> [String] { ["flag", "draft", "mark", "lines", "previous"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Flagged: Object {
  var isSeen = false
  @Persisted var number: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct IgnoredPropertiesTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Page.self, Flagged.self])) }

  @Test func aWrappedPropertyThatIsIgnoredIsNotKept() throws {
    #expect(Page.sharedSchema()?.properties.map(\.name) == ["title"])
    let realm = try realm()
    #expect(realm.schema["Page"]?.properties.map(\.name) == ["title"])
    let page = Page()
    page.draft = "written"
    page.title = "one"
    try realm.write { realm.add(page) }
    #expect(page.title == "one" && page.draft == "written")
    let other = try #require(realm.objects(Page.self).first)
    #expect(other.title == "one" && other.draft == "empty")
    // The value belongs to the instance: setting it needs no write, and other instances do not have it.
    page.draft = "changed"
    page.previous = other
    #expect(page.draft == "changed" && other.draft == "empty" && page.previous === other && other.previous == nil)
  }

  @Test func anIgnoredPropertyKeepsItsDefaultAndItsCollection() throws {
    let page = Page()
    #expect(page.mark == page.mark && !page.flag)
    page.lines.append("first")
    #expect(page.lines.count == 1 && Page().lines.isEmpty)
    let realm = try realm()
    try realm.write { realm.add(page) }
    page.lines.append("second")
    #expect(Array(page.lines) == ["first", "second"])
  }

  @Test func objectsInALoopDoNotShareWhatIsTheirOwn() throws {
    let realm = try realm()
    try realm.write {
      for number in 0..<3 {
        realm.create(Flagged.self, value: ["number": number])
        realm.create(Page.self, value: ["title": "\(number)"])
      }
    }
    for flagged in realm.objects(Flagged.self) {
      #expect(!flagged.isSeen)
      flagged.isSeen = true
    }
    for page in realm.objects(Page.self) {
      #expect(!page.flag && page.lines.isEmpty)
      page.flag = true
      page.lines.append(page.title)
    }
  }

  @Test func anIgnoredValueGoesWithItsObject() throws {
    weak var kept: Page?
    do {
      let page = Page()
      do {
        let previous = Page()
        (kept, page.previous) = (previous, previous)
      }
      #expect(kept != nil && page.previous === kept)
    }
    #expect(kept == nil)
  }

  @Test func aNewObjectHasNoIgnoredValueOfAnEarlierOne() {
    for number in 0..<100 {
      let (page, other) = (Page(), Page())
      #expect(page.draft == "empty" && other.draft == "empty")
      page.draft = "page \(number)"
      other.draft = "other \(number)"
      #expect(page.draft == "page \(number)" && other.draft == "other \(number)")
    }
  }

  @Test func anIgnoredValueCanBecomeNilAgain() {
    let (page, other) = (Page(), Page())
    page.previous = other
    page.previous = nil
    #expect(page.previous == nil)
    page.draft = "one"
    page.draft += " and two"
    #expect(page.draft == "one and two" && other.draft == "empty")
  }
}
