import FiefDurability

/// `fief verify`: checks whether a realm's file is sound. It reads every byte, changes none, and needs no classes.
///
///     dogs.realm is sound: version 3, 7 objects in 2 classes.
///
/// Problems are printed one per line. They are the result of the command, so they go to standard output.
enum FileCheck {
  static let command = Command(
    "verify", "FILE", "whether a realm's file is sound: every checksum, every link",
    options: [.flag("--json", "print JSON"), KeyFile.option],
    details: """
      The exit code is 0 for a sound file, 1 for a damaged one, and 2 if commits may be missing at its end.
      The file may be open meanwhile. Without its key the checksums of an encrypted file are checked, and
      its contents are not, which is a doubt: exit code 2.
      """
  ) { arguments, terminal in
    let file = arguments.operands[0]
    let key = try KeyFile.key(arguments)
    let report = try Progress.show("Verifying \(file)") { _ in try StoreFile.verify(file, key: KeyFile.fileKey(key)) }
    if arguments.has("--json") {
      terminal.say(FactsPage.json(Record(report)))
    } else {
      terminal.say("\(file.printable) is \(report)".printable(keepingLines: true))
    }
    return !report.problems.isEmpty ? .unsound : report.doubts.isEmpty ? .done : .doubtful
  }

  /// The names are a stable interface for programs that read the output.
  private struct Record: Encodable {
    let isSound: Bool
    let problems: [String]
    let doubts: [String]
    /// Nil if it is not known.
    let version: UInt64?
    let objects: Int?

    init(_ report: StoreReport) {
      isSound = report.isSound
      problems = report.problems
      doubts = report.doubts
      version = report.info?.version
      // Of an encrypted file without its key no object is known.
      objects = report.info.flatMap { $0.encryption?.isLocked ?? false ? nil : $0.objects }
    }
  }
}
