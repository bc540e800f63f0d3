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
    let file = try StoredFile(arguments)
    let report = try file.use("Verifying") { _, key in try StoreFile.verify(file.name, key: key) }
    // Of an encrypted file without its key no object is known.
    let known = report.info.flatMap { $0.encryption?.isLocked ?? false ? nil : $0 }
    let record = JSON.members([
      "isSound": .flag(report.isSound), "problems": .texts(report.problems), "doubts": .texts(report.doubts),
      "version": report.info.map { .number($0.version) }, "objects": known.map { .number($0.objects) },
    ])
    terminal.say(arguments.has("--json") ? record.page : "\(file.name.printable) is \(report)")
    return !report.problems.isEmpty ? .unsound : report.doubts.isEmpty ? .done : .doubtful
  }
}
