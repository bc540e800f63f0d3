/// Text of which parts have a style. `Terminal` alone writes styles: what stands in the text cannot.
///
///     terminal.say(StyledText("Person 7", .bold) + "  nothing changed")
struct StyledText {
  private(set) var parts: [(text: String, style: Terminal.Style?)]

  init(_ text: String, _ style: Terminal.Style? = nil) { parts = [(text, style)] }

  static func + (first: Self, second: Self) -> Self {
    var sum = first
    sum.parts += second.parts
    return sum
  }

  static func + (first: Self, second: String) -> Self { first + StyledText(second) }
}
