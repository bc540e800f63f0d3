import FiefGraph
import FiefObjects
import FiefSessions
public import Foundation

/// The elements of a collection in sections, one for each key, live.
///
///     let sections = realm.objects(Song.self).sectioned(by: \.genre)
///     for section in sections {
///       print(section.key)
///       for song in section { print("  \(song.title)") }
///     }
///
/// Sections come in the order of their first elements; elements of a section keep the order of the collection. Elements
/// with equal keys share a section, whatever their positions are. The sections are computed when they are first read,
/// and again when the realm has changed.
///
/// They belong to the realm's thread, queue or actor; `freeze()` returns a copy that may be used anywhere.
///
/// - Complexity: computing the sections calls the key of every element; see `sectioned(by:ascending:)`.
public struct SectionedResults<Key: Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult
{
  /// The type of the sections.
  public typealias Element = ResultsSection<Key, SectionElement>
  /// The elements of the sections.
  public typealias _ObservedElement = SectionElement

  let core: SectionsCore<Key, SectionElement>

  init(_ core: SectionsCore<Key, SectionElement>) { self.core = core }

  // MARK: Sections

  /// The keys of all sections, in their order.
  ///
  ///     print(realm.objects(Song.self).sectioned(by: \.genre).allKeys)
  public var allKeys: [Key] { core.layout().keys }

  /// The position of the first section, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last section: the number of sections.
  public var endIndex: Int { core.layout().count }

  /// The section at a position, 0..<count. Its key identifies it: it stays the same section when its position changes.
  /// Traps when the position is out of range.
  ///
  ///     print(sections[0].key)
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let layout = core.layout()
    if position < 0 || position >= layout.count { Misuse.outOfRange(position, layout.count) }
    return ResultsSection(core, layout.keys[position])
  }

  /// The element at a position of a section. Traps unless the path consists of two indices that are in range.
  ///
  ///     let sections = realm.objects(Song.self).sectioned(by: \.genre)
  ///     let song = sections[IndexPath(indexes: [0, 2])]        // the third song of the first genre
  ///
  /// - Parameter indexPath: the position of the section, then that of the element in it.
  public subscript(indexPath: IndexPath) -> SectionElement {
    if indexPath.count != 2 {
      fatalError(
        "An index path into sections has two numbers, a section and a position in it; this has \(indexPath.count).")
    }
    return self[indexPath[0]][indexPath[1]]
  }

  /// Iterates over the sections as they are when the iteration begins.
  ///
  ///     for section in sections { print(section.key, section.count) }
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(core, core.layout().keys.makeIterator())
  }

  // MARK: State

  /// The realm of the elements.
  public var realm: Realm? { core.results.realm }

  /// Whether its realm was invalidated, or the object with the collection was deleted.
  public var isInvalidated: Bool { core.results.isInvalidated }

  /// The sections in another realm of its store; nil if their collection does not exist there.
  public func _resolved(in realm: Realm) -> SectionedResults? {
    let core = core.moved(to: realm.session)
    return core.results.isInvalidated ? nil : SectionedResults(core)
  }

  /// The keys with the elements of their sections, as a string.
  public var description: String {
    "SectionedResults<\(Key.self), \(SectionElement.self)> (\n" + map { "\t\($0.description)" }.joined(separator: ",\n")
      + "\n)"
  }

  /// Whether both are copies of one value; the results of two equal calls of `sectioned` differ.
  ///
  ///     let again = songs.sectioned(by: \.genre)
  ///     print(sections == sections, sections == again)          // true false
  public static func == (a: SectionedResults, b: SectionedResults) -> Bool { a.core === b.core }
}

/// An iterator over sections.
public struct SectionedResultsIterator<Key: Hashable, SectionElement: RealmCollectionValue>:
  IteratorProtocol
{
  private let core: SectionsCore<Key, SectionElement>
  private var keys: IndexingIterator<[Key]>

  init(_ core: SectionsCore<Key, SectionElement>, _ keys: IndexingIterator<[Key]>) {
    self.core = core
    self.keys = keys
  }

  /// The next section; nil after the last.
  public mutating func next() -> ResultsSection<Key, SectionElement>? { keys.next().map { ResultsSection(core, $0) } }
}

/// The name that older code uses for `SectionedResultsIterator`.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator

/// Elements in sections: `SectionedResults`, a collection of all sections, and `ResultsSection`, one of them.
public protocol RealmSectionedResult: RandomAccessCollection, RealmSubscribable, CustomStringConvertible, _Observed
where Index == Int, _Change == SectionedResultsChange<Self> {}
