public import FiefGraph

/// Goes over stored values, some dozens at a time.
///
/// Outside a write it goes over the contents that were there when it began. In a write it reads by position what is
/// there at that moment, so a loop that changes its own list sees what it does.
@usableFromInline
final class ValueWalk {
  /// The collection that is read by position; nil when `contents` is all there is.
  private let live: CollectionBase?
  private let contents: StoredCollection?
  private let type: ColumnType
  @exclusivity(unchecked) private var buffer: ContiguousArray<StoredValue> = []
  /// The next in the buffer.
  @exclusivity(unchecked) private var offset = 0
  /// The position of what follows the buffer.
  @exclusivity(unchecked) private var position = 0
  /// The session's number of changes when the buffer was filled, of a live walk.
  @exclusivity(unchecked) private var changes: UInt64 = 0

  /// Over contents that do not change.
  init(_ contents: StoredCollection?, _ type: ColumnType) {
    live = nil
    self.contents = contents
    self.type = type
  }

  /// Over values in an array.
  init(_ values: ContiguousArray<StoredValue>) {
    live = nil
    contents = nil
    type = ColumnType(.any)
    buffer = values
  }

  /// Over what a managed collection has at each moment.
  init(live: CollectionBase) {
    self.live = live
    contents = nil
    type = live.place.unsafelyUnwrapped.type
  }

  /// The next value; nil after the last.
  @usableFromInline
  func next() -> _StoredValue? {
    if let live, live.place.unsafelyUnwrapped.session.changes != changes {
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
    if let live, let place = live.place {
      present = live.heldContents(place)
      changes = place.session.changes
    } else {
      present = contents
    }
    buffer = present?.values(from: position, atMost: 64, as: type) ?? []
    position += buffer.count
    offset = 0
  }
}
