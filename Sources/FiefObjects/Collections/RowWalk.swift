import FiefGraph
import FiefRuntime
import FiefSessions

/// Iterates over rows as objects of their class.
///
///     a table        cluster by cluster
///     keys           the rows of a list, a set or a query's result; neighbours often share a cluster
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
  private let isOfTable: Bool
  /// The session's knowledge of rows that were not looked up, and its epoch, when the walk began.
  private let (awaited, epoch): (RowStamp, Epoch)
  /// The session's knowledge of its rows when `cluster` was found in it.
  @safe @exclusivity(unchecked) private var present: RowStamp

  // The current cluster. `source` retains that of a table; the session's graph retains others while `present` is its
  // present stamp.
  @safe @exclusivity(unchecked) private var cluster: Borrowed<Cluster>?
  @safe @exclusivity(unchecked) private var chunk: Int64 = -1
  @safe @exclusivity(unchecked) private var isDense = false
  // The position among the keys, or in the cluster of a table, and the end of that.
  @safe @exclusivity(unchecked) private var position = 0
  @safe @exclusivity(unchecked) private var count = 0
  /// The keys, or the elements of a tree that are not visited, once the walk has begun.
  @safe @exclusivity(unchecked) private var keys: ContiguousArray<ObjectKey>?
  @safe @exclusivity(unchecked) private var elements: OrderedTree<Int64>.Iterator?

  /// The most recent object, and the word of its references while there is one alone; nil when it must not be reused.
  @safe @exclusivity(unchecked) private var last: Kept<ObjectBase>?
  /// The words of references; nil when no object is used again.
  private let counts: (one: UInt, two: UInt)?

  package init(_ source: Source, of binding: ClassBinding, in session: Session) {
    self.session = session
    self.binding = binding
    self.source = source
    isOfTable = if case .table = source { true } else { false }
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
    if !isOfTable { return object(key(at: index)) }
    let cluster = unsafe cluster.unsafelyUnwrapped
    let object = accessor(ObjectKey(chunk: chunk, bit: isDense ? index : cluster.with { $0.bit(ofSlot: index) }))
    if _fastPath(session.validity.present == present) {
      locate(object, cluster, index)
    } else {
      object.rowStamp = awaited
    }
    return object
  }

  /// The key at the present position of a walk that is not one of a table.
  @inline(__always)
  private func key(at index: Int) -> ObjectKey {
    if let keys { return keys[index] }
    guard let element = elements?.next() else { fatalError("A walk over a tree ends at its count.") }
    return ObjectKey(element)
  }

  /// Begins with the next cluster of the table, or with the keys, which may be none.
  private func enterNext() -> Bool {
    switch source {
    case .table(let rows):
      guard let (number, found) = rows.next(from: chunk + 1) else { return false }
      cluster = unsafe Borrowed(found)
      (chunk, position, count) = (number, 0, found.count)
      assert(count > 0, "A cluster has rows.")
      isDense = found.bit(ofSlot: count - 1) == count - 1
    case .keys(let keys):
      if self.keys != nil { return false }
      self.keys = keys
      (position, count) = (0, keys.count)
    case .tree(let tree):
      if elements != nil { return false }
      elements = tree.makeIterator()
      (position, count) = (0, tree.count)
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
