import FiefCopying
import FiefGraph

/// Reads unmanaged objects, with the classes of a store.
final class FakeReader: ObjectReader {
  private let store: FakeStore

  init(_ store: FakeStore) { self.store = store }

  func readable(_ object: AnyObject) -> AnyObject? { object }

  func declaredClass(of object: AnyObject) -> RowClass { store.declaredClass(of: object) }

  func checkReading(_ object: AnyObject) {}

  func value(of property: RowProperty, in object: AnyObject) -> SourceValue {
    store.content(of: property, in: object, skippingUnset: false) ?? .stored(.null)
  }

  func elements(of collection: AnyObject, _ type: ColumnType) -> [SourceElement] {
    (collection as? FakeCollection)?.elements ?? []
  }

  func identity(of object: AnyObject) -> SourceIdentity { SourceIdentity(object) }

  func identity(ofNested collection: AnyObject) -> SourceIdentity { SourceIdentity(collection) }

  func isList(_ collection: AnyObject) -> Bool { (collection as? FakeCollection)?.isNestedList == true }
}
