/// The positions at which two versions of a collection differ; of maps, the keys.
///
/// Deletions and modifications are positions in the old version, insertions are positions in the new one. Removing the
/// deletions in descending order, then inserting the insertions in ascending order, turns the old order into the new
/// one.
struct ElementChanges<Position> {
  var deletions: [Position] = []
  var insertions: [Position] = []
  var modifications: [Position] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

typealias PositionChanges = ElementChanges<Int>

extension PositionChanges {
  /// Compares two sequences.
  ///
  /// The elements that stay form a heaviest common subsequence. One unmodified element weighs more than all modified
  /// ones together, so when two elements swap places, the modified one is reported as moved. Equal elements are paired
  /// in order.
  ///
  /// Finding the heaviest ascending subsequence of the paired positions takes O(n log n), with a tree of prefix maxima
  /// as in P. M. Fenwick, "A new data structure for cumulative frequency tables" (1994). Without moves it is linear.
  ///
  /// - Parameter isModified: whether an element that stays is reported as modified.
  init<Element: Hashable>(
    from old: ContiguousArray<Element>, to new: ContiguousArray<Element>, isModified: (Element) -> Bool
  ) {
    var head = 0
    while head < old.count && head < new.count && old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < old.count - head && tail < new.count - head && old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    var positions: [Element: [Int]] = [:]
    for position in (head..<old.count - tail).reversed() { positions[old[position], default: []].append(position) }
    // The old position that is paired with each new position in the middle; -1 without a partner.
    var partners: [Int] = []
    for position in head..<new.count - tail { partners.append(positions[new[position]]?.popLast() ?? -1) }
    let stays = Self.ascending(partners) { isModified(old[$0]) }
    var isKept = [Bool](repeating: false, count: old.count)
    for (index, partner) in partners.enumerated() {
      if stays[index] { isKept[partner] = true } else { insertions.append(head + index) }
    }
    for position in head..<old.count - tail where !isKept[position] { deletions.append(position) }
    for position in old.indices where position < head || position >= old.count - tail || isKept[position] {
      if isModified(old[position]) { modifications.append(position) }
    }
  }

  /// Marks the members of a heaviest ascending subsequence. -1 is never a member.
  private static func ascending(_ partners: [Int], _ isLight: (Int) -> Bool) -> [Bool] {
    var isMember = partners.map { $0 >= 0 }
    var last = -1
    let isAscending = partners.allSatisfy { partner in
      if partner < 0 { return true }
      defer { last = partner }
      return partner > last
    }
    if isAscending { return isMember }
    // The greatest weight of a subsequence that ends at or below an old position, and the index of its last member.
    let size = (partners.max() ?? 0) + 2
    var best = [(weight: Int, index: Int)](repeating: (0, -1), count: size + 1)
    var before = [Int](repeating: -1, count: partners.count)
    let heavy = partners.count + 1
    var top = (weight: 0, index: -1)
    for (index, partner) in partners.enumerated() where partner >= 0 {
      var found = (weight: 0, index: -1)
      var node = partner
      while node > 0 {
        if best[node].weight > found.weight { found = best[node] }
        node &= node - 1
      }
      before[index] = found.index
      let reached = (weight: found.weight + (isLight(partner) ? 1 : heavy), index: index)
      if reached.weight > top.weight { top = reached }
      node = partner + 1
      while node <= size {
        if reached.weight > best[node].weight { best[node] = reached }
        node += node & -node
      }
    }
    for index in isMember.indices { isMember[index] = false }
    var member = top.index
    while member >= 0 {
      isMember[member] = true
      member = before[member]
    }
    return isMember
  }
}
