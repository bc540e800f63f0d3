public import FiefGraph
import FiefSessions

/// Iterates over stored values, reading up to 64 at a time.
///
/// Outside a write it covers the contents that existed when it began. In a write it reads the current contents by
/// position, so a loop that changes its own list sees the changes.
@usableFromInline
package final class ValueWalk {
  /// The collection that is read by position; nil for a walk over `contents` or the buffer alone.
  private let live: CollectionBase?
  private let contents: StoredCollection?
  private let type: ColumnType
  @safe @exclusivity(unchecked) private var buffer: ContiguousArray<StoredValue> = []
  /// The position of the next value in the buffer.
  @safe @exclusivity(unchecked) private var offset = 0
  /// The position of the first value after the buffer.
  @safe @exclusivity(unchecked) private var position = 0
  /// For a live walk, the moment at which the buffer was filled.
  @safe @exclusivity(unchecked) private var filled = VersionStamp.never

  /// Iterates over contents that do not change.
  init(_ contents: StoredCollection?, _ type: ColumnType) {
    live = nil
    self.contents = contents
    self.type = type
  }

  /// Iterates over the values in an array.
  package init(_ values: ContiguousArray<StoredValue>) {
    live = nil
    contents = nil
    type = ColumnType(.any)
    buffer = values
  }

  /// Iterates over the current contents of a managed collection.
  init(live: CollectionBase) {
    self.live = live
    contents = nil
    type = unsafe live.location.unsafelyUnwrapped.type
  }

  /// The next value; nil after the last.
  @usableFromInline
  func next() -> _StoredValue? {
    if let live, unsafe live.location.unsafelyUnwrapped.session.validity.stamp != filled {
      position -= buffer.count - offset
      fill()
    }
    if offset == buffer.count {
      fill()
      if buffer.isEmpty { return nil }
    }
    let value = buffer[offset]
    offset += 1
    return value
  }

  private func fill() {
    let present: StoredCollection?
    if let live, let location = live.location {
      present = live.borrowedContents(location)
      filled = location.session.validity.stamp
    } else {
      present = contents
    }
    buffer = present?.values(from: position, atMost: 64, as: type) ?? []
    position += buffer.count
    offset = 0
  }
}
