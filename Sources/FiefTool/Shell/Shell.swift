import Fief
import FiefCopying
import FiefGraph
import Foundation

/// `fief shell`: asks and changes a file line by line.
///
///     fief> Person name BEGINSWITH 'A'
///     fief> edit Person 7 name=Ann
///     fief*> commit
///
/// The first change opens the file for writing and begins a transaction, in which all further changes are. It is kept
/// or dropped as a whole: by `commit` and `rollback`, or at the end.
final class Shell {
  static let command = Command(
    "shell", "FILE", "asks and changes a file line by line",
    options: [
      .flag("--keep", "keep the changes at the end, without asking"),
      .flag("--drop", "drop the changes at the end, without asking"), KeyFile.option,
    ],
    details: """
      \(help)

      On a terminal lines can be edited, Tab completes commands, classes and properties, and the arrow
      keys bring back earlier lines. At the end the shell asks whether changes are kept. Without a
      terminal lines come from standard input: the first error ends the shell with its exit code and
      drops the changes, and at the end they are dropped unless '--keep' was given.
      """
  ) { arguments, terminal in
    let ending = try arguments.choice("--keep", "--drop")
    return try Shell(StoredFile(arguments), terminal).run(ending)
  }

  static let help = """
    CLASS PREDICATE           prints the objects that meet a condition: Dog age > 3 AND name != nil
    query CLASS [PREDICATE]   the same, with the options of 'fief query'
    show CLASS KEY            prints an object, and what links to it
    edit CLASS KEY NAME=…     sets properties, as 'fief edit' does
    create CLASS NAME=…       makes an object
    delete CLASS PREDICATE    deletes objects, and what goes with them
    changes                   prints what the transaction has changed
    commit, rollback          keeps the changes so far, or drops them
    .schema [CLASS], .classes, .help, .quit
    """

  private let file: StoredFile
  private let terminal: Terminal
  private let isInteractive = TerminalSystem.isTerminal(TerminalSystem.standardInput)
  /// Opened for reading, and from the first change on for writing.
  private var realm: Realm
  private var isWriting = false
  /// The contents before the transaction.
  private var before: Graph?

  private init(_ file: StoredFile, _ terminal: Terminal) throws {
    (self.file, self.terminal) = (file, terminal)
    realm = try file.forReading()
  }

  private var view: StoreView { StoreView(realm) }

  // MARK: Running

  private func run(_ ending: String?) throws -> ExitCode {
    if isInteractive {
      let count = view.objectCount.of("object")
      terminal.say("\(file.name.fileName.printable): \(count). '.help' prints the commands.")
    }
    let reader = LineReader(terminal) { [self] in ShellCompletion.words(after: $0, in: view) }
    while let line = reader.line(realm.isInWriteTransaction ? "fief*> " : "fief> ") {
      do {
        if try !answer(line) { break }
        try terminal.checkReader()
      } catch is OutputClosed {
        // A script changes the file without its reader, too. A person no longer sees what the shell says.
        if isInteractive { break }
      } catch {
        let (message, code) = Self.describe(error)
        terminal.complain("fief: \(message)")
        guard isInteractive else {
          if realm.isInWriteTransaction { terminal.complain("fief: The changes were dropped.") }
          drop()
          return code
        }
      }
    }
    try end(ending, reader)
    return .done
  }

  private static func describe(_ error: any Error) -> (String, ExitCode) {
    if let error = error as? UsageError { return (error.problem, .usage) }
    let failure = Failure(describing: error)
    return (failure.message, failure.code)
  }

  /// Keeps or drops the changes.
  private func end(_ ending: String?, _ reader: LineReader) throws {
    guard realm.isInWriteTransaction else { return }
    if ending == "--keep" { return try keep() }
    if ending == nil && isInteractive && terminal.isRead {
      terminal.say(changedWords)
      if let answer = reader.line("Keep the changes? [y/N] ", isKept: false),
        ["y", "yes"].contains(answer.lowercased())
      {
        return try keep()
      }
    }
    drop()
    if ending == nil {
      terminal.complain("fief: The changes were dropped\(isInteractive ? "." : ": 'commit' or '--keep' keeps them.")")
    }
  }

  /// Answers a line.
  ///
  /// - Returns: false when the shell is to end.
  private func answer(_ text: String) throws -> Bool {
    let line = try ShellLine(text)
    guard let first = line.words.first, !first.hasPrefix("#") else { return true }
    switch first {
    case ".quit", ".exit", "quit", "exit": return false
    case ".help", "help", "?": terminal.say(Self.help)
    case ".classes": classes()
    case ".schema": try schema(line.words)
    case "query": try query(line.words(withPredicateAt: 2))
    case "show": try ShowCommand.run(view, try arguments(ShowCommand.command, line.words), terminal)
    case "edit": try edit(line.words)
    case "create": try create(line.words)
    case "delete": try delete(line.words(withPredicateAt: 2))
    case "changes":
      let text = realm.isInWriteTransaction ? before?.difference(from: realm.graph, limit: 100) : nil
      terminal.say(text ?? "none")
    case "commit": try keep()
    case "rollback":
      if !realm.isInWriteTransaction { throw UsageError("There are no changes to drop.") }
      drop()
    default:
      guard view.tables.contains(where: { $0.schema.name == first }) else {
        throw UsageError("There is no command and no class '\(first.printable)': '.help' prints the commands.")
      }
      try query(["query"] + line.words(withPredicateAt: 1))
    }
    return true
  }

  // MARK: Reading

  /// The arguments of a command, which has a file before the others. The name of the file could look like an option.
  private func arguments(_ command: Command, _ words: [String]) throws(UsageError) -> Arguments {
    let arguments = try Arguments(["FILE"] + words.dropFirst(), of: command)
    if arguments.asksForHelp { throw UsageError("'fief help \(command.name)' prints the help of '\(command.name)'.") }
    return arguments
  }

  private func query(_ words: [String]) throws {
    try QueryCommand.run(view, try arguments(QueryCommand.command, words), terminal)
  }

  private func classes() {
    let tables = view.tables
    let width = (tables.map { $0.schema.name.printable.columns }.max() ?? 0) + 2
    for table in tables { terminal.say("\(table.schema.name.printable.padded(to: width))\(table.count)") }
    if tables.isEmpty { terminal.say("no classes") }
  }

  private func schema(_ words: [String]) throws {
    guard words.count > 1 else { return terminal.say(FileSchema.text(realm.schema)) }
    if words.count > 2 { throw UsageError("'.schema' takes one class.") }
    let name = try view.table(named: words[1]).schema.name.printable
    // The properties of a class are the indented lines below its name.
    let lines = FileSchema.text(realm.schema).split(separator: "\n").drop { line in
      line != name && !line.hasPrefix("\(name) (")
    }
    guard let first = lines.first else { return }
    terminal.say(([first] + lines.dropFirst().prefix { $0.hasPrefix(" ") }).joined(separator: "\n"))
  }

  // MARK: Changing

  /// The realm in a transaction.
  private func editing() throws -> ObjectEditing {
    if !isWriting {
      if file.isOfRealm { _ = try file.forWriting() }
      // A realm that only reads and one that writes cannot be open at once.
      realm = try Realm(configuration: .inMemory(objectTypes: []))
      do {
        realm = try file.forWriting()
        isWriting = true
      } catch {
        realm = try file.forReading()
        throw error
      }
    }
    if !realm.isInWriteTransaction {
      // `Realm.beginWrite` traps where this throws: when another process goes on writing.
      try realm.session.beginWrite()
      before = realm.graph
    }
    return ObjectEditing(realm: realm)
  }

  private func edit(_ words: [String]) throws {
    let arguments = try arguments(EditCommands.edit, words)
    terminal.say(try EditCommands.edit(arguments, editing()))
  }

  private func create(_ words: [String]) throws {
    guard words.count > 1 else { throw UsageError("'create' takes CLASS NAME=VALUE….") }
    let editing = try editing()
    let object = try editing.create(view.table(named: words[1]), Array(words.dropFirst(2)))
    terminal.say(StyledText(view.label(of: object), .bold))
  }

  private func delete(_ words: [String]) throws {
    let arguments = try arguments(EditCommands.delete, words)
    let editing = try editing()
    let table = try view.table(named: arguments.operands[1])
    let objects = try EditCommands.rows(of: table, arguments.operands[2], in: view)
    let gone = try editing.delete(objects)
    terminal.say(gone.isEmpty ? "no objects meet the condition" : "deleted: \(EditCommands.counts(gone))")
  }

  private func keep() throws {
    if !realm.isInWriteTransaction { throw UsageError("There are no changes to keep.") }
    let words = changedWords
    do { try realm.commitWrite() } catch { throw Failure(describing: error, file: file.name) }
    before = nil
    terminal.say("kept: \(words)")
  }

  private func drop() {
    if realm.isInWriteTransaction { realm.cancelWrite() }
    before = nil
  }

  /// How many objects the transaction has changed.
  private var changedWords: String {
    let count = before?.objectDifferences(from: realm.graph).count ?? 0
    return count.of("changed object")
  }
}
