/// Notices arrays and dictionaries that contain themselves, or stand for far more than they are, while they are
/// walked by a work list.
///
///     a = [a, a], sixty times over      120 elements in memory, 2⁶⁰ when each place is given a copy of its own
///
/// Each container that is entered becomes a node below the one that it stands in. Only objects can contain themselves:
/// when one is met again, its way to the root is looked at, as long as that costs no more than what was walked (a cycle
/// comes by again and again, and all the ways around it are as long as one likes). Of objects and values alike it is
/// counted how much copying is due to what was met before: that may be large, or out of proportion to what was given,
/// but not both.
struct ContainerPaths {
  /// Why a container cannot be taken up.
  enum Refusal: Error {
    /// It contains itself.
    case cycle
    /// The same containers stand in too many places.
    case repeated
  }

  private struct Node {
    let parent: Int32
    let identity: ContainerIdentity
  }

  private var nodes: [Node] = []
  private var met: Set<UInt> = []
  private var steps = 0
  private var entered = 0
  /// What was entered for the first time, and what was met before: containers and their elements.
  private var fresh = 0
  private var repeated = 0
  /// The elements of the largest container that was not watched.
  private var largest = 0

  /// How much may be copied of what was met before, in containers and elements; more, where that is no more than
  /// `proportion` times what was given.
  static let repeatedAllowed = 1 << 16
  private static let proportion = 1024
  /// What an object costs that is made of a container, beside its values.
  static let costOfObject = 32
  /// How many containers and elements are entered before values among them are watched: most walks are shorter, and
  /// cost nothing.
  static let unwatched = 1 << 16

  var isEmpty: Bool { entered == 0 }

  /// Takes a container up.
  ///
  /// - Parameters:
  ///   - identity: what tells it from others; nil for one that has no elements, or none that could be containers.
  ///   - cost: what copying it costs beside its elements, which cost 1 each.
  ///   - parent: the node that it stands in; -1 for none.
  /// - Returns: its node.
  mutating func enter(
    _ identity: ContainerIdentity?, cost: Int = 1, below parent: Int32
  ) throws(Refusal) -> Int32 {
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

  /// Whether something stands on the way to the root twice.
  private mutating func hasRepetition(above number: Int32) -> Bool {
    var seen: Set<UInt> = []
    var next = number
    while next >= 0 {
      steps += 1
      if !seen.insert(nodes[Int(next)].identity.address).inserted { return true }
      next = nodes[Int(next)].parent
    }
    return false
  }
}

/// What tells an array or a dictionary from others, while it is held: where its elements lie.
struct ContainerIdentity {
  let address: UInt
  /// How many elements it has.
  let count: Int
  /// Whether it is an object, which may contain itself.
  let isObject: Bool
  /// What keeps others from coming to lie there.
  private let holder: Any

  /// That of an object.
  init(_ object: AnyObject, count: Int) {
    address = UInt(bitPattern: ObjectIdentifier(object))
    self.count = count
    isObject = true
    holder = object
  }

  /// That of an array; nil for an empty one.
  init?<Element>(_ array: [Element]) {
    // An array, as a dictionary, is one word that leads to its elements; copies of it share them.
    guard !array.isEmpty else { return nil }
    address = withUnsafeBytes(of: array) { $0.load(as: UInt.self) }
    count = array.count
    isObject = false
    holder = array
  }

  /// That of a dictionary; nil for an empty one.
  init?<Key, Value>(_ dictionary: [Key: Value]) {
    guard !dictionary.isEmpty else { return nil }
    address = withUnsafeBytes(of: dictionary) { $0.load(as: UInt.self) }
    count = dictionary.count
    isObject = false
    holder = dictionary
  }
}

extension ContainerPaths.Refusal {
  /// - Parameter at: ", at " and the path of the container; nothing at the root.
  func error(_ at: String) -> Realm.Error {
    switch self {
    case .cycle:
      Realm.Error(.cycle, "The value contains a cycle\(at): an array or dictionary contains itself.")
    case .repeated:
      Realm.Error(
        .invalidValue,
        "The value has the same arrays or dictionaries in so many places\(at) that copying them "
          + "for each would make more "
          + "than \(ContainerPaths.repeatedAllowed) elements: give a value that is as large as what is to be stored.")
    }
  }
}
