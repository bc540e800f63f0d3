import FiefCopying

extension ObjectBase: Worded {
  package var messageWords: String { "an object of class '\(type(of: self).className())'" }
}
