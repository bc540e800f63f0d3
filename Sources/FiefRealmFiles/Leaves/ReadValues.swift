import FiefGraph

/// Values that were read, and the positions that are null. A null position holds the type's zero.
struct ReadValues {
  var values: LeafValues
  var nulls: [Int] = []
}

/// The strings that an enumerated column numbers.
struct Enumeration {
  private let values: ContiguousArray<String>
  // Empty if no string is null.
  private var isNull: ContiguousArray<Bool> = []

  init() { values = [] }

  init(_ texts: ReadTexts) {
    values = texts.values
    if texts.nulls.isEmpty { return }
    isNull = ContiguousArray(repeating: false, count: values.count)
    for index in texts.nulls { isNull[index] = true }
  }

  var count: Int { values.count }

  /// The string of a number below `count`; nil for null.
  subscript(index: Int) -> String? { !isNull.isEmpty && isNull[index] ? nil : values[index] }
}

/// Strings that were read, and the positions that are null.
struct ReadTexts {
  var values: ContiguousArray<String> = []
  var nulls: [Int] = []
}
