/// Detects arrays and dictionaries that contain themselves, or that expand to far more elements than were given, during
/// a walk with a work list.
///
///     a = [a, a], sixty times over      120 elements in memory, 2⁶⁰ when each place is given a copy of its own
///
/// Each container becomes a node below the container that holds it. Only objects can contain themselves. When an object
/// occurs again, the path from it to the root is searched for a repetition. The total cost of these searches is limited
/// to 16 steps per node; a cycle that is missed occurs again and again. For objects and values alike, the copies of
/// containers that occurred before are counted. They may be many, or out of proportion to the input, but not both.
package struct ContainerPaths {
  /// Why a container is rejected.
  package enum Refusal: Error {
    /// The container contains itself.
    case cycle
    /// The same containers occur in too many places.
    case repeated
  }

  private struct Node {
    let parent: Int32
    let identity: ContainerIdentity
  }

  package init() {}

  private var nodes: [Node] = []
  private var met: Set<UInt> = []
  private var steps = 0
  private var entered = 0
  /// The containers and elements that occurred for the first time, and those that occurred before.
  private var fresh = 0
  private var repeated = 0
  /// The number of elements of the largest container that was not watched.
  private var largest = 0

  /// How many repeated containers and elements may be copied. More are permitted up to `proportion` times the size of
  /// the input.
  package static let repeatedAllowed = 1 << 16
  private static let proportion = 1024
  /// The cost of an object that is made from a container, in addition to its values.
  package static let costOfObject = 32
  /// How many containers and elements are entered before arrays and dictionaries of value type are watched. Most walks
  /// are shorter, and pay nothing.
  package static let unwatched = 1 << 16

  package var isEmpty: Bool { entered == 0 }

  /// Enters a container.
  ///
  /// - Parameters:
  ///   - identity: the container's identity; nil for one without elements, or whose elements cannot be containers.
  ///   - cost: the cost of copying it without its elements, which cost 1 each.
  ///   - parent: the node of the container that holds it; -1 at the root.
  /// - Returns: the container's node.
  package mutating func enter(
    _ identity: ContainerIdentity?, cost: Int = 1, below parent: Int32
  ) throws(Refusal) -> Int32 {
    assert(parent >= -1 && Int(parent) < max(nodes.count, 1), "A container is entered after the one that holds it.")
    entered += 1 + (identity?.count ?? 0)
    guard let identity else { return parent }
    guard identity.isObject || entered > Self.unwatched else {
      largest = max(largest, identity.count)
      return parent
    }
    nodes.append(Node(parent: parent, identity: identity))
    let number = Int32(truncatingIfNeeded: nodes.count - 1)
    if met.insert(identity.address).inserted {
      fresh += 1 + identity.count
      return number
    }
    repeated += cost + identity.count
    if identity.isObject, steps <= 16 * nodes.count, hasRepetition(above: number) { throw .cycle }
    if repeated > Self.repeatedAllowed && repeated / Self.proportion > fresh + largest { throw .repeated }
    return number
  }

  /// Whether an identity occurs twice on the path to the root.
  private mutating func hasRepetition(above number: Int32) -> Bool {
    assert(nodes.indices.contains(Int(number)), "A path begins at a container that was entered.")
    var seen: Set<UInt> = []
    var next = number
    while next >= 0 {
      steps += 1
      assert(nodes[Int(next)].parent < next, "A container is below one that was entered before.")
      if !seen.insert(nodes[Int(next)].identity.address).inserted { return true }
      next = nodes[Int(next)].parent
    }
    return false
  }
}

/// The identity of an array or a dictionary while this value retains it: the address of its elements.
@usableFromInline
package struct ContainerIdentity {
  @usableFromInline package let address: UInt
  /// The number of its elements.
  @usableFromInline package let count: Int
  /// Whether the container is an object, which may contain itself.
  @usableFromInline package let isObject: Bool
  /// Retains the container, so that its address is not reused.
  @usableFromInline let holder: Any

  package init(_ object: AnyObject, count: Int) {
    assert(count >= 0, "A container has a number of elements.")
    address = UInt(bitPattern: ObjectIdentifier(object))
    self.count = count
    isObject = true
    holder = object
  }

  /// The identity of an array; nil for an empty one.
  @inlinable
  package init?<Element>(_ array: [Element]) {
    // An array, like a dictionary, is one word that points to its elements; copies share them.
    guard !array.isEmpty else { return nil }
    address = unsafe withUnsafeBytes(of: array) { unsafe $0.load(as: UInt.self) }
    assert(address != 0, "Elements have an address.")
    count = array.count
    isObject = false
    holder = array
  }

  /// The identity of a dictionary; nil for an empty one.
  @inlinable
  package init?<Key, Value>(_ dictionary: [Key: Value]) {
    guard !dictionary.isEmpty else { return nil }
    address = unsafe withUnsafeBytes(of: dictionary) { unsafe $0.load(as: UInt.self) }
    assert(address != 0, "Elements have an address.")
    count = dictionary.count
    isObject = false
    holder = dictionary
  }
}

extension ContainerPaths.Refusal {
  /// The error for a refused container.
  ///
  /// - Parameter at: ", at " and the path of the container; empty at the root.
  package func error(_ at: String) -> CopyError {
    switch self {
    case .cycle: CopyError(.cycle, "The value contains a cycle\(at): an array or dictionary contains itself.")
    case .repeated:
      CopyError(
        "The value has the same arrays or dictionaries in so many places\(at) that copying them for each would make "
          + "more than \(ContainerPaths.repeatedAllowed) elements: give a value that is as large as what is to be "
          + "stored.")
    }
  }
}
