import FiefCopying
import Foundation

/// The rules for map keys.
enum MapKeys {
  static func check(_ key: String, _ path: @autoclosure () -> String) throws {
    if key.utf8.first == UInt8(ascii: "$") || key.utf8.contains(UInt8(ascii: ".")) {
      throw Realm.Error(
        .invalidValue,
        "Map key '\(PlanPath.shortened(key))' at \(path()) begins with '$' or contains '.': percent-encode these characters."
      )
    }
  }
}
