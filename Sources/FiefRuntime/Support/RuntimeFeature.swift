import Foundation

/// One piece of knowledge about the private layout of the language's runtime or library.
///
/// Each piece has a probe that tries it once, at its first use, and a slower way that needs no such knowledge:
///
///     first use ──▶ switched off? ──▶ probe ──▶ available        the piece is used
///                         │             └─────▶ unknown          the slower way is used, for the life of the process
///                         └───────────────────▶ switched off     the slower way is used
///
/// The environment variable `FIEF_RUNTIME` turns pieces off: `plain` turns off all of them that have a slower way, and
/// a list of names separated by commas turns off these. It is read once.
///
/// Every answer is the same with and without a piece; only its cost differs. Two are exceptions: without
/// `classDiscovery` nothing else finds the classes of a program, so applications have to list them; without
/// `currentExecutor` the language traps where the runtime would answer (an object thawed on an actor other than its
/// own).
package enum RuntimeFeature: String, CaseIterable, Sendable {
  /// The records that the compiler writes about classes.
  case classDiscovery
  /// The sixteen bytes of a string of at most fifteen bytes.
  case smallStrings
  /// The words of an `Any`.
  case existentials
  /// The word in which the runtime counts the references to an object.
  case referenceCounts
  /// `swift_tryRetain`.
  case tryRetain
  /// `swift_task_getCurrentExecutor`.
  case currentExecutor
  /// `dispatch_get_current_queue`.
  case currentQueue
  /// The thread-local variable that refers to the running `withObservationTracking`.
  case trackingScopes

  /// Whether the environment turns the piece off.
  package var isSwitchedOff: Bool { Self.switchedOff.contains(self) }

  private static let switchedOff: Set<RuntimeFeature> = {
    switchedOff(by: ProcessInfo.processInfo.environment["FIEF_RUNTIME"] ?? "")
  }()

  /// The pieces that a value of `FIEF_RUNTIME` turns off. Names that are unknown turn off nothing.
  package static func switchedOff(by setting: String) -> Set<RuntimeFeature> {
    if setting == "plain" { return Set(allCases).subtracting([.classDiscovery, .currentExecutor]) }
    return Set(setting.split(separator: ",").compactMap { RuntimeFeature(rawValue: String($0)) })
  }
}
