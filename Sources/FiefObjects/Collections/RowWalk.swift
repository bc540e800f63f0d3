import FiefGraph
import FiefRuntime
import FiefSessions

/// Iterates over rows as objects of their class.
///
///     a table        cluster by cluster: each object receives the position of its row, without a lookup
///     keys           the rows of a list, a set or a query's result, each looked up on its first read
///
/// The walk covers the rows that existed when it began. It retains the table's clusters or the list's nodes, which
/// never change. Rows that were deleted in the meantime appear as invalidated objects.
///
/// An object to which only the walk refers is used again for the next row (`ReferenceCount` detects that). A loop that
/// keeps no object then makes one object instead of one for each row. Only objects of classes that have nothing but
/// persisted properties are used again, and only while no flag is set on them.
@usableFromInline
package final class RowWalk {
  /// The source of the rows.
  package enum Source {
    /// All rows of a table.
    case table(RadixTree<Cluster>)
    /// The rows of some keys, which the function returns one after another.
    case keys(() -> ObjectKey?)

    package static var none: Source { .keys { nil } }

    package static func keys(_ keys: some Sequence<ObjectKey>) -> Source {
      var keys = keys.makeIterator()
      return .keys { keys.next() }
    }
  }

  private let session: Session
  private let binding: ClassBinding
  private let source: Source
  /// What the session knew of its rows, of rows that were not looked up, and its epoch, when the walk began.
  private let (present, awaited, epoch): (RowStamp, RowStamp, Epoch)

  // The current cluster of a table, which `source` retains.
  @safe @exclusivity(unchecked) private var cluster: Borrowed<Cluster>?
  @safe @exclusivity(unchecked) private var slot = 0
  @safe @exclusivity(unchecked) private var count = 0
  @safe @exclusivity(unchecked) private var isDense = false
  @safe @exclusivity(unchecked) private var chunk: Int64 = -1

  /// The most recent object, and the word of its references while there is one alone; nil when it must not be reused.
  @safe @exclusivity(unchecked) private var last: Kept<ObjectBase>?
  private let soleCount: UInt?

  package init(_ source: Source, of binding: ClassBinding, in session: Session) {
    self.session = session
    self.binding = binding
    self.source = source
    (present, awaited, epoch) = (session.validity.present, session.validity.awaited, session.epoch)
    soleCount = binding.model.layout.isPure && ShortCut.objectReuse.isOn ? ReferenceCount.sole : nil
  }

  deinit { unsafe last?.release() }

  /// The object of the next row; nil after the last.
  @usableFromInline
  func next() -> ObjectBase? {
    if _slowPath(slot == count) {
      switch source {
      case .table(let rows): if !enterNextCluster(rows) { return nil }
      case .keys(let next): return next().map { self.object($0) }
      }
    }
    let location = slot
    slot = location + 1
    let cluster = unsafe cluster.unsafelyUnwrapped
    let object = accessor(ObjectKey(chunk: chunk, bit: isDense ? location : cluster.with { $0.bit(ofSlot: location) }))
    if _fastPath(session.validity.present == present) {
      object.cluster = cluster
      object.slot = Int32(truncatingIfNeeded: location)
      object.rowStamp = present
    } else {
      object.rowStamp = awaited
    }
    return object
  }

  private func enterNextCluster(_ rows: RadixTree<Cluster>) -> Bool {
    guard let (number, found) = rows.next(from: chunk + 1) else { return false }
    cluster = unsafe Borrowed(found)
    (chunk, slot, count) = (number, 0, found.count)
    assert(count > 0, "A cluster has rows.")
    isDense = found.bit(ofSlot: count - 1) == count - 1
    return true
  }

  /// An object whose row is looked up on its first read.
  private func object(_ key: ObjectKey) -> ObjectBase {
    let object = accessor(key)
    object.rowStamp = awaited
    if session.isFrozen { _ = object.find() }
    return object
  }

  /// An accessor of a row that is not looked up yet: the most recent object, if nothing else refers to it.
  @inline(__always)
  private func accessor(_ key: ObjectKey) -> ObjectBase {
    guard let last, last.countWord == soleCount, last.with({ $0.flags.isEmpty }) else { return newAccessor(key) }
    ShortCut.objectReuse.taken()
    let object = last.counted
    object.key = key
    return object
  }

  @inline(never)
  private func newAccessor(_ key: ObjectKey) -> ObjectBase {
    ShortCut.applicationRuns()
    let object = binding.type.init()
    object.refer(to: key, session, binding)
    object.epoch = epoch
    if soleCount != nil {
      unsafe last?.release()
      last = Kept(object)
    }
    return object
  }
}
