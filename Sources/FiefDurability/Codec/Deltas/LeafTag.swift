/// How the values of one column in one chunk are laid down.
///
///     ┌─────┬───────────┬──────────────────────────┐
///     │ tag │ [nulls]   │ values, by slot          │     highest bit of the tag: whether there are nulls
///     └─────┴───────────┴──────────────────────────┘
enum LeafTag: UInt8 {
  case int8 = 1
  case int16, int32, int64, float, double, string, data, date, objectId, uuid, decimal, any
  /// Collections that are all empty: a zero byte for each. (Each cell takes a byte at least, in every form; so what is
  /// read is never larger than a fixed multiple of the bytes.)
  case emptyCollections
  /// Lists: how many elements each has, and the elements of all of them, as another run of values.
  case lists
  case sets
  /// Dictionaries: how many entries each has, the keys of all of them as a run of strings, and the values as a run.
  case dictionaries

  /// The bit that says that a bitmap of nulls stands before the values.
  static let hasNulls: UInt8 = 0x80
}
