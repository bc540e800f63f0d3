import FiefTestSupport
import Foundation

/// Puts images into a folder and lets another process look at them: what traps there ends no test.
final class ImageCheck {
  let folder: URL
  private var helper: Helper
  private var count = 0

  init(folder: URL) throws {
    self.folder = folder
    helper = try Helper(["check"])
  }

  /// Puts an image's files into a folder, in place of what was there.
  static func write(_ image: [String: [UInt8]], to folder: URL) throws {
    try folder.makeEmptyFolder()
    for (name, bytes) in image { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
  }

  /// What is wrong with an image, after it was checked, read, opened, written to, and opened again; nil when all is
  /// well.
  func fault(in image: [String: [UInt8]], after outcomes: Outcomes) throws -> String? {
    try Self.write(image, to: folder)
    return try fault(after: outcomes)
  }

  /// The same of what is in the folder.
  func fault(after outcomes: Outcomes) throws -> String? {
    // A process may take a minute, and a night is longer.
    count += 1
    if count % 500 == 0 {
      helper.finish()
      helper = try Helper(["check"])
    }
    helper.say(folder.appendingPathComponent("ledger.realm").path)
    guard let answer = helper.nextLine() else { return "the process that opens it ended" }
    let words = answer.split(separator: " ").map(String.init)
    guard words.count == 3, words[0] == "found", let number = Int(words[1]) else { return answer }
    return outcomes.fault(ofFinding: number, words[2])
  }

  deinit { helper.finish() }
}
