import Fief
import FiefGraph

/// `fief browse`: a file as one page for a browser, which needs nothing else.
///
///     <header>  the file, and a search over all of it
///     <nav>     the classes with their counts
///     <main>    the table of a class, an object, or what was found: the script makes it from the data
///     <script type="application/json">   all objects, as `PageData` writes them
///
/// The page loads nothing, and its policy forbids it to. Texts are escaped as markup here, as JSON in the data, and are
/// set as text by the script.
enum BrowsePage {
  static let command = Command(
    "browse", "FILE", "a page for a browser, with all objects of a file",
    options: [.value("-o", "FILE.html", "the page; '-' or nothing is standard output"), KeyFile.option],
    details: """
      The page shows the classes, tables that can be sorted and filtered, each object with its links and
      what links to it, and a search. It needs neither this program nor a network. Texts of more than
      \(PageData.longestText) characters and data are shortened in it.
      """
  ) { arguments, terminal in
    let file = try StoredFile(arguments)
    let objects = StoreView(try file.forReading())
    let count = objects.tables.reduce(0) { $0 + $1.count }
    let values = objects.tables.reduce(0) { $0 + $1.count * $1.schema.columns.count }
    let page = Progress.show("Writing the page of \(file.name)", of: values, "value") { progress in
      text(objects, title: file.name.fileName, summary: summary(objects), progress)
    }
    try PageOutput.write(page, to: arguments["-o"], readFrom: file.name, terminal, what: count.of("object"))
    return .done
  }

  private static func summary(_ objects: StoreView) -> String {
    "\(objects.objectCount.of("object")) in \(objects.objectTables.count.of("class", "classes")), "
      + "version \(objects.graph.version)"
  }

  static func text(_ objects: StoreView, title: String, summary: String, _ progress: Progress? = nil) -> String {
    PageOutput.html(
      title: title, summary: summary, style: style,
      top: "<a class=\"skip\" href=\"#main\" id=\"skip\">Skip to the objects</a>\n",
      tools: """
        <form id="searching" role="search" aria-label="Search all objects">
        <label class="hidden" for="search">Search all objects</label>
        <input type="search" id="search" placeholder="Search all ( / )" autocomplete="off" spellcheck="false">
        <button>Search</button>
        </form>
        """,
      body: """
        <div class="frame">
        <nav class="side" aria-labelledby="classes-title">
        <h2 id="classes-title">Classes</h2>
        <ul id="classes"></ul>
        </nav>
        <main id="main" tabindex="-1"><noscript>This page needs JavaScript. It loads nothing.</noscript></main>
        </div>
        <div id="status" role="status" class="hidden"></div>
        """,
      data: PageData.json(objects, title: title, progress), script: script)
  }
}
