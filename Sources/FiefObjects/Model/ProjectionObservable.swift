/// A type that shows objects of a root class.
public protocol ProjectionObservable: ThreadConfined, _ObjectRepresentable {
  /// The class of the objects that this type shows.
  associatedtype Root: ObjectBase & RealmCollectionValue & ThreadConfined

  /// The object that the projection shows.
  var rootObject: Root { get }
  /// Makes a projection of an object.
  init(projecting object: Root)
}
