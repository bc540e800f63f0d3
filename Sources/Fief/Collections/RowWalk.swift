import FiefGraph
import FiefRuntime

/// Goes over rows as objects of their class.
///
///     a table        cluster by cluster: each object is told where its row lies, nothing is looked up
///     keys           the rows of a list, a set or a query's result, each looked up when it is first read
///
/// What is gone over is what was there when the walk began: a table's clusters and a list's nodes are held, and never
/// change. Rows that were deleted since come as invalidated objects.
///
/// An object that nobody but the walk holds any more is given out again for the next row (`ReferenceCount` says how that
/// is known): a loop that reads and forgets makes one object instead of one for each row. Only objects of classes that
/// have nothing but kept properties are used again, and only while nothing was noted on them.
@usableFromInline
final class RowWalk {
  /// Where the rows come from.
  enum Source {
    case none
    /// All rows of a table.
    case table(RadixTree<Cluster>)
    /// Keys as a list or a set has them.
    case tree(OrderedTree<Int64>.Iterator)
    /// Keys in an order of their own.
    case keys(IndexingIterator<ContiguousArray<ObjectKey>>)
  }

  private let session: Session
  private let binding: ClassBinding
  /// The stamp under which clusters of the table are those of the session.
  private let stamp: UInt64
  /// What an accessor's stamp is before its row is found.
  private let born: UInt64
  /// The session's era at the beginning: what is given out after an `invalidate()` is of that one too.
  private let era: UInt16
  // One of the three is there, at most.
  @exclusivity(unchecked) private var rows: RadixTree<Cluster>?
  @exclusivity(unchecked) private var tree: OrderedTree<Int64>.Iterator?
  @exclusivity(unchecked) private var keys: IndexingIterator<ContiguousArray<ObjectKey>>?

  // The cluster that is gone over; `rows` holds it.
  @exclusivity(unchecked) private var cluster: Unmanaged<Cluster>?
  @exclusivity(unchecked) private var slot = 0
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var isDense = false
  @exclusivity(unchecked) private var chunk: Int64 = -1

  /// The object that was given out last, retained; nil when its class does not allow it to be used again.
  @exclusivity(unchecked) private var last: Unmanaged<ObjectBase>?
  /// What the reference count of an object is that has one reference; nil when objects must not be used again.
  private let soleCount: UInt?

  init(_ session: Session, _ binding: ClassBinding, _ source: Source) {
    self.session = session
    self.binding = binding
    switch source {
    case .none: break
    case .table(let rows): self.rows = rows
    case .tree(let tree): self.tree = tree
    case .keys(let keys): self.keys = keys
    }
    stamp = session.stamp
    born = session.isFrozen ? 0 : stamp | 1
    era = session.era.load(ordering: .relaxed)
    soleCount = binding.model.layout.isPure ? ReferenceCount.sole : nil
  }

  deinit { last?.release() }

  /// The object of the next row; nil after the last.
  @usableFromInline
  func next() -> ObjectBase? {
    if _slowPath(slot == count) {
      guard let rows else { return nextKey().map { key in self.object(key) } }
      if !enterNextCluster(rows) { return nil }
    }
    let place = slot
    slot = place + 1
    let cluster = cluster.unsafelyUnwrapped
    let bit = isDense ? place : cluster._withUnsafeGuaranteedRef { $0.bit(ofSlot: place) }
    let object = accessor(ObjectKey(chunk: chunk, bit: bit))
    if _fastPath(session.stamp == stamp) {
      object.cluster = cluster
      object.slot = Int32(truncatingIfNeeded: place)
      object.stamp = stamp
    } else {
      object.stamp = born
    }
    return object
  }

  private func enterNextCluster(_ rows: RadixTree<Cluster>) -> Bool {
    guard let (number, found) = rows.next(from: chunk + 1) else { return false }
    chunk = number
    cluster = .passUnretained(found)
    slot = 0
    count = found.count
    isDense = found.bit(ofSlot: count - 1) == count - 1
    return true
  }

  private func nextKey() -> ObjectKey? {
    if let key = tree?.next() { return ObjectKey(key) }
    return keys?.next()
  }

  /// The object of a row that is found when it is first read.
  private func object(_ key: ObjectKey) -> ObjectBase {
    let object = accessor(key)
    object.stamp = born
    if session.isFrozen { _ = object.find() }
    return object
  }

  /// An accessor of a row, which is yet to be found: the last one, if nobody can tell.
  @inline(__always)
  private func accessor(_ key: ObjectKey) -> ObjectBase {
    if let last, let soleCount, ReferenceCount.word(of: last) == soleCount,
      last._withUnsafeGuaranteedRef({ $0.flags.isEmpty })
    {
      let object = last.takeUnretainedValue()
      object.key = key
      return object
    }
    return newAccessor(key)
  }

  @inline(never)
  private func newAccessor(_ key: ObjectKey) -> ObjectBase {
    let object = binding.type.init()
    object.refer(to: key, session, binding)
    object.era = era
    if soleCount != nil {
      last?.release()
      last = .passRetained(object)
    }
    return object
  }
}
