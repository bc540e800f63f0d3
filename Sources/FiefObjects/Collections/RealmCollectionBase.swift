/// The common protocol of a realm's collections. They provide random access by position and are lazy: `map` and
/// `filter` with a closure do no work until their result is iterated, unless the result type is an array.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
  ThreadConfined
where Element: RealmCollectionValue {
  /// The type of the elements.
  typealias ElementType = Element
}
