import FiefGraph

/// Values that were read, and the positions that are null. A null position holds the type's zero.
struct ReadValues {
  var values: LeafValues
  var nulls: [Int] = []
}

/// Strings that were read, and the positions that are null.
struct ReadTexts {
  var values: ContiguousArray<String> = []
  var nulls: [Int] = []
}
