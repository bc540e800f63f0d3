/// A distance over the surface of the earth, stored as the angle at the earth's centre.
///
///     if let near = Distance.kilometers(5) {
///       print(near.asMiles(), near.radians)
///     }
///
/// The earth is modelled as a sphere of radius 6 378 100 m, as in the original.
@frozen
public struct Distance: Hashable, Comparable, Sendable {
  /// The angle at the centre, 0 or more.
  public let radians: Double

  /// The radius of the earth in kilometres.
  public static let earthRadiusInKilometers = 6378.1
  /// The length of a mile in kilometres: 1 609.344 m.
  static let kilometersOfAMile = 1.609344

  init?(checking radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Makes a distance in kilometres; nil if it is negative or NaN.
  ///
  ///     let near = Distance.kilometers(5)
  public static func kilometers(_ kilometers: Double) -> Distance? {
    Distance(checking: kilometers / earthRadiusInKilometers)
  }

  /// Makes a distance in miles (of 1 609.344 m); nil if it is negative or NaN.
  ///
  ///     let near = Distance.miles(3)
  public static func miles(_ miles: Double) -> Distance? { kilometers(miles * kilometersOfAMile) }

  /// Makes a distance as an angle in degrees at the earth's centre; nil if it is negative or NaN.
  ///
  ///     let quarter = Distance.degrees(90)          // from a pole to the equator
  public static func degrees(_ degrees: Double) -> Distance? { Distance(checking: degrees * .pi / 180) }

  /// Makes a distance as an angle in radians at the earth's centre; nil if it is negative or NaN.
  ///
  ///     let quarter = Distance.radians(.pi / 2)
  public static func radians(_ radians: Double) -> Distance? { Distance(checking: radians) }

  /// The distance in kilometres.
  ///
  ///     print(Distance.miles(3)?.asKilometers() ?? 0)          // 4.828…
  public func asKilometers() -> Double { radians * Distance.earthRadiusInKilometers }

  /// The distance in miles.
  ///
  ///     print(Distance.kilometers(5)?.asMiles() ?? 0)          // 3.106…
  public func asMiles() -> Double { asKilometers() / Distance.kilometersOfAMile }

  /// The angle in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }

  /// Whether the first distance is shorter.
  ///
  ///     if let a = Distance.miles(3), let b = Distance.kilometers(5) { print(a < b) }          // true
  public static func < (a: Distance, b: Distance) -> Bool { a.radians < b.radians }
}
