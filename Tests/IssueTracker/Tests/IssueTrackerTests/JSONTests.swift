import IssueTracker
import RealmSwift
import Testing

/// A realm of an asynchronous test belongs to an actor, here the main one.
@MainActor @Suite struct JSONTests {
  let configuration = Tracker.configuration(.inMemory())

  @Test func whatIsWrittenIsRead() async throws {
    let tracker = Tracker(try await Realm(configuration: configuration))
    for number in 1...3 {
      try tracker.report("Issue \(number)")
      try tracker.assign(number, to: "Ann")
      try tracker.label(number, "new")
      try tracker.comment(number, by: "Bob", "\"Why?\"")
    }
    let other = Tracker.configuration(.inMemory())
    for _ in 1...2 { #expect(try await Importer(other).read(tracker.json()) == 3) }
    #expect(Realm.difference(tracker.realm, try await Realm(configuration: other)) == nil)
  }

  @Test func manyIssuesAreRead() async throws {
    let issues = (1...1_234).map { ["number": $0, "title": "Issue \($0)"] as [String: Any] }
    let json = try JSONSerialization.data(withJSONObject: issues)
    let tracker = Tracker(try await Realm(configuration: configuration))
    #expect(try await Importer(configuration).read(json) == 1_234)
    await tracker.realm.asyncRefresh()
    #expect(tracker.issues().count == 1_234)
  }

  @Test func aMisspeltNameChangesNothing() async throws {
    let json = Data(#"[{ "number": 1, "title": "The dog barks" }, { "number": 2, "titel": "The cat sleeps" }]"#.utf8)
    await #expect(throws: Realm.Error.self) { try await Importer(configuration).read(json) }
    #expect(try await Realm(configuration: configuration).isEmpty)
  }
}
