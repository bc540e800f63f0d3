/// Why bytes were refused: the kind of file, the offset, and the fault.
///
///     do { graph = try Snapshot(reading: bytes).graph } catch { print(error) }
///     // The snapshot is damaged at byte 65548: block 1 does not have the checksum that it was written with.
///
/// No contents of a file can cause anything worse than this error. Errors of reading and writing the file itself pass
/// through the codec unchanged.
package struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of data that the bytes were read as.
  package enum Subject: String, Hashable, Sendable {
    case snapshot
    case journal
    case history
    /// A single change, outside a file.
    case delta
  }

  /// The kinds of faults.
  package enum Code: Hashable, Sendable {
    /// The file is empty.
    case empty
    /// The file is of another kind, given by `FileKind`.
    case foreign(FileKind)
    /// The file has a format that this library does not know, or needs a feature that it lacks. It must not be changed.
    case newerFormat
    /// The file is encrypted, and no key or another one was given; or it is not encrypted, and a key was given.
    case wrongKey
    /// The bytes end before the announced length.
    case truncated
    /// A checksum differs from that of its bytes.
    case checksum
    /// The bytes are whole, but have no meaning, or none at this position.
    case malformed
    /// The bytes have a meaning, but are not in its one canonical form.
    case notCanonical
    /// Further bytes follow the end.
    case trailing
    /// The bytes are readable, but contradict each other: a link without a target, a duplicate key.
    case unsound
  }

  /// The kind of data that the bytes were read as.
  package var subject: Subject
  /// The kind of the fault.
  package var code: Code
  /// The offset, in bytes from the beginning of the file, or of the change if that was read alone.
  package var offset: UInt64
  /// The fault: the end of a sentence, without its full stop.
  package var reason: String

  /// Creates an error from its parts.
  package init(in subject: Subject, _ code: Code, at offset: UInt64, _ reason: String) {
    self.subject = subject
    self.code = code
    self.offset = offset
    self.reason = reason
  }

  /// Whether the file may be sound, and is refused for its kind or its key.
  package var isRefusalOfSoundFile: Bool {
    switch code {
    case .foreign, .newerFormat, .wrongKey: true
    default: false
    }
  }

  /// The error as a sentence.
  package var description: String {
    switch code {
    case .empty, .foreign, .newerFormat, .wrongKey: "The \(subject.rawValue) cannot be read: \(reason)."
    default: "The \(subject.rawValue) is damaged at byte \(offset): \(reason)."
    }
  }
}
