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
final class RowWalk {
  /// The source of the rows.
  enum Source {
    case none
    /// All rows of a table.
    case table(RadixTree<Cluster>)
    /// The keys of a list or a set.
    case tree(OrderedTree<Int64>.Iterator)
    /// Keys in a query's order.
    case keys(IndexingIterator<ContiguousArray<ObjectKey>>)
  }

  private let session: Session
  private let binding: ClassBinding
  /// The session's present rowStamp while the table's clusters are those of the session.
  private let present: RowStamp
  /// The rowStamp of an accessor whose row was not looked up yet.
  private let awaited: RowStamp
  /// The session's epoch when the walk began. Objects that are made after an `invalidate()` belong to that epoch too.
  private let epoch: Epoch
  // At most one of the three is set.
  @safe @exclusivity(unchecked) private var rows: RadixTree<Cluster>?
  @safe @exclusivity(unchecked) private var tree: OrderedTree<Int64>.Iterator?
  @safe @exclusivity(unchecked) private var keys: IndexingIterator<ContiguousArray<ObjectKey>>?

  // The current cluster, which `rows` retains.
  @safe @exclusivity(unchecked) private var cluster: Borrowed<Cluster>?
  @safe @exclusivity(unchecked) private var slot = 0
  @safe @exclusivity(unchecked) private var count = 0
  @safe @exclusivity(unchecked) private var isDense = false
  @safe @exclusivity(unchecked) private var chunk: Int64 = -1

  /// The most recent object, retained; nil when its class does not permit reuse.
  @safe @exclusivity(unchecked) private var last: Kept<ObjectBase>?
  /// The reference count word of an object with a single reference; nil when objects must not be reused.
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
    present = session.validity.present
    awaited = session.validity.awaited
    epoch = session.epoch
    soleCount = binding.model.layout.isPure && ShortCut.objectReuse.isOn ? ReferenceCount.sole : nil
  }

  deinit { unsafe last?.release() }

  /// The object of the next row; nil after the last.
  @usableFromInline
  func next() -> ObjectBase? {
    if _slowPath(slot == count) {
      guard let rows else { return nextKey().map { key in self.object(key) } }
      if !enterNextCluster(rows) { return nil }
    }
    let location = slot
    slot = location + 1
    let cluster = unsafe cluster.unsafelyUnwrapped
    let bit = isDense ? location : cluster.with { $0.bit(ofSlot: location) }
    let object = accessor(ObjectKey(chunk: chunk, bit: bit))
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
    chunk = number
    cluster = unsafe Borrowed(found)
    slot = 0
    count = found.count
    isDense = found.bit(ofSlot: count - 1) == count - 1
    return true
  }

  private func nextKey() -> ObjectKey? {
    if let key = tree?.next() { return ObjectKey(key) }
    return keys?.next()
  }

  /// An object whose row is looked up on its first read.
  private func object(_ key: ObjectKey) -> ObjectBase {
    let object = accessor(key)
    object.rowStamp = awaited
    if session.isFrozen { _ = object.find() }
    return object
  }

  /// An accessor of a row that is not looked up yet. Reuses the most recent object if no other reference to it exists.
  @inline(__always)
  private func accessor(_ key: ObjectKey) -> ObjectBase {
    if let last, let soleCount, last.countWord == soleCount,
      last.with({ $0.flags.isEmpty })
    {
      ShortCut.objectReuse.taken()
      let object = last.counted
      object.key = key
      return object
    }
    return newAccessor(key)
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
