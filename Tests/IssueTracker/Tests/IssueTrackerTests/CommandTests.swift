import IssueTracker
import Testing

@Suite struct CommandTests {
  @Test func lines() throws {
    #expect(try Command("add The dog barks") == .add(title: "The dog barks"))
    #expect(try Command("list") == .list(nil))
    #expect(try Command("list closed") == .list(.closed))
    #expect(try Command("comment 3 Ann Not at night") == .comment(3, author: "Ann", text: "Not at night"))
    #expect(try Command("undo") == .undo)
  }

  @Test(arguments: ["", "bark", "add", "list done", "assign Ann", "close one", "comment 1 Ann"])
  func noCommand(_ line: String) {
    #expect(throws: TrackerError.notACommand(line)) { try Command(line) }
  }
}
