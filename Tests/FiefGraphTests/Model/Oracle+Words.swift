import FiefGraph

/// The words of a string from the pool, or of a string that was converted from a number, each once. Non-ASCII letters
/// are folded by a table.
func words(of value: Value) -> Set<String> {
  guard case .string(let text) = value else { return [] }
  var words: Set<String> = []
  var word = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": word += String(Character(scalar)).lowercased()
    case "\u{E9}": word += "e"
    case "\u{301}": break
    case "\u{FB00}": word += "ff"
    default:
      if !word.isEmpty { words.insert(word) }
      word = ""
    }
  }
  if !word.isEmpty { words.insert(word) }
  return words
}
