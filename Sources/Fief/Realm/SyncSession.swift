/// The name under which Realm's interface has what concerns its servers. Nothing is synchronized here.
public enum SyncSession {
  /// How much of a download is done. Blocks take it; none is ever made.
  public struct Progress: Sendable {
    /// The bytes that came.
    public let transferredBytes: Int
    /// The bytes that are to come in all.
    public let transferrableBytes: Int

    /// The part of the bytes that came, from 0 to 1.
    public var fractionTransferred: Double {
      transferrableBytes == 0 ? 1 : min(1, Double(transferredBytes) / Double(transferrableBytes))
    }

    /// Whether all of them came.
    public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
  }
}
