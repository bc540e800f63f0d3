/// Why bytes were refused: what they were read as, where, and what is wrong there.
///
///     do { graph = try Snapshot.read(bytes).graph } catch { print(error) }
///     // The snapshot is damaged at byte 65548: block 1 does not have the checksum that it was written with.
///
/// Nothing in a file can do worse than this. Errors of reading and writing the file itself are not among them: they
/// pass through the codec untouched.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the bytes were read as.
  public enum Subject: String, Hashable, Sendable {
    case snapshot
    case journal
    /// A change by itself, outside a file.
    case delta
  }

  /// The kinds of refusal.
  public enum Code: Hashable, Sendable {
    /// There is no file to speak of: no bytes at all.
    case empty
    /// The file is of another kind; `FileKind` tells which.
    case foreign(FileKind)
    /// The file was written in a format that this library does not know, or needs something it does not have. It must
    /// not be touched.
    case newerFormat
    /// The bytes end before what they announce.
    case truncated
    /// A checksum does not fit what it covers.
    case checksum
    /// The bytes are whole, and mean nothing, or nothing in this place.
    case malformed
    /// The bytes mean something, but are not the one form in which it is written.
    case notCanonical
    /// There are bytes behind the end.
    case trailing
    /// The bytes are readable, and what they say cannot be: a link without a target, a key twice.
    case unsound
  }

  /// What the bytes were read as.
  public var subject: Subject
  /// What kind of refusal it is.
  public var code: Code
  /// Where, in bytes from the beginning of the file, or of the change when it was read by itself.
  public var offset: UInt64
  /// What is wrong: the end of a sentence, without its full stop.
  public var reason: String

  /// An error from its parts.
  public init(_ subject: Subject, _ code: Code, at offset: UInt64, _ reason: String) {
    self.subject = subject
    self.code = code
    self.offset = offset
    self.reason = reason
  }

  /// Whether the file may be sound, and is refused for what it is: foreign, or of a newer format.
  public var isRefusalOfSoundFile: Bool {
    switch code {
    case .foreign, .newerFormat: true
    default: false
    }
  }

  /// The whole as a sentence.
  public var description: String {
    switch code {
    case .empty, .foreign, .newerFormat: "The \(subject.rawValue) cannot be read: \(reason)."
    default: "The \(subject.rawValue) is damaged at byte \(offset): \(reason)."
    }
  }
}
