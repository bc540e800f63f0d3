/// What one side of a comparison reads: a way from a row over properties to values, with an operator at its end
/// perhaps.
///
///     dogs.toy.name        .property("dogs"), .property("toy"), .property("name")
///     dogs.@max.age        .property("dogs"), .maximum, .property("age")
///     map["k"]             .property("map"), .key("k")
///     any[0][*]            .property("any"), .index(0), .anyElement
///     $x.age               variable "x", .property("age")
///     SELF                 no component
///
/// Names are those that applications use; what they mean in a table is for a `QueryCatalog` to say. A path is a value
/// and knows nothing of any schema.
public struct PropertyPath: Hashable, Sendable {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// A property by its name.
    case property(String)
    /// The value under a key of a dictionary.
    case key(String)
    /// The element of a list inside an any-value, from 0.
    case index(Int)
    /// Any element, or any value, of a collection inside an any-value; any value of a dictionary.
    case anyElement
    /// The keys of a dictionary.
    case allKeys
    /// The values of a dictionary.
    case allValues
    /// How many elements the collection before it has.
    case count
    /// The least of the elements, or of what follows in them.
    case minimum
    /// The greatest.
    case maximum
    /// The sum; 0 when there is none.
    case sum
    /// The average; null when there is none.
    case average
  }

  /// The variable of a subquery that the path begins at; nil for the row of the query itself.
  public var variable: String?
  /// The steps; none means the row (or the element) itself.
  public var components: [Component]

  /// A path from its parts.
  public init(_ components: [Component], variable: String? = nil) {
    self.components = components
    self.variable = variable
  }

  /// The path over the properties `names`.
  public init(_ names: String...) { self.init(names.map(Component.property)) }

  /// The path that is the row itself.
  public static let itself = PropertyPath([])

  /// The path a step longer.
  public func appending(_ component: Component) -> PropertyPath {
    PropertyPath(components + [component], variable: variable)
  }
}
