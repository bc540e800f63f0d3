import Foundation
import IssueTracker
import RealmSwift
import Testing

/// Files of older versions are made from descriptions of their classes: the classes themselves are gone.
@Suite final class MigrationTests {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).realm")

  deinit { _ = try? Realm.deleteFiles(for: .init(fileURL: file)) }

  /// Makes a file of an older version.
  func make(_ version: UInt64, _ properties: [DynamicSchema.Property], _ issues: [[String: Any]]) throws {
    var configuration = Realm.Configuration(fileURL: file, schemaVersion: version)
    configuration.dynamicSchema = DynamicSchema([.init("Issue", primaryKey: "number", properties)])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for issue in issues { realm.dynamicCreate("Issue", value: issue) }
    }
  }

  @Test func versionOne() throws {
    try make(
      1, [.init("number", .int), .init("subject", .string), .init("isClosed", .bool), .init("assignee", .string)],
      [
        ["number": 1, "subject": "The dog barks", "isClosed": true, "assignee": "Ann"],
        ["number": 2, "subject": "The cat sleeps", "isClosed": false, "assignee": "Ann"],
        ["number": 3, "subject": "No fish", "isClosed": false, "assignee": ""],
      ])
    let tracker = Tracker(try Realm(configuration: Tracker.configuration(.init(fileURL: file))))
    let lines = ["#1 closed The dog barks Ann", "#2 open The cat sleeps Ann", "#3 open No fish"]
    #expect(tracker.issues().map(\.summary) == lines)
    #expect(tracker.realm.objects(Person.self).count == 1)
  }

  @Test func versionTwo() throws {
    try make(
      2, [.init("number", .int), .init("title", .string), .init("state", .string), .init("assignee", .string)],
      [["number": 1, "title": "The dog barks", "state": "closed", "assignee": "Ann"]])
    let configuration = Tracker.configuration(.init(fileURL: file))
    let report = try Realm.rehearseMigration(configuration: configuration)
    #expect(report.failure == nil && report.storedVersion == 2)
    let tracker = Tracker(try Realm(configuration: configuration))
    #expect(tracker.issues().map(\.summary) == ["#1 closed The dog barks Ann"])
  }
}
