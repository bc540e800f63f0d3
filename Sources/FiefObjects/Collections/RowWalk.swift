import FiefGraph
import FiefRuntime
import FiefSessions

/// Iterates over rows as objects of their class.
///
///     a table        cluster by cluster
///     keys           the rows of a list, a set or a query's result, in runs; neighbours often share a cluster
///
/// The walk covers the rows that existed when it began. It retains the table's clusters or the list's nodes, which
/// never change. Objects receive the position of their row, so that reading them needs no lookup. Rows that were
/// deleted in the meantime appear as invalidated objects.
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
    /// The rows of some keys.
    case keys(ContiguousArray<ObjectKey>)
    /// The rows whose keys a tree has.
    case tree(OrderedTree<Int64>)

    package static var none: Source { .keys([]) }
  }

  private let session: Session
  private let binding: ClassBinding
  private let source: Source
  /// The session's knowledge of rows that were not looked up, and its epoch, when the walk began.
  private let (awaited, epoch): (RowStamp, Epoch)
  /// The session's knowledge of its rows when `cluster` was found in it.
  @safe @exclusivity(unchecked) private var present: RowStamp

  // The current cluster. `source` retains that of a table; the session's graph retains others while `present` is its
  // present stamp.
  @safe @exclusivity(unchecked) private var cluster: Borrowed<Cluster>?
  @safe @exclusivity(unchecked) private var chunk: Int64 = -1
  @safe @exclusivity(unchecked) private var isDense = false
  // The position in the run of keys, or in the cluster of a table, and the end of that.
  @safe @exclusivity(unchecked) private var position = 0
  @safe @exclusivity(unchecked) private var count = 0
  @safe @exclusivity(unchecked) private var run: ContiguousArray<ObjectKey>?
  /// The leaves of a tree that are not begun.
  @safe @exclusivity(unchecked) private var leaves: AnyIterator<ContiguousArray<Int64>>?

  /// The most recent object, and the word of its references while there is one alone; nil when it must not be reused.
  @safe @exclusivity(unchecked) private var last: Kept<ObjectBase>?
  /// The words of references; nil when no object is used again.
  private let counts: (one: UInt, two: UInt)?

  package init(_ source: Source, of binding: ClassBinding, in session: Session) {
    self.session = session
    self.binding = binding
    self.source = source
    (present, awaited, epoch) = (session.validity.present, session.validity.awaited, session.epoch)
    counts = binding.model.layout.isPure && ShortCut.objectReuse.isOn ? ReferenceCount.known : nil
  }

  deinit { unsafe last?.release() }

  /// The object of the next row; nil after the last.
  @usableFromInline
  package func next() -> ObjectBase? {
    while _slowPath(position == count) { if !enterNext() { return nil } }
    let index = position
    position = index &+ 1
    if let run { return object(run[index]) }
    let cluster = unsafe cluster.unsafelyUnwrapped
    let object = accessor(ObjectKey(chunk: chunk, bit: isDense ? index : cluster.with { $0.bit(ofSlot: index) }))
    if _fastPath(session.validity.present == present) {
      locate(object, cluster, index)
    } else {
      object.rowStamp = awaited
    }
    return object
  }

  /// Begins with the next cluster of the table, or the next run of keys, which may be empty.
  private func enterNext() -> Bool {
    switch source {
    case .table(let rows):
      guard let (number, found) = rows.next(from: chunk + 1) else { return false }
      cluster = unsafe Borrowed(found)
      (chunk, position, count) = (number, 0, found.count)
      assert(count > 0, "A cluster has rows.")
      isDense = found.bit(ofSlot: count - 1) == count - 1
    case .keys(let keys):
      if run != nil { return false }
      run = keys
      (position, count) = (0, keys.count)
    case .tree(let tree):
      if leaves == nil { leaves = tree.leaves() }
      guard let leaf = leaves?.next() else { return false }
      run = ContiguousArray(leaf.lazy.map { ObjectKey($0) })
      (position, count) = (0, leaf.count)
    }
    return true
  }

  /// The object of a row that is named by its key.
  @inline(__always)
  private func object(_ key: ObjectKey) -> ObjectBase {
    let object = accessor(key)
    if key.chunk != chunk || session.validity.present != present { findCluster(key.chunk) }
    if let cluster, let slot = cluster.with({ $0.slot(ofBit: key.bit) }) {
      locate(object, cluster, slot)
    } else {
      object.rowStamp = awaited
      if session.isFrozen { _ = object.find() }
    }
    return object
  }

  /// Finds the cluster of a chunk of keys; nil after the walk's realm was invalidated.
  @inline(never)
  private func findCluster(_ number: Int64) {
    chunk = number
    cluster = session.epoch == epoch ? session.cluster(binding.table, number) : nil
    // Read last, because the first look of a session pins a version.
    present = session.validity.present
  }

  @inline(__always)
  private func locate(_ object: ObjectBase, _ cluster: Borrowed<Cluster>, _ slot: Int) {
    object.cluster = cluster
    object.slot = Int32(truncatingIfNeeded: slot)
    object.rowStamp = present
  }

  /// An accessor of a row that is not looked up yet: the most recent object, if nothing else refers to it.
  @inline(__always)
  private func accessor(_ key: ObjectKey) -> ObjectBase {
    guard let last, let counts, last.countWord == counts.one, last.with({ $0.flags.isEmpty }) else {
      return newAccessor(key)
    }
    ShortCut.objectReuse.taken()
    let object = unsafe last.countedTwice(as: counts.two)
    object.key = key
    return object
  }

  @inline(never)
  private func newAccessor(_ key: ObjectKey) -> ObjectBase {
    ShortCut.applicationRuns()
    let object = binding.type.init()
    object.refer(to: key, session, binding)
    object.epoch = epoch
    if counts != nil {
      unsafe last?.release()
      last = Kept(object)
    }
    return object
  }
}
