/// A value that stands for one object: the object itself, or a projection of it. Applications do not conform to it
/// themselves.
public protocol _ObjectRepresentable: KeypathSortable {
  /// The object.
  var _object: ObjectBase { get }
  /// The name of the class or projection.
  static func className() -> String
  /// Makes a value that records the properties of the object that are read, until the trace ends.
  static func _tracing() -> Self
}
