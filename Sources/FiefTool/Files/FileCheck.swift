import FiefDurability

/// `fief verify`: checks whether a realm's file is sound. It reads every byte, changes none, and needs no classes.
///
///     dogs.realm is sound: version 3, 7 objects in 2 classes.
///
/// Problems are printed one per line. They are the result of the command, so they go to standard output.
enum FileCheck {
  static func run(_ file: String, _ terminal: Terminal) -> ExitCode {
    do throws(StoreError) {
      let report = try StoreFile.verify(file)
      guard report.problems.isEmpty, let info = report.info else {
        terminal.say((["\(file) is damaged:"] + report.problems.map { "  \($0)" }).joined(separator: "\n"))
        return .unsound
      }
      if !report.doubts.isEmpty {
        let title = "\(file) is whole up to version \(info.version), and in doubt behind it:"
        terminal.say(([title] + report.doubts.map { "  \($0)" }).joined(separator: "\n"))
        return .doubtful
      }
      terminal.say(
        "\(file) is sound: version \(info.version), \(info.objects.of("object")) in "
          + "\(info.tables.count.of("class", "classes")).")
      return .done
    } catch {
      return error.report(to: terminal)
    }
  }
}
