import FiefGraph
import FiefValues
import Foundation

/// Refuses a file in which two objects of a class have one primary key.
///
/// The graph would refuse it, too, but only after it has searched among all rows with equal hashes for each of them.
struct PrimaryKeyCheck {
  private let file: FileBytes
  private var numbers: Set<Int64> = []
  private var texts: Set<TextKey> = []
  private var identifiers: Set<ObjectId> = []
  private var uuids: Set<UUID> = []
  private var hasNull = false
  /// The greatest number so far: most files have ascending ones, which need no set.
  private var last: Int64?
  private var isAscending = true
  private var ascending: ContiguousArray<Int64> = []

  init(_ file: FileBytes) { self.file = file }

  /// Adds the keys of a cluster.
  mutating func add(_ leaf: Leaf) throws(RealmFileError) {
    if !leaf.nulls.isEmpty {
      if hasNull || leaf.nulls.count > 1 { throw file.damage("two objects have the primary key null") }
      hasNull = true
    }
    switch leaf.values {
    case .int8, .int16, .int32, .int64:
      for (slot, number) in Int64.buffer(of: leaf.values).enumerated() where !leaf.nulls[slot] { try add(number) }
    case .string(let values):
      for (slot, text) in values.enumerated() where !leaf.nulls[slot] && !texts.insert(TextKey(text)).inserted {
        throw file.damage("two objects have the primary key '\(text.prefix(64))'")
      }
    case .objectId(let values):
      for (slot, id) in values.enumerated() where !leaf.nulls[slot] && !identifiers.insert(id).inserted {
        throw file.damage("two objects have the primary key \(id)")
      }
    case .uuid(let values):
      for (slot, id) in values.enumerated() where !leaf.nulls[slot] && !uuids.insert(id).inserted {
        throw file.damage("two objects have the primary key \(id)")
      }
    default: break
    }
  }

  private mutating func add(_ number: Int64) throws(RealmFileError) {
    if isAscending {
      if last.map({ $0 < number }) ?? true {
        last = number
        ascending.append(number)
        return
      }
      isAscending = false
      numbers = Set(ascending)
      ascending = []
    }
    guard numbers.insert(number).inserted else { throw file.damage("two objects have the primary key \(number)") }
  }

  /// A string that equals another if their bytes are equal.
  private struct TextKey: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: TextKey, b: TextKey) -> Bool { StoredOrder.areIdentical(a.text, b.text) }

    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
  }
}
