import Fief
import FiefGraph

/// `fief graph`: draws objects and their links, as a picture or as a page in which they can be looked at.
enum GraphCommand {
  /// Layouts take time that grows with the square of this, and larger drawings are not readable.
  private static let most = 2_000

  static let command = Command(
    "graph", "FILE [CLASS] [KEY]", "objects and their links, drawn as a picture",
    options: [
      .value("--depth", "N", "how many links away from the object; 2 if nothing is said"),
      .value("--limit", "N", "how many objects at most, up to \(most); 200 if nothing is said"),
      .value("-o", "FILE", "a picture (.svg), or a page (.html) that can be moved and shows objects when pressed"),
      KeyFile.option,
    ],
    details: """
      Without CLASS and KEY all objects are drawn, or those that are linked with the first ones when
      there are more than the limit. KEY is the primary key, or '#' and the number of the object.
      Without '-o' the picture goes to standard output. Each class has a colour, embedded objects stand
      in the boxes of their owners, and lines that close a cycle are dashed.
      """
  ) { arguments, terminal in
    let file = arguments.operands[0]
    let limit = try arguments.number("--limit", atLeast: 1) ?? 200
    let depth = try arguments.number("--depth")
    if limit > most { throw UsageError("The option '--limit' takes at most \(most).") }
    if arguments.operands.count == 2 { throw UsageError("'graph' takes the key of an object with its class.") }
    if depth != nil && arguments.operands.count == 1 {
      throw UsageError("The option '--depth' needs an object: CLASS and KEY.")
    }
    let output = arguments["-o"] ?? "-"
    let isPage = output.lowercased().hasSuffix(".html") || output.lowercased().hasSuffix(".htm")
    if output != "-" && !isPage && !output.lowercased().hasSuffix(".svg") {
      throw UsageError("The option '-o' takes a file that ends in '.svg' or '.html', and not '\(output.printable)'.")
    }
    let objects = StoreView(try StoredFile(arguments).forReading())
    let drawn: ObjectDrawing
    var title = file.fileName
    if arguments.operands.count == 3 {
      let object = try objects.object(named: arguments.operands[2], in: objects.table(named: arguments.operands[1]))
      drawn = ObjectDrawing(around: objects.object(of: object), depth: depth ?? 2, objects, limit: limit)
      title += ": \(objects.label(of: object))"
    } else {
      drawn = ObjectDrawing(all: objects, limit: limit)
    }
    let drawing = Progress.show("Drawing") { _ in drawn.drawing(title: title) }
    let text = isPage ? DrawingPage.text(drawing, drawn, objects) : drawing.svg()
    try PageOutput.write(text, to: output, readFrom: file, terminal, what: drawing.summary)
    return .done
  }
}
