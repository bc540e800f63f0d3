import FiefObjects

/// A namespace of Realm's interface for synchronization, which does not exist here.
public enum SyncSession {
  /// The progress of a download. Blocks declare it as a parameter, but no value is ever created.
  public struct Progress: Sendable {
    /// The number of bytes received.
    public let transferredBytes: Int
    /// The total number of bytes to receive.
    public let transferrableBytes: Int

    /// The fraction of bytes received, from 0 to 1.
    public var fractionTransferred: Double {
      transferrableBytes == 0 ? 1 : min(1, Double(transferredBytes) / Double(transferrableBytes))
    }

    /// Whether all bytes have been received.
    public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
  }
}
