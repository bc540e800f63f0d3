import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// The state of `SectionedResults` and its sections: results, and the section of each of their elements, kept until
/// what the session sees changes.
///
///     results ──▶ key of each element ──▶ layout          computed at the first read, and again after each change
///
/// It belongs to its session's executor; any thread may use the core of a frozen session. The application computes the
/// keys, so no lock is held meanwhile: two threads may compute equal layouts at once, and the later one is kept.
final class SectionsCore<Key: Hashable, Element: RealmCollectionValue> {
  let results: ResultsStorage
  private let key: (Element) -> Key
  private let kept = LockedValue<Kept>()

  private struct Kept {
    /// The moment at which the layout was computed.
    let stamp: VersionStamp
    let layout: SectionLayout<Key>
  }

  init(_ results: ResultsStorage, _ key: @escaping (Element) -> Key) {
    self.results = results
    self.key = key
  }

  var session: Session { results.session }

  /// The core for another session of the store.
  func moved(to other: Session) -> SectionsCore {
    other === session ? self : SectionsCore(results.moved(to: other), key)
  }

  /// The sections as they are now.
  func layout() -> SectionLayout<Key> {
    results.checkUseOfValues()
    let stamp = session.validity.stamp
    if let kept = kept.value, kept.stamp == stamp { return kept.layout }
    let start = LoggedTime.now
    let layout = makeLayout()
    session.report("Sections", since: start) {
      "\(layout.count) sections of \(layout.contents.reduce(0) { $0 + $1.count }) elements."
    }
    kept.value = Kept(stamp: stamp, layout: layout)
    return layout
  }

  private func makeLayout() -> SectionLayout<Key> {
    var elements = RLMIterator<Element>(walk: results.walkUnnoted(), context: results.context)
    func key() -> Key {
      guard let element = elements.next() else { fatalError("The key of a section must not change the realm.") }
      return self.key(element)
    }
    if results.givesRows {
      let rows = results.contents().keys
      return SectionLayout(rows.lazy.map { (key(), $0) }) { .keys($0) }
    }
    return SectionLayout(results.storedValuesUnnoted.lazy.map { (key(), $0) }) { .values($0) }
  }

  /// The elements of a section. Traps if no element has the key now.
  func contents(of key: Key) -> ResultsContents {
    let layout = layout()
    guard let index = layout.index(of: key) else {
      fatalError(
        "The section with the key '\(key)' has been invalidated and cannot be used: it has no elements any more. "
          + "Ask isInvalidated first.")
    }
    return layout.contents[index]
  }

  /// An element of a section. Traps when the position is out of range.
  func element(of contents: ResultsContents, at position: Int) -> Element {
    if position < 0 || position >= contents.count { Misuse.outOfRange(position, contents.count) }
    return Element._fromStored(contents.value(at: position, of: results.rowClass), results.context)
  }

  /// An iterator over the elements of a section.
  func iterator(over contents: ResultsContents) -> RLMIterator<Element> {
    guard let binding = results.rowClass else {
      return RLMIterator(walk: .values(ValueWalk(contents.values(of: nil))), context: results.context)
    }
    return RLMIterator(
      walk: .rows(RowWalk(contents.source(session), of: binding, in: session)), context: results.context)
  }
}
