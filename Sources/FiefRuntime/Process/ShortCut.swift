#if DEBUG
  import Synchronization
#endif
#if DEBUG || FIEF_SHORT_CUTS
  import Foundation
#endif

/// A faster way beside an ordinary one that has the same results, errors included. `Sources/README.md` lists all of
/// them.
///
///     operation ──▶ is it on? ──▶ does it apply? ──▶ handled
///                       │                └─────────▶ not applicable ─┐
///                       └──────────────────────────▶ ordinary way ◀──┘
///
/// The contract has three parts:
///
/// 1. A short cut decides whether it applies before it changes anything. An answer of nil means that it does not apply.
/// 2. No code of the application runs between a check and the step that relies on it.
/// 3. It counts itself, so that a test shows that it was taken.
///
/// Debug builds trap where 1 or 2 is broken. The environment variable `FIEF_SHORT_CUTS` turns short cuts off there: it
/// is `plain` for all of them, or a list of names separated by commas. Release builds have the switch if they are
/// compiled with `-DFIEF_SHORT_CUTS`. All other builds contain neither switches nor counts.
@usableFromInline
package enum ShortCut: UInt8, CaseIterable, Sendable {
  case directRows, rowCopies
  case plainLinks, plainElements
  case lookUps, rangeCounts, wholeTables, backlinkCounts, objectReuse
  case shortTexts, indexWords, linkMemos, integerSums

  /// Whether it may be tried. Read once for each operation, not for each row.
  @inlinable
  @inline(__always)
  package var isOn: Bool {
    #if DEBUG
      isWatchedOn
    #elseif FIEF_SHORT_CUTS
      Self.switchedOff & 1 << rawValue == 0
    #else
      true
    #endif
  }

  /// Tries the short cut, and counts it if it applies.
  ///
  /// - Parameter way: the short cut. It returns nil where it does not apply.
  /// - Returns: the result of `way`; nil also when the short cut is switched off.
  @inlinable
  @inline(__always)
  package func attempt<Result>(_ way: () throws -> Result?) rethrows -> Result? {
    #if DEBUG || FIEF_SHORT_CUTS
      guard isOn else { return nil }
    #endif
    #if DEBUG
      let outer = Self.enter(self)
      defer { Self.leave(outer) }
      let answer = try way()
      if answer != nil { taken() }
      return answer
    #else
      return try way()
    #endif
  }

  /// Counts the short cut once.
  @inlinable
  @inline(__always)
  package func taken() {
    #if DEBUG
      note()
    #endif
  }

  /// Marks a call of application code: an initialiser or a conversion. Debug builds trap inside a short cut.
  @inlinable
  @inline(__always)
  package static func applicationRuns() {
    #if DEBUG
      checkOutside()
    #endif
  }
}

#if DEBUG || FIEF_SHORT_CUTS
  extension ShortCut {
    @usableFromInline static let switchedOff = switchedOff(
      by: ProcessInfo.processInfo.environment["FIEF_SHORT_CUTS"] ?? "")

    /// The bits of the short cuts that a value of `FIEF_SHORT_CUTS` turns off. Unknown names turn off nothing.
    package static func switchedOff(by setting: String) -> UInt32 {
      let names = Set(setting.split(separator: ",").map(String.init))
      return allCases.reduce(0) { bits, cut in
        setting == "plain" || names.contains("\(cut)") ? bits | 1 << cut.rawValue : bits
      }
    }
  }
#endif

#if DEBUG
  extension ShortCut {
    /// The short cuts that a test turns off, and counts of those that were taken.
    ///
    /// It is bound to the running task, so that tests do not affect each other. A thread that a test starts has to bind
    /// it again.
    package final class Watch: Sendable {
      @TaskLocal package static var current: Watch?
      package let off: Set<ShortCut>
      private let counts = Mutex<[ShortCut: Int]>([:])

      package init(off: Set<ShortCut> = []) { self.off = off }

      /// Calls `body` with these switches, and counts the short cuts that it takes.
      package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
      }

      /// The number of times that a short cut was taken.
      package func taken(_ cut: ShortCut) -> Int { counts.withLock { $0[cut] ?? 0 } }

      fileprivate func count(_ cut: ShortCut) { counts.withLock { $0[cut, default: 0] += 1 } }
    }

    @usableFromInline var isWatchedOn: Bool {
      Watch.current.map { !$0.off.contains(self) } ?? (Self.switchedOff & 1 << rawValue == 0)
    }

    @usableFromInline func note() { Watch.current?.count(self) }

    /// Holds the short cut that the running thread is inside of.
    private static let inside = ThreadLocal()

    private final class Box {
      let cut: ShortCut
      init(_ cut: ShortCut) { self.cut = cut }
    }

    /// Notes that the running thread enters a short cut, and returns the one that it was inside of.
    @usableFromInline
    static func enter(_ cut: ShortCut) -> AnyObject? {
      let outer = inside.value
      inside.value = Box(cut)
      return outer
    }

    @usableFromInline static func leave(_ outer: AnyObject?) { inside.value = outer }

    @usableFromInline
    static func checkOutside() {
      guard let box = inside.value as? Box else { return }
      fatalError("Code of the application ran inside the short cut '\(box.cut)': call it before or after.")
    }
  }
#endif
