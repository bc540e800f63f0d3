import FiefCopying

extension ObjectBase: MessageDescribing {
  package var messageDescription: String { "an object of class '\(type(of: self).className())'" }
}
