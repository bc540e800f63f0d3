import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
}

@Suite struct FileURLTests {
  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("FiefRealmFilesTests/Files/small.realm")

  @Test func onlyURLsOfFilesNameFiles() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("dogs.realm")
      let file = folder.appendingPathComponent("other.realm")
      let web = try #require(URL(string: "http://example.org" + url.path))
      let other = try Realm(configuration: .init(fileURL: file, objectTypes: [Dog.self]))
      var seeded = Realm.Configuration(fileURL: url, objectTypes: [Dog.self])
      seeded.seedFilePath = web
      let configuration = Realm.Configuration(fileURL: web, objectTypes: [Dog.self])
      for attempt in [
        { _ = try Realm(configuration: configuration) }, { _ = try Realm(fileURL: web) },
        { _ = try Realm(fileURL: web, dynamic: true) }, { _ = try Realm(configuration: seeded) },
        { _ = try Realm.deleteFiles(for: configuration) }, { try other.writeCopy(toFile: web) },
        { _ = try Realm.verify(fileURL: web) }, { _ = try schemaVersionAtURL(web) },
        { _ = try Realm.recover(from: file, to: web) }, { _ = try Realm.recover(from: web, to: url) },
        { _ = try Realm.importRealmFile(from: web, to: url) },
        { _ = try Realm.importRealmFile(from: Self.sample, to: web) },
        { _ = try Realm.schemaDifference(fileURL: web, to: [Dog.self]) },
      ] as [() throws -> Void] {
        let error = #expect(throws: Realm.Error.self) { try attempt() }
        #expect(error?.code == .fail && error?.localizedDescription.contains("does not name a file") == true)
      }
      #expect(!Realm.fileExists(for: configuration))
      #expect(!FileManager.default.fileExists(atPath: url.path))
      // A URL without a scheme is a path.
      let bare = try #require(URL(string: url.path))
      _ = try Realm(configuration: .init(fileURL: bare, objectTypes: [Dog.self]))
      #expect(FileManager.default.fileExists(atPath: url.path))
    }
  }
}
