import Foundation
import IssueTracker
import RealmSwift

/// The issue tracker for the terminal: `tracker FILE [COMMAND]`.
@main
struct Program {
  let tracker: Tracker
  let importer: Importer

  @MainActor
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.first else { return print("tracker FILE [COMMAND]\n\(Command.help)") }
    do {
      let program = try await Program(Tracker.configuration(.init(fileURL: URL(fileURLWithPath: file))))
      if arguments.count > 1 {
        print(try await program.answer(Command(arguments.dropFirst().joined(separator: " "))))
      } else {
        while let line = readLine() { await program.perform(line) }
      }
    } catch {
      FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
      exit(1)
    }
  }

  @MainActor
  init(_ configuration: Realm.Configuration) async throws {
    tracker = Tracker(try await Realm(configuration: configuration))
    importer = Importer(configuration)
  }

  /// Prints the answer to a line of the input, or what is wrong with it.
  @MainActor
  func perform(_ line: String) async {
    do {
      print(try await answer(Command(line)))
    } catch {
      print(error.localizedDescription)
    }
  }

  @MainActor
  func answer(_ command: Command) async throws -> String {
    switch command {
    case .add(let title): return try tracker.report(title).summary
    case .list(let state): return lines(tracker.issues(state))
    case .find(let words): return lines(tracker.issues(with: words))
    case .show(let number):
      let issue = try tracker.issue(number)
      return ([issue.summary] + issue.comments.map { "  \($0.author): \($0.text)" }).joined(separator: "\n")
    case .assign(let number, let name): try tracker.assign(number, to: name)
    case .label(let number, let label): try tracker.label(number, label)
    case .comment(let number, let author, let text): try tracker.comment(number, by: author, text)
    case .close(let number): try tracker.set(number, .closed)
    case .reopen(let number): try tracker.set(number, .open)
    case .delete(let number): try tracker.delete(number)
    case .undo: return try tracker.undo().map { "Undone: \($0)" } ?? "There is nothing to undo."
    case .redo: return try tracker.redo().map { "Redone: \($0)" } ?? "There is nothing to redo."
    case .write(let file): try tracker.json().write(to: file)
    case .read(let file):
      let count = try await importer.read(Data(contentsOf: file))
      await tracker.realm.asyncRefresh()
      return "\(count) issues were read."
    }
    return "Done."
  }

  private func lines(_ issues: Results<Issue>) -> String {
    issues.isEmpty ? "There are none." : issues.map(\.summary).joined(separator: "\n")
  }
}
