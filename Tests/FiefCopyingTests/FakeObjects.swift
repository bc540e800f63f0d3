import FiefCopying
import FiefGraph
import Foundation

/// An object of a class without a type of the language: a name and values.
final class FakeObject {
  let className: String
  var values: [String: SourceValue]
  /// The number that a planner has given it.
  var mark: Int?
  /// The row of a managed object.
  var row: (store: FakeStore, key: ObjectKey)?
  /// The error of an object that was made from an invalid value.
  var error: (any Error)?

  init(_ className: String, _ values: [String: SourceValue] = [:]) {
    self.className = className
    self.values = values
  }
}

/// An unmanaged collection.
final class FakeCollection {
  let elements: [SourceElement]
  /// Whether the elements are any-values; nil if they are not, else whether it is a list.
  let isNestedList: Bool?

  init(_ elements: [SourceElement], isNestedList: Bool? = nil) {
    self.elements = elements
    self.isNestedList = isNestedList
  }

  convenience init(_ objects: FakeObject...) { self.init(objects.map { (nil, .object($0)) }) }
}
