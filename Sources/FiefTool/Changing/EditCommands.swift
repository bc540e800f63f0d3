import Fief
import FiefGraph
import Foundation

/// `fief edit` and `fief delete`: change objects of a file, each in one transaction.
enum EditCommands {
  static let edit = Command(
    "edit", "FILE CLASS KEY NAME=VALUE…", "sets properties of an object",
    options: [.flag("--json", "print the object as JSON"), KeyFile.option],
    details: """
      VALUE is read by the type of the property: true, 7, 1.5, 2026-01-31T12:00:00Z, a text as it is,
      'nil' for no value, for a link the key of an object, for data Base64. Behind ':=' it is JSON:
        fief edit dogs.realm Person 7 name=Ann boss=3 'dogs:=["#0","#4"]' 'home:={"city":"Rome"}'
      A text that may be missing is removed by name:=null. All changes are made, or none.
      """
  ) { arguments, terminal in
    let realm = try StoredFile(arguments).forWriting()
    let text = try write(realm, arguments.operands[0]) {
      try edit(arguments, ObjectEditing(realm: realm), asJSON: arguments.has("--json"))
    }
    terminal.say(text)
    return .done
  }

  /// Sets properties of an object.
  ///
  /// - Returns: what changed, or the object as JSON.
  static func edit(
    _ arguments: Arguments, _ editing: ObjectEditing, asJSON: Bool = false
  ) throws -> StyledText {
    let before = editing.view
    let object = try before.object(named: arguments.operands[2], in: before.table(named: arguments.operands[1]))
    try editing.edit(object, Array(arguments.operands.dropFirst(3)))
    let after = editing.view
    if asJSON { return StyledText(JSONOutput.text(after.document(of: object))) }
    let changes = changes(of: object, from: before, to: after)
    let width = (changes.map(\.name.columns).max() ?? 0) + 2
    let lines = changes.map { "\n  \($0.name.padded(to: width))\($0.from.cut(to: 60)) → \($0.to.cut(to: 60))" }
    return StyledText(after.label(of: object), .bold) + (changes.isEmpty ? "  nothing changed" : lines.joined())
  }

  static let delete = Command(
    "delete", "FILE CLASS PREDICATE", "deletes the objects that meet a condition",
    options: [
      .flag("--yes", "do not ask"),
      .flag("--json", "print JSON; needs --yes"), KeyFile.option,
    ],
    details: """
      PREDICATE is a format string, as 'fief query' takes it; TRUEPREDICATE means all objects. What is
      deleted is counted first, with all that is deleted with it, and on a terminal the command asks.
      Elsewhere it deletes nothing without '--yes'.
      """
  ) { arguments, terminal in
    if arguments.has("--json") && !arguments.has("--yes") {
      throw UsageError("The option '--json' needs '--yes', as nobody can be asked.")
    }
    let isSure = arguments.has("--yes")
    let realm = try StoredFile(arguments).forWriting()
    var allowed: Deletion?
    while true {
      // The objects are looked for inside the write: before it, other programs may change them.
      let deletion = try write(
        realm, arguments.operands[0], keepingIf: { !$0.objects.isEmpty && (isSure || $0 == allowed) }
      ) { try Deletion(arguments, ObjectEditing(realm: realm)) }
      if isSure || deletion.objects.isEmpty || deletion == allowed {
        say(deletion, terminal, asJSON: arguments.has("--json"))
        return .done
      }
      guard TerminalSystem.isTerminal(TerminalSystem.standardInput) else {
        throw UsageError("\(deletion.words) would be deleted. Nothing was: '--yes' deletes without asking.")
      }
      // The write has ended, so that no program waits for the answer, which is about these objects alone.
      if allowed != nil { terminal.say("The file has changed meanwhile.") }
      guard asks(deletion.words, terminal) else {
        terminal.say("nothing was deleted")
        return .done
      }
      allowed = deletion
    }
  }

  /// What a write has deleted. Two are equal if the user would see and lose the same.
  private struct Deletion: Equatable {
    let className: String
    let objects: [ObjectLink]
    /// How many objects of each class are gone.
    let gone: [(name: String, count: Int)]

    /// Deletes the objects that meet the condition of a command.
    init(_ arguments: Arguments, _ editing: ObjectEditing) throws {
      let view = editing.view
      let table = try view.table(named: arguments.operands[1])
      className = table.schema.name.printable
      objects = try rows(of: table, arguments.operands[2], in: view)
      gone = try editing.delete(objects)
    }

    static func == (first: Self, second: Self) -> Bool {
      first.objects == second.objects && first.words == second.words
    }

    var words: String {
      let others = gone.filter { $0.name.printable != className || $0.count != objects.count }
      let more = others.isEmpty ? "" : " (with all that goes with them: \(counts(gone)))"
      return "\(objects.count.of("object")) of \(className)\(more)"
    }
  }

  /// The objects of a class that meet a condition.
  static func rows(of table: Table, _ predicate: String, in view: StoreView) throws -> [ObjectLink] {
    try view.rows(of: table, predicate).map { ObjectLink(table.schema.key, $0) }
  }

  // MARK: Words

  /// The contents of changed properties, before and after.
  private static func changes(
    of object: ObjectLink, from before: StoreView, to after: StoreView
  ) -> [(name: String, from: String, to: String)] {
    guard let columns = after.graph[object.table]?.schema.columns else { return [] }
    return columns.compactMap { column in
      let texts = [before, after].map { view in
        let cell = Cell(object.table, object.key, column.key)
        let json = view.json(cell, of: column.type).line
        return (json, column.type.isCollection ? json : view.text(view.graph.value(cell) ?? .null, of: column.type))
      }
      return texts[0].0 == texts[1].0 ? nil : (column.name.printable, texts[0].1, texts[1].1)
    }
  }

  static func counts(_ gone: [(name: String, count: Int)]) -> String {
    gone.map { "\($0.count) of \($0.name.printable)" }.joined(separator: ", ")
  }

  private static func say(_ deletion: Deletion, _ terminal: Terminal, asJSON: Bool) {
    terminal.say(
      asJSON
        ? JSON.object([("deleted", .counts(deletion.gone))]).page
        : deletion.objects.isEmpty
          ? "no objects of \(deletion.className) meet the condition" : "deleted: \(counts(deletion.gone))")
  }

  private static func asks(_ what: String, _ terminal: Terminal) -> Bool {
    terminal.say("Delete \(what)? [y/N] ", terminator: "")
    terminal.flush()
    return ["y", "yes"].contains(readLine()?.lowercased().trimmingCharacters(in: .whitespaces) ?? "")
  }

  // MARK: Writing

  /// Runs changes in one transaction.
  ///
  /// - Parameters:
  ///   - file: the file, for errors.
  ///   - isKept: asked at the end whether the changes with that result are kept.
  private static func write<Result>(
    _ realm: Realm, _ file: String, keepingIf isKept: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
  ) throws -> Result {
    do {
      // `Realm.beginWrite` traps where this throws: when another process goes on writing.
      try realm.session.beginWrite()
      let result = try body()
      if isKept(result) { try realm.commitWrite() } else { realm.cancelWrite() }
      return result
    } catch {
      if realm.isInWriteTransaction { realm.cancelWrite() }
      throw error is Failure || error is UsageError ? error : Failure(describing: error, file: file)
    }
  }
}
