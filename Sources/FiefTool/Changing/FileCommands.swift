import Fief
import FiefDurability
import FiefGraph
import Foundation

/// `fief compact`, `fief copy` and `fief recover`: what is done with a file as a whole.
enum FileCommands {
  static let compact = Command(
    "compact", "FILE", "makes a file as small as its contents allow",
    options: [.flag("--json", "print JSON"), KeyFile.option],
    details: """
      Writes a snapshot of the newest version, and begins an empty journal. Versions that a history
      keeps stay, within its limits.
      """
  ) { arguments, terminal in
    let file = try StoredFile(arguments)
    let realm = try file.forWriting()
    let before = size(file.name)
    try file.use("Compacting") { _, _ in try realm.compact() }
    let after = size(file.name)
    terminal.say(
      arguments.has("--json")
        ? JSON.object([("bytesBefore", .number(before)), ("bytes", .number(after))]).page
        : "\(file.name.printable): \(before.inBytes) before, \(after.inBytes) now")
    return .done
  }

  static let copy = Command(
    "copy", "FILE NEW", "the newest version of a file in a new file",
    options: [
      .flag("--json", "print JSON"),
      .value("--encryption-key", "KEYFILE", "FILE is encrypted with the 64 bytes in KEYFILE", aliases: ["--key"]),
      .value("--new-encryption-key", "KEYFILE", "encrypt NEW with the 64 bytes in KEYFILE", aliases: ["--new-key"]),
    ],
    details: """
      FILE may be open meanwhile. Versions that a history keeps are not copied. NEW is encrypted only
      with '--new-encryption-key'. A key is an encryptionKey, which needs CryptoKit; a file with a cipher
      of its application is copied by the application.
      """
  ) { arguments, terminal in
    let (file, new) = (try StoredFile(arguments), try StoredFile(arguments, 1, key: "--new-encryption-key"))
    try file.refuseOfRealm(": 'fief import' copies it.")
    let realm = try file.forReading()
    do {
      try Progress.show("Writing \(new.name)") { _ in try realm.writeCopy(toFile: new.url, encryptionKey: new.key) }
    } catch { throw Failure(describing: error, file: new.name) }
    let (count, bytes) = (StoreView(realm).objectCount, size(new.name))
    terminal.say(
      arguments.has("--json")
        ? JSON.object([("bytes", .number(bytes)), ("objects", .number(count))]).page
        : "\(new.name.printable): \(count.of("object")), \(bytes.inBytes)")
    return .done
  }

  static let recover = Command(
    "recover", "DAMAGED NEW", "what can be read of a damaged file in a new file",
    options: [
      .flag("--json", "print JSON"),
      .value("--encryption-key", "KEYFILE", "both files are encrypted with the 64 bytes in KEYFILE"),
    ],
    details: """
      The damaged file does not change. The exit code is 0 if everything was saved, and 2 if something
      is lost; each loss is a line.
      """
  ) { arguments, terminal in
    let (file, new) = (try StoredFile(arguments), arguments.operands[1])
    let report = try file.use("Recovering") { _, key in try StoreFile.recover(from: file.name, to: new, key: key) }
    if arguments.has("--json") {
      terminal.say(json(report).page)
    } else {
      let losses = report.losses.map { "\n  \($0.printable)" }.joined()
      let saved = report.tables.map { "\($0.rows) of \($0.name.printable)" }.joined(separator: ", ")
      let words = report.isComplete ? "everything was saved" : "something is lost"
      terminal.say(
        "\(new.printable): version \(report.version), with \(saved.isEmpty ? "nothing" : saved); \(words)\(losses)")
    }
    return report.isComplete ? .done : .doubtful
  }

  /// The size of the files of a realm, in bytes.
  private static func size(_ file: String) -> Int {
    [file, file + ".journal", file + ".history"].reduce(0) { sum, file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// The names are a stable interface for programs that read the output.
  private static func json(_ report: RecoveryReport) -> JSON {
    [
      "version": .number(report.version), "schemaVersion": .number(report.userVersion),
      "classes": .counts(report.tables.lazy.map { ($0.name, $0.rows) }), "losses": .texts(report.losses),
      "lostCommits": .number(report.lostCommits), "lostObjects": .number(report.lostRows),
      "lostLinks": .number(report.lostLinks),
    ]
  }
}
