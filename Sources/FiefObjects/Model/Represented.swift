import FiefCopying

/// The values for which values of an application's types stand: the raw value of an enum, the stored form of a custom
/// type.
///
/// A place that takes untyped values asks it for a value that it would refuse otherwise. So values of plain types cost
/// nothing more.
enum Represented {
  /// The value for which another one stands, possibly null; nil for a value that only stands for itself.
  static func value(of value: Any) -> Any? {
    switch value {
    case let value as any PersistableEnum: value.rawValue
    case let value as any _CustomPersistable: value._persisted
    default: nil
    }
  }

  /// The result of `read` for a value, or for the one for which it stands.
  static func read<Result>(_ value: Any, _ read: (Any) -> Result?) -> Result? {
    if let result = read(value) { return result }
    var value = value
    // A custom type may be mapped to an enum.
    while let inner = DynamicValue.present(value), let other = self.value(of: inner) {
      if let result = read(other) { return result }
      value = other
    }
    return nil
  }

  /// Whether a value stands for null.
  static func isNull(_ value: Any) -> Bool { read(value) { DynamicValue.isNull($0) ? true : nil } ?? false }
}
