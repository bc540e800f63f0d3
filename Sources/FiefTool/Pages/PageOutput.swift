import Foundation

/// The output of pages and drawings.
enum PageOutput {
  /// The policy of a page: it does nothing but show itself.
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

  /// A page of HTML with its data and its script, which reads the data. Titles are escaped as markup, and the data as
  /// JSON without markup.
  ///
  /// - Parameters:
  ///   - top: what stands before the header.
  ///   - tools: what stands in the header, behind title and summary.
  static func html(
    title: String, summary: String, style: String, top: String = "", tools: String, body: String, data: JSON,
    script: String
  ) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <title>\(title.escapedForMarkup)</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    \(top)<header>
    <h1><bdi>\(title.escapedForMarkup)</bdi></h1>
    <p>\(summary.escapedForMarkup)</p>
    \(tools)
    </header>
    \(body)
    <script type="application/json" id="data">\(data.lineWithoutMarkup)</script>
    <script>
    \(script)</script>
    </body>
    </html>

    """
  }

  /// Writes a page to a file as `DocumentFile` does, or to standard output.
  ///
  /// - Parameters:
  ///   - file: the file; nil and `-` are standard output.
  ///   - source: the file that the page shows. It is refused.
  ///   - what: what the page shows, for the line that says what was written.
  static func write(
    _ page: String, to file: String?, readFrom source: String, _ terminal: Terminal, what: String
  ) throws {
    guard let file, file != "-" else { return terminal.say(data: page, terminator: "") }
    let data = Data(page.utf8)
    try DocumentFile.write(file, readFrom: source) { try $0(data) }
    terminal.say("\(file.printable): \(what), \(data.count.inBytes)")
  }
}

extension String {
  /// The last part of a path.
  var fileName: String { URL(fileURLWithPath: self).lastPathComponent }
}
