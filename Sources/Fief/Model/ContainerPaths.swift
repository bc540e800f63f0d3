/// Notices arrays and dictionaries that contain themselves, while they are walked by a work list.
///
/// Only objects can: values are copied when they are changed. Each that is entered becomes a node below the one that it
/// stands in. When one is met again, its way to the root is looked at, as long as that costs no more than what was
/// walked: a cycle comes by again and again, and all the ways around it are as long as one likes.
struct ContainerPaths {
  private struct Node {
    let parent: Int32
    let object: AnyObject
  }

  private var nodes: [Node] = []
  private var met: Set<ObjectIdentifier> = []
  private var steps = 0
  private var repetitions = 0

  /// How many containers may be met again; more, where there is one other for every sixteen of them.
  private static let repetitionsAllowed = 1 << 19

  var isEmpty: Bool { nodes.isEmpty }

  /// Takes a container up.
  ///
  /// - Parameters:
  ///   - object: the container; nil for a value, which is no node.
  ///   - parent: the node that it stands in; -1 for none.
  /// - Returns: its node; nil when something contains itself, or so often the same that nobody can have meant it.
  mutating func enter(_ object: AnyObject?, below parent: Int32) -> Int32? {
    guard let object else { return parent }
    nodes.append(Node(parent: parent, object: object))
    let number = Int32(truncatingIfNeeded: nodes.count - 1)
    if met.insert(ObjectIdentifier(object)).inserted { return number }
    repetitions += 1
    if repetitions > Self.repetitionsAllowed && repetitions / 16 > nodes.count - repetitions { return nil }
    return steps <= 16 * nodes.count && hasRepetition(above: number) ? nil : number
  }

  /// Whether something stands on the way to the root twice.
  private mutating func hasRepetition(above number: Int32) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var next = number
    while next >= 0 {
      steps += 1
      if !seen.insert(ObjectIdentifier(nodes[Int(next)].object)).inserted { return true }
      next = nodes[Int(next)].parent
    }
    return false
  }
}
