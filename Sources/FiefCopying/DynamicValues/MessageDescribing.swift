/// A type of the upper modules that describes its values for messages, in bounded length.
package protocol MessageDescribing {
  /// The value in words: "a list", "an object of class 'Dog'".
  var messageDescription: String { get }
}
