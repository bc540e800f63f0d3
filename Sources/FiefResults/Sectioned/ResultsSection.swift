import FiefGraph
import FiefObjects
import FiefSessions

/// The elements of a collection that share a key, live: one section of `SectionedResults`.
///
///     for section in realm.objects(Song.self).sectioned(by: \.genre) {
///       print(section.key, section.count, section.first?.title ?? "")
///     }
///
/// The key identifies it. When no element has the key any more the section is invalidated: its elements and
/// `description` then trap. It is valid again when an element has the key again.
public struct ResultsSection<Key: Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult, Identifiable
{
  /// The type of the elements.
  public typealias Element = SectionElement
  /// The elements.
  public typealias _ObservedElement = SectionElement

  let core: SectionsCore<Key, SectionElement>
  /// The key that the elements share.
  ///
  ///     for section in sections where section.key.hasPrefix("R") { print(section.count) }
  public let key: Key

  init(_ core: SectionsCore<Key, SectionElement>, _ key: Key) {
    self.core = core
    self.key = key
  }

  /// The key, as the identity of the section in views.
  public var id: Key { key }

  // MARK: Elements

  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { core.contents(of: key).count }

  /// The element at a position, 0..<count; an object gets a new accessor on each read. Traps when the position is out
  /// of range.
  ///
  ///     let song = section[0]
  public subscript(position: Int) -> SectionElement { core.element(of: core.contents(of: key), at: position) }

  /// Iterates over the elements as they are when the iteration begins.
  ///
  ///     for song in section { print(song.title) }
  public func makeIterator() -> SectionIterator<SectionElement> {
    core.iterator(over: core.contents(of: key))
  }

  // MARK: State

  /// The realm of the elements.
  public var realm: Realm? { Realm(core.session) }

  /// Whether no element has the key now, or all sections are invalidated.
  ///
  ///     if !section.isInvalidated { print(section.key, section.count) }
  public var isInvalidated: Bool { core.results.isInvalidated || core.layout().index(of: key) == nil }

  /// The section in another realm of its store; nil if no element has the key there.
  public func _resolved(in realm: Realm) -> ResultsSection? {
    let section = ResultsSection(core.moved(to: realm.session), key)
    return section.isInvalidated ? nil : section
  }

  /// The key and up to a hundred elements, as a string.
  public var description: String { "\(key): \(CollectionDescription.of(self, kind: "ResultsSection", identity: nil))" }

  /// Whether both are sections of equal keys in one `SectionedResults`.
  public static func == (a: ResultsSection, b: ResultsSection) -> Bool { a.core === b.core && a.key == b.key }
}

extension ResultsSection: ReturningThing {
  /// Whether elements of the collection may have the key later.
  func mayReturn(to realm: Realm) -> Bool { !core.moved(to: realm.session).results.isInvalidated }
}

/// An iterator over the elements of a section.
public typealias SectionIterator<Element: RealmCollectionValue> = RLMIterator<Element>

/// The name that older code uses for `SectionIterator`.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator<Element: RealmCollectionValue> = RLMIterator<Element>
