// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import RealmSwift

// Enums of every raw type.

public enum Sex: String, PersistableEnum { case female, male }
public enum Size: Int, PersistableEnum { case small, large }
public enum Grade8: Int8, PersistableEnum { case low, high }
public enum Grade16: Int16, PersistableEnum { case low, high }
public enum Grade32: Int32, PersistableEnum { case low, high }
public enum Grade64: Int64, PersistableEnum { case low, high }
public enum Share: Float, PersistableEnum { case half = 0.5, whole = 1 }
public enum Weight: Double, PersistableEnum { case light = 0.5, heavy = 80.5 }
public enum Coat: String, RealmEnum, Codable { case short, long }

// Custom types that are mapped to a scalar, an optional, an enum and an embedded class.

public struct Chip: CustomPersistable, Hashable {
  public var number: String
  public init(_ number: String) { self.number = number }
  public init(persistedValue: String) { number = persistedValue }
  public var persistableValue: String { number }
}

public struct Nickname: CustomPersistable, Hashable {
  public var text: String?
  public init(_ text: String?) { self.text = text }
  public init(persistedValue: String?) { text = persistedValue }
  public var persistableValue: String? { text }
}

public struct Fur: CustomPersistable, Hashable {
  public var coat: Coat
  public init(persistedValue: Coat) { coat = persistedValue }
  public var persistableValue: Coat { coat }
}

public enum Direction: FailableCustomPersistable {
  case left, right
  public init?(persistedValue: Int) {
    switch persistedValue {
    case 0: self = .left
    case 1: self = .right
    default: return nil
    }
  }
  public var persistableValue: Int { self == .left ? 0 : 1 }
}

public class PointObject: EmbeddedObject {
  @Persisted public var x = 0.0
  @Persisted public var y = 0.0
}

public struct Point: CustomPersistable, Hashable {
  public var x: Double
  public var y: Double
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
  public init(persistedValue: PointObject) { self.init(x: persistedValue.x, y: persistedValue.y) }
  public var persistableValue: PointObject { PointObject(value: ["x": x, "y": y]) }
}
