import Foundation

/// The inputs that are kept for a target: a file each, in `Fuzz/Corpus/TARGET`.
public enum CorpusFolder {
  /// The folder of all corpora, beside these sources.
  public static let all = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Corpus")

  /// The folder of a target.
  public static func url(of target: any FuzzTarget) -> URL { all.appendingPathComponent(target.name) }

  /// The files of a folder, sorted by path. If `url` is not a folder, the URL itself.
  public static func files(at url: URL) -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return [] }
    if !isFolder.boolValue { return [url] }
    let contents = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
    return contents?.sorted { $0.path < $1.path } ?? []
  }

  /// The inputs of a folder.
  public static func inputs(at url: URL) -> [[UInt8]] {
    files(at: url).compactMap { file in (try? Data(contentsOf: file)).map { [UInt8]($0) } }
  }
}
