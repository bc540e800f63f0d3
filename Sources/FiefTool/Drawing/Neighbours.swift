/// The nodes that links of a graph lead to from each node, and those that they come from, in the order of the links.
struct Neighbours {
  private(set) var lower: [[Int]]
  private(set) var upper: [[Int]]

  /// - Parameter count: the number of nodes.
  init(count: Int, _ links: some Sequence<(upper: Int, lower: Int)>) {
    lower = Array(repeating: [], count: count)
    upper = lower
    for link in links {
      lower[link.upper].append(link.lower)
      upper[link.lower].append(link.upper)
    }
  }
}
