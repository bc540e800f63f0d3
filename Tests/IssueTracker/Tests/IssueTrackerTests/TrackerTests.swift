import IssueTracker
import RealmSwift
import Testing

@Suite struct TrackerTests {
  let tracker: Tracker

  init() throws { tracker = Tracker(try Realm(configuration: Tracker.configuration(.inMemory()))) }

  @Test func issuesAreNumbered() throws {
    try tracker.report("The dog barks")
    try tracker.report("The cat sleeps")
    #expect(tracker.issues().map(\.summary) == ["#1 open The dog barks", "#2 open The cat sleeps"])
  }

  @Test func aPersonIsMadeOnce() throws {
    for title in ["The dog barks", "The cat sleeps"] {
      try tracker.assign(tracker.report(title).number, to: "Ann")
    }
    let ann = try #require(tracker.realm.objects(Person.self).first)
    #expect(ann.issues.map(\.number) == [1, 2])
    try tracker.assign(1, to: nil)
    #expect(ann.issues.map(\.number) == [2])
  }

  @Test func issuesAreFound() throws {
    try tracker.report("The dog barks", details: "All night")
    try tracker.report("The cat sleeps")
    try tracker.set(2, .closed)
    #expect(tracker.issues(.open).map(\.number) == [1])
    #expect(tracker.issues(with: "NIGHT").map(\.number) == [1])
    #expect(tracker.issues(with: "the sl*").map(\.number) == [2])
  }

  @Test func anUnknownNumberChangesNothing() throws {
    let before = tracker.realm.freeze()
    #expect(throws: TrackerError.noIssue(7)) { try tracker.assign(7, to: "Ann") }
    #expect(Realm.difference(before, tracker.realm) == nil)
    #expect(try tracker.undo() == nil)
  }

  @Test func allChangesAreUndoneAndRedone() throws {
    try tracker.report("The dog barks")
    try tracker.label(1, "noise")
    try tracker.comment(1, by: "Bob", "Still")
    let before = tracker.realm.freeze()
    try tracker.delete(1)
    #expect(tracker.issues().isEmpty)
    #expect(try tracker.undo() == "Delete #1")
    #expect(Realm.difference(before, tracker.realm) == nil)
    while try tracker.undo() != nil {}
    #expect(tracker.realm.isEmpty)
    while try tracker.redo() != nil {}
    #expect(tracker.realm.isEmpty)
    #expect(try tracker.undo() == "Delete #1")
    #expect(Realm.difference(before, tracker.realm) == nil)
  }
}
