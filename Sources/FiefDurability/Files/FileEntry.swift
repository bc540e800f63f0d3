/// Which file it is, whatever its names: two paths that lead to equal identities lead to one file.
public struct FileIdentity: Hashable, Sendable {
  /// The number of the device.
  public var device: UInt64
  /// The number of the file on its device.
  public var number: UInt64

  /// An identity from its parts.
  public init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}

/// What stands under a name.
public struct FileEntry: Hashable, Sendable {
  /// The kinds of things that have names.
  public enum Kind: Hashable, Sendable {
    /// An ordinary file.
    case file
    /// A folder.
    case folder
    /// A device, a pipe, a socket.
    case other
  }

  /// What it is.
  public var kind: Kind
  /// Its size in bytes.
  public var size: Int
  /// Which it is.
  public var identity: FileIdentity

  /// An entry from its parts.
  public init(kind: Kind, size: Int, identity: FileIdentity) {
    self.kind = kind
    self.size = size
    self.identity = identity
  }
}
