import Foundation

/// Runs a harness over files in a build without a fuzzer, to examine findings.
public enum Replay {
  /// Runs `harness` over every file, and every file of every folder, that the command line names.
  public static func run(_ harness: (UnsafeRawBufferPointer) -> some Any) {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.isEmpty { print("Name files, or folders of files, to be tried.") }
    var count = 0
    for argument in arguments {
      let url = URL(fileURLWithPath: argument)
      for file in files(at: url) {
        guard let data = try? Data(contentsOf: file) else { continue }
        _ = data.withUnsafeBytes(harness)
        count += 1
      }
    }
    print("\(count) inputs were tried.")
  }

  /// The files of a folder, sorted by path. If `url` is not a folder, the URL itself.
  public static func files(at url: URL) -> [URL] {
    let contents = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
    return contents?.sorted { $0.path < $1.path } ?? [url]
  }
}
