import FiefCopying
import FiefGraph
import FiefSessions

// Access to collections in fields without their static type.

extension AnyPersistedField {
  package static func copy(_ property: ModelProperty, from object: ObjectBase, to copy: ObjectBase) {
    let values = unsafe value(at: property.address(in: object))
    func replace<Values: _CollectionProperty>(by values: Values) {
      unsafe (value(at: property.address(in: copy)) as? Values)?._replaceElements(by: values)
    }
    if property.facts.shape == .single {
      unsafe assign(values, at: property.address(in: copy))
    } else if let values = values as? any _CollectionProperty {
      replace(by: values)
    }
  }
}

extension Persisted {
  static func bind(_ field: UnsafeMutableRawPointer, to row: RowBinding, _ index: Int) {
    let wrapper = unsafe wrapper(at: field)
    if Value.self is CollectionBase.Type {
      unsafe (wrapper.pointee.storage as? CollectionBase)?.bind(row.location(index))
    }
    unsafe wrapper.pointee.storage = nil
    unsafe wrapper.pointee.tag.isSet = false
  }
}
