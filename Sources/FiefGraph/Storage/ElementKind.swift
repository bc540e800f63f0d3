import FiefValues
import Foundation

/// The stored types of elements, by name: what a list or a set without its element type is told apart by.
///
/// The methods of a generic class are compiled once for all types when they are reached through a base class, and then
/// cost a look-up of metadata at every step. So the collections have no overridden methods: the base asks its kind,
/// goes to the type by a `switch`, and calls code that was compiled for it.
public enum ElementKind: UInt8, Sendable {
  case int
  case float
  case double
  case string
  case data
  case date
  case objectId
  case uuid
  case decimal
  case any
}

/// Something that is asked of the elements of a list or a set, whatever their type.
protocol ElementsReading {
  associatedtype Result
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Result
}

/// Something that is done to the elements of a list or a set, whatever their type.
protocol ElementsEdit {
  associatedtype Result
  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) -> Result
}

// MARK: What lists and sets are both asked

struct CountElements: ElementsReading {
  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Int { elements.count }
}

struct ReadElement: ElementsReading {
  let position: Int
  let type: ColumnType

  func callAsFunction<Element: Storable>(_ elements: OrderedTree<Element>) -> Value {
    elements[position].value(as: type)
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

struct RemoveElement: ElementsEdit {
  let position: Int

  func callAsFunction<Element: Storable>(_ elements: inout OrderedTree<Element>) { elements.remove(at: position) }
}

/// The stored form of a value that was checked against the column.
@inline(__always)
func stored<Element: Storable>(_ value: Value) -> Element {
  guard let element = Element(value) else { fatalError("A collection was given a value of another type.") }
  return element
}
