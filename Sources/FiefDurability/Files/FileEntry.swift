/// The identity of a file, whatever its names: two paths with equal identities lead to one file.
package struct FileIdentity: Hashable, Sendable {
  /// The device's number.
  package var device: UInt64
  /// The file's number on its device.
  package var number: UInt64

  /// Creates an identity from its parts.
  package init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}

/// The kind, size and identity of the file or folder under a name.
package struct FileEntry: Hashable, Sendable {
  /// The kinds of files.
  package enum Kind: Hashable, Sendable {
    /// An ordinary file.
    case file
    /// A folder.
    case folder
    /// A symbolic link.
    case link
    /// A device, a pipe or a socket.
    case other
  }

  /// The kind of the file.
  package var kind: Kind
  /// Its size in bytes.
  package var size: Int
  /// The identity of the file.
  package var identity: FileIdentity

  /// Creates an entry from its parts.
  package init(kind: Kind, size: Int, identity: FileIdentity) {
    self.kind = kind
    self.size = size
    self.identity = identity
  }
}
