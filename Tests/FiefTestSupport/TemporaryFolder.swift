#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder of one's own that is gone with all its content when the last reference to it is gone.
///
///     let folder = try TemporaryFolder()
///     let file = folder.url.appendingPathComponent("a.realm")
///
/// Hold on to it while its files are in use: a bare `try TemporaryFolder().url` names a folder that no longer exists.
/// When in doubt use `with`. It never removes anything outside itself, and a folder that cannot be removed is left to
/// the system.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a new empty folder in the system's place for temporary files.
  ///
  /// - Throws: What the system says if it cannot be made.
  public init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fief-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Runs the body with a new folder and removes the folder afterwards, also when the body throws.
  ///
  /// - Parameter body: What needs a folder.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or that the folder cannot be made.
  public static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.url) }
  }

  /// Runs an asynchronous body with a new folder and removes the folder afterwards, also when the body throws.
  ///
  /// - Parameters:
  ///   - isolation: The actor to stay on: the caller's.
  ///   - body: What needs a folder.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or that the folder cannot be made.
  public static func with<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.url)
  }
}
