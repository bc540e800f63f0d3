import FiefCopying

// The constraints that applications and collections may put on an any-value.

extension AnyRealmValue: _CustomPersistedType {}
extension AnyRealmValue: _Indexable {}
extension AnyRealmValue: RealmPropertyType {}
extension AnyRealmValue: MinMaxType, AddableType, SortableType {}
extension AnyRealmValue: RealmCollectionValue {}
extension AnyRealmValue: _QueryNumeric {}
extension AnyRealmValue: _RealmFreeValue {}

extension AnyRealmValue: LinkHolding {
  var heldReference: AnyObject? { if case .object(let object) = self { object } else { collection } }
}

extension AnyRealmValue: MessageDescribing {
  package var messageDescription: String {
    switch self {
    case .none: "null"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .object(let object): "an object of class '\(type(of: object).className())'"
    default: if case .value(let stored) = AnyRealmValue._encode(self) { "\(stored)" } else { "a value" }
    }
  }
}
