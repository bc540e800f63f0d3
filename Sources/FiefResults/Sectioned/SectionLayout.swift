import FiefGraph
import FiefObjects
import FiefRuntime

/// Elements in sections, at one moment.
///
///     keys       "A"            "B"        "D"          in the order of their first elements
///     contents   Abe  Ann  Al   Bob        Di  Dora     each in the order of the collection
///
/// No section is empty: a section exists because an element has its key. A layout never changes.
final class SectionLayout<Key: Hashable> {
  /// The keys, each once.
  private(set) var keys: [Key] = []
  /// The elements of each key: rows, or stored values.
  private(set) var contents: [ResultsContents] = []
  /// The positions of the keys.
  private(set) var positions: [SectionKey<Key>: Int] = [:]

  /// The number of sections.
  var count: Int { keys.count }

  /// The position of the section with a key, or nil.
  func index(of key: Key) -> Int? { positions[SectionKey(key)] }

  /// A layout without sections.
  init() {}

  /// - Parameters:
  ///   - elements: rows or stored values, each with the key of its section.
  ///   - contents: makes the elements of one section.
  init<Element>(
    _ elements: some Sequence<(key: Key, element: Element)>, _ contents: (ContiguousArray<Element>) -> ResultsContents
  ) {
    var sections: [ContiguousArray<Element>] = []
    for element in elements { gather(element.element, in: element.key, &sections) }
    self.contents = sections.map(contents)
  }

  private func gather<Element>(_ element: Element, in key: Key, _ sections: inout [ContiguousArray<Element>]) {
    // Elements of one section mostly follow one another.
    if let last = keys.last, SectionKey(last) == SectionKey(key) {
      sections[keys.count - 1].append(element)
      return
    }
    let index = positions[SectionKey(key), default: keys.count]
    if index == keys.count {
      positions[SectionKey(key)] = index
      keys.append(key)
      sections.append([])
    }
    sections[index].append(element)
  }
}

/// A key that equals itself. Strings are equal if their bytes are, as in stores. Keys that do not equal themselves by
/// their own `==` (NaN) equal each other here, and share one section.
struct SectionKey<Key: Hashable>: Hashable {
  let key: Key

  init(_ key: Key) { self.key = key }

  static func == (a: SectionKey, b: SectionKey) -> Bool {
    guard a.key == b.key else { return a.key != a.key && b.key != b.key }
    guard Key.self == String.self || Key.self == String?.self, let a = a.key as? String, let b = b.key as? String else {
      return true
    }
    return ByteOrder.areIdentical(a, b)
  }

  func hash(into hasher: inout Hasher) { if key == key { hasher.combine(key) } }
}
