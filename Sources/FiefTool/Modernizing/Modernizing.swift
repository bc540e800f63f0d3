import Foundation

/// `fief modernize`: rewrites older declarations of model classes as `@Persisted`.
///
/// It prints the changes as a patch, and changes a file only with `--write`. What it leaves, it lists on standard error
/// with file and line.
enum Modernizing {
  static let command = Command(
    "modernize", "FILES…", "older model classes of Swift sources as @Persisted, as a patch",
    options: [.flag("--write", "change the files")]
  ) { arguments, terminal in
    run(arguments.operands, isWriting: arguments.has("--write"), terminal)
  }

  private static func run(_ names: [String], isWriting: Bool, _ terminal: Terminal) -> ExitCode {
    var code = ExitCode.done
    /// A file that fails does not keep the others from their turn.
    func attempt(_ body: () throws(Failure) -> Void) {
      do throws(Failure) { try body() } catch {
        terminal.complain("fief: \(error.message)")
        code = error.code
      }
    }
    var files: [(name: String, text: String)] = []
    for name in names { attempt { () throws(Failure) in files.append((name, try read(name))) } }
    for (file, outcome) in zip(files, rewrite(files.map(\.text))) {
      if outcome.text != file.text {
        terminal.say(data: UnifiedDiff.text(of: file.text, outcome.text, file: file.name), terminator: "")
        if isWriting { attempt { () throws(Failure) in try write(outcome.text, to: file.name) } }
      }
      for note in outcome.notes { terminal.complain("\(file.name.printable):\(note.line): \(note.words)") }
    }
    return code
  }

  /// A source and its outcome.
  private struct File {
    var source: SwiftSource?
    var rewritten: SwiftSource?
    var notes: [ModelRewriter.Note] = []
    var text: String
  }

  /// Rewrites sources that belong together.
  ///
  /// - Returns: for each source, its new text, and what was left as it is. A source that has no tokens stays.
  static func rewrite(_ texts: [String]) -> [(text: String, notes: [ModelRewriter.Note])] {
    var files = texts.map { File(text: $0) }
    for index in files.indices {
      do {
        files[index].source = try SwiftSource(Array(files[index].text.utf8))
      } catch {
        files[index].notes.append(.init(line: error.line, words: "the file stays as it is: \(error.words)"))
      }
    }
    let context = SourceContext(files.compactMap(\.source))
    var unwrapped: [(className: String, property: String)] = []
    for index in files.indices {
      guard let source = files[index].source else { continue }
      var rewriter = ModelRewriter(source, context)
      rewriter.run()
      unwrapped += rewriter.unwrapped
      files[index].notes += rewriter.notes
      guard !rewriter.edits.isEmpty else { continue }
      // Edits that overlap, or that leave no tokens, would be an error of this program.
      if let bytes = rewriter.edits.applied(), let later = try? SwiftSource(bytes) {
        files[index].text = String(decoding: bytes, as: UTF8.self)
        files[index].rewritten = later
      } else {
        files[index].notes.append(.init(line: 1, words: "the file stays as it is: its declarations are entangled"))
      }
    }
    for index in files.indices {
      guard let source = files[index].source else { continue }
      files[index].notes += PropertyUses(of: unwrapped, in: source, context).notes
    }
    noteSchemaChanges(&files)
    return files.map { ($0.text, $0.notes.sorted { $0.line < $1.line }) }
  }

  /// Notes what Realm would store otherwise after the rewriting, whatever the reason is.
  private static func noteSchemaChanges(_ files: inout [File]) {
    let before = SourceSchema(files.map(\.source))
    let after = SourceSchema(files.map { $0.rewritten ?? $0.source })
    for index in files.indices {
      guard let source = files[index].source else { continue }
      for remark in before.differences(to: after, ofSource: index) {
        files[index].notes.append(.init(line: source.line(remark.token), words: remark.words))
      }
    }
  }

  // MARK: Files

  /// The largest source that is read, in bytes.
  private static let longest = 16 << 20

  private static func read(_ name: String) throws(Failure) -> String {
    guard FileManager.default.fileExists(atPath: name) else {
      throw Failure("There is no file at \(name.printable).", .noFile)
    }
    let data: Data
    do { data = try DocumentFile.bytes(of: name) } catch {
      throw error as? Failure
        ?? Failure("\(name.printable) could not be read: \(error.localizedDescription)", .unreadable)
    }
    if data.count <= longest, let text = String(data: data, encoding: .utf8) { return text }
    throw Failure("\(name.printable) is no Swift source: it is not UTF-8, or too long.", .badData)
  }

  private static func write(_ text: String, to name: String) throws(Failure) {
    do {
      try DocumentFile.write(name) { try $0(Data(text.utf8)) }
    } catch {
      throw error as? Failure ?? Failure("\(name.printable) cannot be written: \(error)", .unreadable)
    }
  }
}
