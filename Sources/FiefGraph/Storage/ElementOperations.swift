/// An operation that reads the elements of a list or a set of any type.
///
/// The methods of a generic class are compiled once for all types when they are called through a base class. Each step
/// then costs a lookup of metadata. So the collections have no overridden methods: the base class switches over its
/// kind and calls code that was specialised for the type.
protocol ElementsReading {
  associatedtype Result
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Result
}

/// An operation that changes the elements of a list or a set of any type.
protocol ElementsEdit {
  associatedtype Result
  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) -> Result
}

// MARK: Operations on both lists and sets

struct CountElements: ElementsReading {
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Int { elements.count }
}

/// The last element of a list of integers, booleans or links: for assertions.
struct LastInteger: ElementsReading {
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Int64? { elements.last as? Int64 }
}

struct ReadElement: ElementsReading {
  let position: Int
  let type: ColumnType

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Value {
    assert(elements.indices.contains(position), "An element that is read exists.")
    return elements[position].value(as: type)
  }
}

struct ReadElements: ElementsReading {
  let range: Range<Int>
  let type: ColumnType

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> ContiguousArray<Value> {
    assert(range.upperBound <= elements.count, "Elements that are read exist.")
    return elements.map(in: range) { $0.value(as: type) }
  }
}

struct ForEachElement: ElementsReading {
  let type: ColumnType
  let body: (Value) -> Bool

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) {
    for element in elements {
      guard body(element.value(as: type)) else { return }
    }
  }
}

/// The stored form of a value that was checked against the column before.
@inline(__always)
func stored<Element: Storable>(_ value: Value) -> Element {
  guard let element = Element(value) else { fatalError("A collection was given a value of another type.") }
  return element
}
