public import FiefGraph
public import Synchronization

/// A state of a session: the number of changes to the visible state that preceded it.
@frozen
@usableFromInline
package struct VersionStamp: RawRepresentable, Comparable, Sendable, AtomicRepresentable {
  @usableFromInline package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Before the first stamp of every session: for results that were never computed.
  @inlinable
  package static var never: VersionStamp { VersionStamp(rawValue: 0) }

  @inlinable
  @inline(__always)
  package static func == (a: VersionStamp, b: VersionStamp) -> Bool { a.rawValue == b.rawValue }

  @inlinable
  package static func < (a: VersionStamp, b: VersionStamp) -> Bool { a.rawValue < b.rawValue }

  @inlinable
  var next: VersionStamp { VersionStamp(rawValue: rawValue &+ 1) }
}

/// The knowledge of an accessor about its row, in one word, so that a read compares one word.
///
///     none         the object is unmanaged, or its session is frozen and the row was not looked up
///     absent       the session is frozen, and the row was looked up and does not exist
///     awaited(s)   the accessor was made at a stamp, and the row was never looked up
///     located(s)   the row was found at a stamp, or made just after it
@frozen
@usableFromInline
package struct RowStamp: Equatable, Sendable {
  // 0 is `none`, and 1 is `absent`. Otherwise twice the stamp, plus one for `awaited`.
  @usableFromInline let word: UInt64

  @inlinable
  init(word: UInt64) { self.word = word }

  @inlinable
  package static var none: RowStamp { RowStamp(word: 0) }
  @inlinable
  package static var absent: RowStamp { RowStamp(word: 1) }
  @inlinable
  package static func awaited(_ stamp: VersionStamp) -> RowStamp { RowStamp(word: stamp.rawValue << 1 | 1) }
  @inlinable
  package static func located(_ stamp: VersionStamp) -> RowStamp { RowStamp(word: stamp.rawValue << 1) }

  @inlinable
  @inline(__always)
  package static func == (a: RowStamp, b: RowStamp) -> Bool { a.word == b.word }

  /// The stamp of `awaited` and `located`; `never` for the others.
  @inlinable
  package var stamp: VersionStamp { VersionStamp(rawValue: word >> 1) }

  @inlinable
  package var isLocated: Bool { word > 1 && word & 1 == 0 }
}

/// How long results that a session has found or returned remain valid.
///
///     reading ──beginWrite──▶ writing ──commit──▶ reading ──adopt──▶ reading     sees the version that it wrote
///       │ ▲                     │ note: changed, moved, removed
///       │ └───── cancel ────────┘
///       ├─ refresh ───▶ reading      sees another version, or its first one; or its commit could not be published
///       └─ invalidate ▶ reading      everything before is invalid        frozen: no event happens
///
///     event                                     A location   B presence   C life   D contents   E positions
///     note, nothing moved                       stays     stays        stays    goes         stays (see E)
///     note, rows moved                          goes      stays        stays    goes         goes
///     note, rows removed                        goes      goes         stays    goes         goes
///     beginWrite, from the visible version      goes      stays        stays    goes         goes
///     beginWrite, from one not visible yet      goes      goes         stays    goes         goes
///     commit, adopt                             goes      stays        stays    goes         goes
///     cancel, refresh                           goes      goes         stays    goes         goes
///     invalidate                                goes      goes         goes     goes         goes
///
/// - A: an accessor's cluster and slot, and the clusters of a walk: `rowStamp == present`.
/// - B: the presence of a row, without a lookup: `knows(_:)`.
/// - C: a thing is not permanently invalid: `isCurrent(_:)` of the stamp at which it was made.
/// - D: the contents of a collection, the elements of a view, a count, a layout of sections, a borrowed row:
///   an equal `stamp`.
/// - E: the positions of a whole table: like A, while the table's next key and count are also unchanged.
///
/// Always `ended ≤ lost ≤ present.stamp ≤ stamp`. Only the session's executor uses it, except for frozen sessions,
/// where it never changes.
@usableFromInline
package struct Validity {
  @usableFromInline
  package enum Phase { case reading, writing, frozen }

  /// The stamp of the last change that may have moved a row, in the form that accessors keep: every read compares it.
  @usableFromInline package private(set) var present: RowStamp
  /// The present stamp.
  @usableFromInline package private(set) var stamp: VersionStamp
  /// The stamp of the last change that may have removed a visible row.
  @usableFromInline package private(set) var lost: VersionStamp
  /// The stamp of the last `invalidate()`.
  @usableFromInline package private(set) var ended = VersionStamp.never
  @usableFromInline package private(set) var phase: Phase
  /// The counts of the write at the last event.
  @usableFromInline private(set) var known = RowMotion()

  package init(isFrozen: Bool) {
    stamp = VersionStamp.never.next
    present = .located(stamp)
    lost = stamp
    phase = isFrozen ? .frozen : .reading
  }

  // MARK: Events

  /// A write begins.
  ///
  /// - Parameters:
  ///   - motion: the counts of its transaction.
  ///   - isBaseVisible: whether it is based on the visible version.
  package mutating func beginWrite(_ motion: RowMotion, isBaseVisible: Bool) {
    enter(.writing, from: .reading)
    known = motion
    step(losing: !isBaseVisible)
  }

  /// The write has made changes. Follows every operation, and precedes application code that runs within one.
  @inlinable
  @inline(__always)
  package mutating func note(_ motion: RowMotion) {
    assert(phase == .writing, "Only a write changes rows.")
    assert(motion.moves >= known.moves && motion.removals >= known.removals, "What a transaction moved only grows.")
    stamp = stamp.next
    if motion.moves == known.moves { return }
    if motion.removals != known.removals { lost = stamp }
    known = motion
    present = .located(stamp)
  }

  /// The write ends, and is not visible yet.
  package mutating func commit() {
    enter(.reading, from: .writing)
    step()
  }

  /// The committed version becomes visible.
  package mutating func adopt() {
    enter(.reading, from: .reading)
    step()
  }

  /// The write is rolled back.
  package mutating func cancel() {
    enter(.reading, from: .writing)
    step(losing: true)
  }

  /// Another version becomes visible, or a commit could not be published.
  package mutating func refresh() {
    enter(.reading, from: .reading)
    step(losing: true)
  }

  /// Everything that was returned before becomes permanently invalid.
  package mutating func invalidate() {
    refresh()
    ended = stamp
  }

  private mutating func enter(_ next: Phase, from allowed: Phase) {
    precondition(phase == allowed, "A session became \(next) while it was \(phase), which only a \(allowed) one may.")
    phase = next
  }

  private mutating func step(losing: Bool = false) {
    stamp = stamp.next
    present = .located(stamp)
    if losing { lost = stamp }
    assert(present.isLocated && present.stamp == stamp, "The present rowStamp is of the last event.")
    assert(lost <= stamp && ended <= stamp, "Knowledge ended no later than now.")
  }

  // MARK: Knowledge

  /// Whether a thing that was made at a stamp was not invalidated since. (C)
  @inlinable
  package func isCurrent(_ stamp: VersionStamp) -> Bool { stamp >= ended }

  /// Whether the row was found or made, and none was removed since. (B)
  @inlinable
  package func knows(_ rowStamp: RowStamp) -> Bool { rowStamp.isLocated && rowStamp.stamp >= lost }

  /// The rowStamp of a new accessor whose row was not looked up.
  @inlinable
  package var awaited: RowStamp { phase == .frozen ? .none : .awaited(stamp) }

  /// The rowStamp of an accessor whose row the write has just made. The row is known to exist, and is looked up before
  /// it is used: the rowStamp is never `present`. It is current, because `beginWrite` has stepped beyond `ended`.
  @inlinable
  package var justMade: RowStamp { .located(VersionStamp(rawValue: present.stamp.rawValue - 1)) }

  /// Whether every removal of rows in a write was noted: for assertions.
  package func hasNoted(_ motion: RowMotion) -> Bool { phase != .writing || known.removals == motion.removals }
}
