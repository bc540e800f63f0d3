import FiefGraph
public import Foundation

/// The elements of a collection in sections, one for each key, live.
///
///     let sections = realm.objects(Song.self).sectioned(by: \.genre)
///     for section in sections {
///       print(section.key)
///       for song in section { print("  \(song.title)") }
///     }
///
/// Sections come in the order of their first elements, and within them elements in that of the collection. Elements
/// with one key share a section, wherever they stand. It is evaluated when it is first read, and again when the realm
/// has changed.
///
/// It belongs to the realm's thread, queue or actor; `freeze()` gives one that may be used anywhere.
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
  public var allKeys: [Key] { core.layout().keys }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { core.layout().count }

  /// The section at a position, 0..<count. It is named by its key: it stays the same section when others come before
  /// it.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let layout = core.layout()
    if position < 0 || position >= layout.count { Misuse.outOfRange(position, layout.count) }
    return ResultsSection(core, layout.keys[position])
  }

  /// The element at a position of a section: `sections[[section, position]]`. Traps unless the path has two numbers
  /// that are in range.
  public subscript(indexPath: IndexPath) -> SectionElement {
    if indexPath.count != 2 {
      fatalError(
        "An index path into sections has two numbers, a section and a position in it; this has \(indexPath.count).")
    }
    return self[indexPath[0]][indexPath[1]]
  }

  /// Goes over the sections as they are when the iteration begins.
  public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
    SectionedResultsIterator(core, core.layout().keys.makeIterator())
  }

  // MARK: State

  /// The realm of the elements.
  public var realm: Realm? { Realm(core.session) }

  /// Whether its realm was invalidated, or the object is gone whose collection it shows.
  public var isInvalidated: Bool { core.results.isInvalidated }

  /// Whether it is frozen: shows one version for ever, to any thread.
  public var isFrozen: Bool { core.session.isFrozen }

  /// The same as of now, for ever, readable from any thread.
  public func freeze() -> SectionedResults { SectionedResults(core.seen(by: core.session.frozen())) }

  /// The live counterpart in the realm of the running thread; nil when what it shows is not there.
  public func thaw() -> SectionedResults? { there(core.seen(by: core.session.thawed())) }

  /// The same as another realm of its store sees it; nil when what it shows is not there.
  public func _seen(in realm: Realm) -> SectionedResults? { there(core.seen(by: realm.session)) }

  private func there(_ core: SectionsCore<Key, SectionElement>) -> SectionedResults? {
    core.results.isInvalidated ? nil : SectionedResults(core)
  }

  /// The keys with the elements of their sections, as text.
  public var description: String {
    "SectionedResults<\(Key.self), \(SectionElement.self)> (\n" + map { "\t\($0.description)" }.joined(separator: ",\n")
      + "\n)"
  }

  /// Whether both are one and the same; two that were made alike are not.
  public static func == (a: SectionedResults, b: SectionedResults) -> Bool { a.core === b.core }
}

/// Goes over sections.
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
