#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Foundation
  import Testing

  #if canImport(FoundationXML)
    import FoundationXML
  #endif

  /// A page that a command has written.
  struct Page {
    let text: String

    init(_ text: String) { self.text = text }

    init(_ url: URL) throws { text = try String(contentsOf: url, encoding: .utf8) }

    /// Whether nothing but the page's own script can run, and nothing is shown that turns or hides its neighbours.
    var isHarmless: Bool {
      // The scripts begin and end where the page says, and hold no other end or comment.
      let parts = text.components(separatedBy: "<script")
      let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
      return parts.count == 3 && text.components(separatedBy: "</script").count == 3
        && parts[1...].allSatisfy { !$0.components(separatedBy: "</script")[0].contains("<!--") }
        && text.components(separatedBy: "<!--").count == 1 && text.contains(policy) && !text.contains("<b>")
        && markup.isSafeToPrint
    }

    /// The page without its data: the data is read by the script, which shows texts as texts.
    private var markup: String {
      guard let start = text.range(of: "id=\"data\">"),
        let end = text.range(of: "</script>", range: start.upperBound..<text.endIndex)
      else { return text }
      return String(text[..<start.upperBound] + text[end.lowerBound...])
    }

    /// The data of the page.
    func data() throws -> Any {
      let start = try #require(text.range(of: "id=\"data\">"))
      let end = try #require(text.range(of: "</script>", range: start.upperBound..<text.endIndex))
      let json = text[start.upperBound..<end.lowerBound]
      #expect(!json.contains("<") && !json.contains(">") && !json.contains("&"))
      return try JSONSerialization.jsonObject(with: Data(json.utf8))
    }
  }

  /// The elements of a document of XML.
  final class XMLElements: NSObject, XMLParserDelegate {
    /// The attributes of elements, by the names of these.
    private(set) var attributes: [String: [[String: String]]] = [:]
    /// The texts of elements, by the names of these.
    private(set) var texts: [String: [String]] = [:]
    private var open: [String] = []

    /// - Throws: an error when the document is not well-formed.
    init(_ document: String) throws {
      super.init()
      let parser = XMLParser(data: Data(document.utf8))
      parser.delegate = self
      guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      self.attributes[name, default: []].append(attributes)
      texts[name, default: []].append("")
      open.append(name)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      guard let name = open.last, let count = texts[name]?.count else { return }
      texts[name]?[count - 1] += string
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      open.removeLast()
    }
  }
#endif
