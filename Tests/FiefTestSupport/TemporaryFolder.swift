#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A new folder that is removed with all its contents when its last reference is released.
///
///     let folder = try TemporaryFolder()
///     let file = folder.url.appendingPathComponent("a.realm")
///
/// Keep a reference while its files are in use: a bare `try TemporaryFolder().url` names a folder that no longer
/// exists. If in doubt, use `with`. Nothing outside the folder is ever removed. If the folder cannot be removed, the
/// system keeps it.
public final class TemporaryFolder: Sendable {
  /// The location of the folder.
  public let url: URL

  /// Makes a new empty folder in the system's temporary folder.
  ///
  /// - Throws: The system's error if the folder cannot be made.
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
  /// - Parameter body: The code that uses the folder.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws, or the system's error if the folder cannot be made.
  public static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.url) }
  }

  /// Runs an asynchronous body with a new folder and removes the folder afterwards, also when the body throws.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, on which the body runs.
  ///   - body: The code that uses the folder.
  /// - Returns: The result of the body.
  /// - Throws: The error that the body throws, or the system's error if the folder cannot be made.
  public static func with<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.url)
  }
}
