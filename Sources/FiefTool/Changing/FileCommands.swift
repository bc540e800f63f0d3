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
    let file = arguments.operands[0]
    let realm = try FileOpening.forWriting(file, key: KeyFile.key(arguments))
    let before = size(file)
    do {
      try Progress.show("Compacting \(file)") { _ in try realm.compact() }
    } catch {
      throw Failure(describing: error, file: file)
    }
    let after = size(file)
    terminal.say(
      arguments.has("--json")
        ? FactsPage.json(["bytesBefore": before, "bytes": after])
        : "\(file.printable): \(PageOutput.size(before)) before, \(PageOutput.size(after)) now")
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
    let (file, new) = (arguments.operands[0], arguments.operands[1])
    let (key, newKey) = (try KeyFile.key(arguments), try KeyFile.key(arguments, "--new-encryption-key"))
    if RealmFileInspecting.isOfRealm(file) {
      throw Failure("\(file.printable) is a file of Realm: 'fief import' copies it.", .unsound)
    }
    let realm = try FileOpening.forReading(file, key: key)
    do {
      try Progress.show("Writing \(new)") { _ in
        try realm.writeCopy(toFile: URL(fileURLWithPath: new), encryptionKey: newKey)
      }
    } catch {
      throw Failure(describing: error, file: new)
    }
    let count = StoreView(realm).objectTables.reduce(0) { $0 + $1.count }
    terminal.say(
      arguments.has("--json")
        ? FactsPage.json(["bytes": size(new), "objects": count])
        : "\(new.printable): \(count.of("object")), \(PageOutput.size(size(new)))")
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
    let (file, new) = (arguments.operands[0], arguments.operands[1])
    let key = try KeyFile.key(arguments)
    let report: RecoveryReport
    do {
      report = try Progress.show("Recovering \(file)") { _ in
        try StoreFile.recover(from: file, to: new, key: KeyFile.fileKey(key))
      }
    } catch {
      throw KeyFile.failure(describing: error, file: file, key: key)
    }
    if arguments.has("--json") {
      terminal.say(FactsPage.json(RecoveryRecord(report)))
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
  private struct RecoveryRecord: Encodable {
    let version: UInt64
    let schemaVersion: UInt64
    let classes: [FactsPage.Class]
    let losses: [String]
    let lostCommits: Int
    let lostObjects: Int
    let lostLinks: Int

    init(_ report: RecoveryReport) {
      version = report.version
      schemaVersion = report.userVersion
      classes = report.tables.map { .init(name: $0.name, objects: $0.rows) }
      losses = report.losses
      lostCommits = report.lostCommits
      lostObjects = report.lostRows
      lostLinks = report.lostLinks
    }
  }
}

extension FileOpening {
  /// Opens a file of this library to change it. Its classes and its schema version stay.
  ///
  /// - Parameter key: the key of an encrypted file.
  /// - Throws: `Failure` with the exit code for a file that is missing, foreign, damaged, encrypted or open elsewhere,
  ///   and for a file of Realm's own library.
  static func forWriting(_ file: String, key: Data?) throws -> Realm {
    if RealmFileInspecting.isOfRealm(file) {
      throw Failure("\(file.printable) is a file of Realm, which is only read: 'fief import' copies it.", .unsound)
    }
    do {
      return try Progress.show("Reading \(file)") { _ in
        let stored = try StoreFile.read(file, key: KeyFile.fileKey(key))
        var configuration = Realm.Configuration(
          fileURL: URL(fileURLWithPath: file), schemaVersion: stored.userVersion)
        configuration.isDynamic = true
        configuration.encryptionKey = key
        // Without this the next snapshot would end the history that the file's program keeps.
        if stored.isTimed { configuration.history = .versions(.max) }
        return try Realm(configuration: configuration)
      }
    } catch {
      throw KeyFile.failure(describing: error, file: file, key: key)
    }
  }
}
