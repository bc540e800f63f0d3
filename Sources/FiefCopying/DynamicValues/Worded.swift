/// A type of the upper modules that describes its values for messages, in bounded length.
package protocol Worded {
  /// The value in words: "a list", "an object of class 'Dog'".
  var messageWords: String { get }
}
