public import FiefObjects

/// The values of a list or a set as they were in one version: a collection for any thread, task and view.
///
///     let toys = FrozenValues(dog.toys)
///     Task.detached { print(toys.count, toys.first ?? "none") }
///
/// `Frozen` objects give it for properties with values. It keeps its version in memory as long as it lives.
public struct FrozenValues<Base: RealmCollection>: RandomAccessCollection, Hashable, @unchecked Sendable,
  CustomStringConvertible
where Base.Element: _RealmFreeValue {
  // Sendable, because any thread may read a frozen collection.

  private let base: Base

  /// Freezes a list or a set at the version that its realm shows.
  ///
  ///     let toys = FrozenValues(dog.toys)
  ///
  /// - Parameter base: a managed collection of values, live or frozen.
  ///
  /// Traps when the collection is unmanaged or its object was deleted, and outside its thread, queue or actor.
  public init(_ base: Base) {
    // The count is what a tracking scope has read.
    _ = base.count
    self.init(frozen: FrozenReference(base, "FrozenValues(_:)").thing)
  }

  init(frozen base: Base) { self.base = base }

  /// The position of the first value, always 0.
  public var startIndex: Int { 0 }

  /// The number of values.
  public var endIndex: Int { base.count }

  /// The value at a position. Traps when the position is out of range.
  ///
  ///     print(dog.toys[0])
  public subscript(position: Int) -> Base.Element { base[position] }

  /// Whether both have equal values in the same order.
  public static func == (a: FrozenValues, b: FrozenValues) -> Bool { a.elementsEqual(b) }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for value in self { hasher.combine(value) }
  }

  /// The description of the collection.
  public var description: String { "\(base)" }
}
