/// The position of a new element in a sorted tree, given by a comparison.
protocol OrderedTreePlace<Element> {
  associatedtype Element

  /// Whether the new element goes before `other`: false for all elements up to some position, true from there on.
  func isBefore(_ other: borrowing Element) -> Bool
}

extension OrderedTree {
  /// Inserts an element at its position in a sorted tree. Logarithmic; in place where no other tree shares the nodes.
  ///
  /// This has the effect of `partitionPoint` followed by an insertion there, but descends once instead of twice. It
  /// also does not add up positions, which would read every sibling on the path: most of them are cold.
  mutating func insert<Place: OrderedTreePlace>(_ element: Element, at place: Place) where Place.Element == Element {
    assert(place.isBefore(element) == false, "The place of an element is not before the element itself.")
    switch root.insert(element, at: place, isTrailing: true) {
    case .none: break
    case .half(let right): growRoot(with: Child(right))
    case .tail(let right): growRoot(with: Child(right, count: 1, first: element))
    }
    total += 1
  }
}

extension OrderedTree.Node {
  /// The part of a node that did not fit.
  enum Overflow {
    case none
    /// The right half of the node. The new element lies in it or left of it.
    case half(OrderedTree.Node)
    /// The new element alone, after all other elements of the tree.
    case tail(OrderedTree.Node)
  }

  /// Inserts an element below this node.
  ///
  /// - Parameter isTrailing: Whether this node is the last of its level. A full leaf there stays full, and a new one
  ///   follows it.
  mutating func insert<Place: OrderedTreePlace>(_ element: Element, at place: Place, isTrailing: Bool) -> Overflow
  where Place.Element == Element {
    switch consume self {
    case .leaf(var elements):
      let offset = Self.offset(in: elements, of: place)
      if elements.count < Tree.leafCapacity {
        Tree.makeRoom(in: &elements)
        elements.insert(element, at: offset)
        self = .leaf(elements)
        return .none
      }
      if isTrailing && offset == elements.count {
        self = .leaf(elements)
        var next: ContiguousArray<Element> = []
        next.reserveCapacity(Tree.leafCapacity)
        next.append(element)
        return .tail(.leaf(next))
      }
      var right = Tree.splitInHalf(&elements, capacity: Tree.leafCapacity)
      if offset <= elements.count {
        elements.insert(element, at: offset)
      } else {
        right.insert(element, at: offset - elements.count)
      }
      self = .leaf(elements)
      return .half(.leaf(right))
    case .inner(var children):
      let index = Self.index(in: children, of: place)
      // Only on the leading edge can the element go before everything below the child.
      if index == 0, place.isBefore(children[0].first) { children[0].first = element }
      switch children[index].node.insert(element, at: place, isTrailing: isTrailing && index == children.count - 1) {
      case .none:
        children[index].count += 1
        self = .inner(children)
        return .none
      case .half(let overflow):
        let right = Tree.Child(overflow)
        children[index].count += 1 - right.count
        let half = Tree.insert(right, at: index + 1, into: &children)
        self = .inner(children)
        return half.map { .half(.inner($0)) } ?? .none
      case .tail(let overflow):
        let child = Tree.Child(overflow, count: 1, first: element)
        if children.count < Tree.innerCapacity {
          children.append(child)
          self = .inner(children)
          return .none
        }
        self = .inner(children)
        return .tail(.inner([child]))
      }
    }
  }

  /// The index of a place among the elements of a leaf.
  private static func offset<Place: OrderedTreePlace>(in elements: borrowing ContiguousArray<Element>, of place: Place)
    -> Int
  where Place.Element == Element {
    unsafe elements.withUnsafeBufferPointer { elements in
      var low = 0
      var high = elements.count
      while low < high {
        let middle = (low &+ high) / 2
        if unsafe place.isBefore(elements[middle]) { high = middle } else { low = middle &+ 1 }
      }
      return low
    }
  }

  /// The index of the last child that does not begin after the place, or of the first if all do.
  private static func index<Place: OrderedTreePlace>(
    in children: borrowing ContiguousArray<Tree.Child>, of place: Place
  )
    -> Int
  where Place.Element == Element {
    unsafe children.withUnsafeBufferPointer { children in
      var low = 1
      var high = children.count
      while low < high {
        let middle = (low &+ high) / 2
        if unsafe place.isBefore(children[middle].first) { high = middle } else { low = middle &+ 1 }
      }
      return low - 1
    }
  }
}
