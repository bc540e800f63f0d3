import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Tag: Object {
  @Persisted(originProperty: "tags") var notes: LinkingObjects<Note>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Note: Object {
  @Persisted var tags: List<Tag>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct BacklinksOnlyTests {
  @Test func aClassThatHasOnlyLinkingObjectsIsKept() throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("notes.realm"), objectTypes: [Tag.self, Note.self])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let tags = (0..<300).map { _ in Tag() }
        realm.add(tags)
        let note = realm.create(Note.self)
        note.tags.append(objectsIn: tags[..<3])
        realm.delete(tags[0])
      }
      #expect(realm.objects(Tag.self).count == 299 && realm.objects(Tag.self).first?.notes.count == 1)
      try realm.compact()
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Tag.self).count == 299 && realm.objects(Tag.self).map(\.notes.count).reduce(0, +) == 2)
    try realm.write { realm.delete(realm.objects(Tag.self)) }
    #expect(realm.objects(Note.self).first?.tags.isEmpty == true)
    #expect(try Realm.verify(fileURL: configuration.fileURL!).problems == [])
  }
}
