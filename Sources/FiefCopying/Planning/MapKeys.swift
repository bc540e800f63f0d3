package enum MapKeys {
  package static func check(_ key: String, _ path: @autoclosure () -> String) throws(CopyError) {
    if key.utf8.first == UInt8(ascii: "$") || key.utf8.contains(UInt8(ascii: ".")) {
      throw CopyError(
        "Map key '\(PlanPath.shortened(key))' at \(path()) begins with '$' or contains '.': percent-encode these "
          + "characters."
      )
    }
  }
}
