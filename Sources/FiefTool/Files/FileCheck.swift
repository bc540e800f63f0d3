import FiefDurability

/// `fief verify`: checks whether a realm's file is sound. It reads every byte, changes none, and needs no classes.
///
///     dogs.realm is sound: version 3, 7 objects in 2 classes.
///
/// Problems are printed one per line. They are the result of the command, so they go to standard output.
enum FileCheck {
  static let command = Command("verify", "FILE", "whether a realm's file is sound: every checksum, every link") {
    arguments, terminal in
    let file = arguments.operands[0]
    let report = try Progress.show("Verifying \(file)") { _ in try StoreFile.verify(file) }
    terminal.say("\(file.printable) is \(report)")
    return !report.problems.isEmpty ? .unsound : report.doubts.isEmpty ? .done : .doubtful
  }
}
