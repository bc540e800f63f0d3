import FiefGraph

/// One side of a comparison: a path from a row over properties to values, possibly with an operator at its end.
///
///     dogs.toy.name        .property("dogs"), .property("toy"), .property("name")
///     dogs.@max.age        .property("dogs"), .maximum, .property("age")
///     map["k"]             .property("map"), .key("k")
///     any[0][*]            .property("any"), .index(0), .anyElement
///     $x.age               variable "x", .property("age")
///     SELF                 no component
///
/// Names are those that the application uses. A `QueryCatalog` resolves them in a table. A path is a value without
/// reference to a schema.
public struct PropertyPath: Hashable, Sendable {
  /// One step of a path.
  package enum Component: Hashable, Sendable {
    case property(String)
    /// The value under a key of a dictionary.
    case key(String)
    /// The element of a list inside an any-value, from 0.
    case index(Int)
    /// Any element, or any value, of the collection before it: that of a property, or one inside an any-value.
    case anyElement
    case allKeys
    case allValues
    /// An aggregate of the elements of the collection before it, or of the property after it.
    case aggregate(Aggregate)
    /// The number of characters of the string before it, or of bytes of the data; null for null.
    case length
  }

  /// An operator that makes one value of several. Null is ignored.
  package enum Aggregate: String, Hashable, Sendable, CaseIterable {
    /// The number of values; of a collection, that of all elements.
    case count
    /// The minimum by `StoredOrder`; null when there are no values.
    case minimum = "min"
    /// The maximum by `StoredOrder`; null when there are no values.
    case maximum = "max"
    /// The sum; 0 when there are no values. Integers give an integer, and beyond 64 bits a decimal. Floats and doubles
    /// give a double. Decimals and any-values give a decimal.
    case sum
    /// The average; null when there are no values. Integers, floats and doubles give a double. Decimals and any-values
    /// give a decimal.
    case average = "avg"

    /// The kind of the aggregate of values of `elements`.
    package func kind(of elements: ValueKind) -> ValueKind {
      switch self {
      case .count: .int
      case .sum where elements == .int: .int
      case .sum, .average: elements == .decimal || elements == .any ? .decimal : .double
      case .minimum, .maximum: elements
      }
    }
  }

  /// The variable of a subquery at which the path begins; nil for the row of the query itself.
  package var variable: String?
  /// The steps. An empty array means the row or the element itself.
  package var components: [Component]

  package init(_ components: [Component], variable: String? = nil) {
    self.components = components
    self.variable = variable
  }

  package init(_ names: String...) { self.init(names.map(Component.property)) }

  /// The path that is the row itself.
  package static let itself = PropertyPath([])

  /// The path with one more step.
  package func appending(_ component: Component) -> PropertyPath {
    PropertyPath(components + [component], variable: variable)
  }
}

extension PropertyPath {
  /// Throws for a position below zero, which no format can spell.
  package func checkPositions(at position: Int?) throws(QueryError) {
    for case .index(let index) in components where index < 0 {
      throw QueryError(
        .unsupported, "The position \(index) is negative: the first element of an any-value has the position 0.",
        at: position)
    }
  }
}
