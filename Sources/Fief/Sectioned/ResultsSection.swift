import FiefGraph

/// The elements of a collection that share a key, live: one section of `SectionedResults`.
///
/// It is named by its key. When no element has it any more the section is invalidated, and all but `key`, `id` and
/// `isInvalidated` traps; should the key come back, so does the section.
public struct ResultsSection<Key: Hashable, SectionElement: RealmCollectionValue>:
  RealmSectionedResult, Identifiable
{
  /// The type of the elements.
  public typealias Element = SectionElement
  /// The elements.
  public typealias _ObservedElement = SectionElement

  let core: SectionsCore<Key, SectionElement>
  /// What the elements share.
  public let key: Key

  init(_ core: SectionsCore<Key, SectionElement>, _ key: Key) {
    self.core = core
    self.key = key
  }

  /// The key.
  public var id: Key { key }

  // MARK: Elements

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { core.contents(of: key).count }

  /// The element at a position, 0..<count: of an object, a fresh accessor each time.
  public subscript(position: Int) -> SectionElement { core.element(of: core.contents(of: key), at: position) }

  /// Goes over the elements as they are when the iteration begins.
  public func makeIterator() -> SectionIterator<SectionElement> {
    SectionIterator(core.iterator(over: core.contents(of: key)))
  }

  // MARK: State

  /// The realm of the elements.
  public var realm: Realm? { Realm(core.session) }

  /// Whether no element has the key now, or the sections as a whole are invalidated.
  public var isInvalidated: Bool { core.results.isInvalidated || core.layout().place(of: key) == nil }

  /// Whether it is frozen: shows one version for ever, to any thread.
  public var isFrozen: Bool { core.session.isFrozen }

  /// The same as of now, for ever, readable from any thread.
  public func freeze() -> ResultsSection { ResultsSection(core.seen(by: core.session.frozen()), key) }

  /// The live counterpart in the realm of the running thread; nil when no element has the key there.
  public func thaw() -> ResultsSection? { there(core.seen(by: core.session.thawed())) }

  /// The same as another realm of its store sees it; nil when no element has the key there.
  public func _seen(in realm: Realm) -> ResultsSection? { there(core.seen(by: realm.session)) }

  private func there(_ core: SectionsCore<Key, SectionElement>) -> ResultsSection? {
    let section = ResultsSection(core, key)
    return section.isInvalidated ? nil : section
  }

  /// The key with the elements, as text: up to a hundred of them.
  public var description: String { "\(key): \(CollectionDescription.of(self, "ResultsSection", nil))" }

  /// Whether both are the section of one key in the same `SectionedResults`.
  public static func == (a: ResultsSection, b: ResultsSection) -> Bool { a.core === b.core && a.key == b.key }
}

/// Goes over the elements of a section.
public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private var elements: RLMIterator<Element>

  init(_ elements: RLMIterator<Element>) { self.elements = elements }

  /// The next element; nil after the last.
  public mutating func next() -> Element? { elements.next() }
}
