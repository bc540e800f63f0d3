import FiefTestSupport
import Foundation

/// Writes images to a folder and lets another process examine them, so that a trap does not end the test.
final class ImageCheck {
  let folder: URL
  private let helper: Helper

  init(folder: URL) throws {
    self.folder = folder
    helper = try Helper(["check"])
  }

  /// Replaces the contents of a folder with the files of an image.
  static func write(_ image: [String: [UInt8]], to folder: URL) throws {
    try folder.makeEmptyFolder()
    for (name, bytes) in image { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
  }

  /// The fault of an image after it was verified, read, opened, written and opened again; nil if there is no fault.
  func fault(in image: [String: [UInt8]], after outcomes: Outcomes) throws -> String? {
    try Self.write(image, to: folder)
    return try fault(after: outcomes)
  }

  /// The fault of the files that are in the folder already; nil if there is no fault.
  func fault(after outcomes: Outcomes) throws -> String? {
    helper.say(folder.appendingPathComponent("ledger.realm").path)
    guard let answer = helper.nextLine() else { return "the process that opens it ended" }
    let words = answer.split(separator: " ").map(String.init)
    guard words.count == 3, words[0] == "found", let number = Int(words[1]) else { return answer }
    return outcomes.fault(ofFinding: number, words[2])
  }

  deinit { helper.finish() }
}
