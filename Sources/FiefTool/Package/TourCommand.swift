/// `fief tour`: the tour of an application, or that of a document.
enum TourCommand {
  static let command = Command(
    "tour", "", "a guided run of what an application does",
    options: [
      .value(
        "--json", "FILE",
        "a run with the package that FILE describes: the output of 'swift package describe --type json'"
      )
    ]
  ) { arguments, terminal in
    try arguments["--json"].map { try PackageTour.run($0, terminal) } ?? Tour.run(terminal)
  }
}
