/// How an object graph is copied; see `realm.copy(_:cycles:keys:depth:properties:)`.
package struct CopyOptions: Sendable {
  package var cycles = CopyCycles.preserve
  package var keys = CopyKeys.keep
  /// The maximum number of links from the root; nil for no limit.
  package var depth: Int?
  /// The properties to copy; nil for all of them.
  package var properties: CopyFilter?

  /// Options of a copy; without arguments, those of a whole copy that keeps cycles and keys.
  package init(
    cycles: CopyCycles = .preserve, keys: CopyKeys = .keep, depth: Int? = nil, properties: CopyFilter? = nil
  ) {
    assert(depth ?? 0 >= 0, "A depth is a number of links.")
    self.cycles = cycles
    self.keys = keys
    self.depth = depth
    self.properties = properties.flatMap { $0.isAll ? nil : $0 }
  }

  /// Whether every reached object is copied whole.
  package var isWhole: Bool { depth == nil && properties == nil }

  package func allows(_ rowClass: RowClass, _ property: String) -> Bool {
    properties?.allows(rowClass, property) ?? true
  }

  package static func cannotRegenerate(_ className: String, property: String, type words: String) -> CopyError {
    CopyError(
      "Primary key '\(className).\(property)' of type \(words) cannot be regenerated: only keys of types ObjectId and "
        + "UUID are made anew. Copy with keys: .keep or .merge.")
  }
}
