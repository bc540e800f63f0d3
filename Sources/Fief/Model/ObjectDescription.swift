import Foundation

/// Objects as text: class and properties, nested objects indented.
enum ObjectDescription {
  static func of(_ object: ObjectBase) -> String {
    if object.isInvalidated { return "[invalid object]" }
    return "\(type(of: object).className())"
  }
}
