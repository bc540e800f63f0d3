import FiefTestSupport
import Foundation
import RealmSwift
import Testing

/// 6,633 random queries and the answers of realm-core 14.14 to them, on a file that it wrote.
///
/// `FiefRealmFilesTests/Files/README.md` describes the file of the answers.
@Suite struct RealmCoreAnswersTests {
  private static let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("FiefRealmFilesTests/Files")

  /// `0-2 5` as the numbers 0, 1, 2, 5.
  private func numbers(_ text: Substring) -> [Int] {
    text.split(separator: " ").flatMap { run -> [Int] in
      let ends = run.split(separator: "-").compactMap { Int($0) }
      return Array(ends[0]...ends[ends.count - 1])
    }
  }

  private func name(_ key: Any?) -> String {
    switch key {
    case let id as ObjectId: id.stringValue
    case let id as UUID: id.uuidString.lowercased()
    default: key.map { "\($0)" } ?? "nil"
    }
  }

  @Test func everyQueryIsAnsweredAsRealmCoreAnswersIt() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("new.realm")
      // A copy, because a file is locked while it is imported, and other tests import this one.
      let old = folder.appendingPathComponent("old.realm")
      try FileManager.default.copyItem(at: Self.files.appendingPathComponent("small.realm"), to: old)
      _ = try Realm.importRealmFile(from: old, to: url, configuration: .init(schemaVersion: 3, objectTypes: []))
      let realm = try Realm(fileURL: url, dynamic: true)
      let text = try String(contentsOf: Self.files.appendingPathComponent("small.answers"), encoding: .utf8)
      var (type, keyName, keys, asked): (String, String, [String], Int) = ("", "", [], 0)
      for line in text.split(separator: "\n") {
        if line.hasPrefix("# ") {
          let parts = line.dropFirst(2).split(separator: " ", maxSplits: 2)
          (type, keyName, keys) = (String(parts[0]), String(parts[1]), parts[2].split(separator: "|").map(String.init))
          continue
        }
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        let expected = numbers(parts[1]).map { keys[$0] }
        let found = try realm.dynamicObjects(type).filter(parsing: String(parts[0]))
        #expect(found.map { name($0[keyName]) } == expected, "\(type): \(parts[0])")
        asked += 1
      }
      #expect(asked == 6_633)
    }
  }
}
