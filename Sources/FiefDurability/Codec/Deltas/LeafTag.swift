/// The encoding of the values of one column in one chunk.
///
///     ┌─────┬───────────┬──────────────────────────┐
///     │ tag │ [nulls]   │ values, by slot          │     highest bit of the tag: whether there are nulls
///     └─────┴───────────┴──────────────────────────┘
enum LeafTag: UInt8 {
  case int8 = 1
  case int16, int32, int64, float, double, string, data, date, objectId, uuid, decimal, any
  /// Collections that are all empty: a zero byte for each. (In every form each cell takes at least a byte, so decoded
  /// values are never larger than a fixed multiple of the bytes.)
  case emptyCollections
  /// Lists: the number of elements of each, and the elements of all of them, as another run of values.
  case lists
  case sets
  /// Dictionaries: the number of entries of each, all keys as a run of strings, and all values as a run.
  case dictionaries

  /// The bit that is set if a bitmap of nulls precedes the values.
  static let hasNulls: UInt8 = 0x80
}
