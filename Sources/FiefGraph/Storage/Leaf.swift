/// One column of one cluster: its values and, where the column allows null, which of them are null.
@frozen
public struct Leaf: Sendable {
  /// The values, by slot. A null cell holds the type's zero.
  public var values: LeafValues
  /// The null slots. Empty for required columns, for any-values (which represent null themselves) and for collections.
  public var nulls: Bitmap256

  /// Makes a leaf of its parts.
  @inlinable
  public init(values: LeafValues, nulls: Bitmap256 = Bitmap256()) {
    self.values = values
    self.nulls = nulls
  }

  /// Makes a leaf of `count` unset cells.
  init(for type: ColumnType, count: Int) {
    values = LeafValues(for: type)
    if count > 0 { values.change(.append(count)) }
    nulls = type.hasNullBitmap ? Bitmap256(prefix: count) : Bitmap256()
    assert(0...256 ~= count && values.count == count, "A new leaf has a cell for each row.")
  }

  /// The value at `slot`; nil if it is null. Traps if the leaf is of another type.
  @inlinable
  public func load<Element: Storable>(_ type: Element.Type, at slot: Int) -> Element? {
    nulls[slot] ? nil : Element.load(from: values, at: slot)
  }

  /// The single value at `slot`, as a value of the column type `type`.
  @inlinable
  public func value(at slot: Int, as type: ColumnType) -> Value {
    nulls[slot] ? .null : values.value(at: slot, as: type)
  }

  /// Stores a single value that fits `type`.
  mutating func setValue(_ value: Value, at slot: Int, as type: ColumnType) {
    assert(0..<values.count ~= slot, "A leaf has a cell for each live row.")
    assert(type.hasNullBitmap || !value.isNull || type.kind == .any, "Only a column that allows null holds one.")
    guard type.hasNullBitmap else {
      // While a column becomes required, its leaves still have the nulls that are being replaced.
      if nulls[slot] { nulls[slot] = false }
      values.setValue(value, at: slot)
      return
    }
    if value.isNull {
      clear(at: slot)
    } else {
      nulls[slot] = false
      values.setValue(value, at: slot)
    }
  }

  /// Makes the cell at `slot` null and releases its value.
  mutating func clear(at slot: Int) {
    guard !nulls[slot] else { return }
    assert(0..<values.count ~= slot, "Only a cell is cleared.")
    nulls[slot] = true
    values.change(.clear(at: slot))
  }
}
