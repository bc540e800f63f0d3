/// The arguments of a command, read by its declaration.
///
///     query dogs.realm Dog --sort age:desc --limit=3
///       operands         ["dogs.realm", "Dog"]
///       ["--sort"]       "age:desc"
///
/// Options may stand anywhere. Behind `--` stand operands alone. A single `-` is an operand: standard input or output.
struct Arguments {
  private(set) var operands: [String] = []
  private(set) var asksForHelp = false
  private var values: [String: [String]] = [:]

  init(_ arguments: [String], of command: Command) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.count > 1, argument.hasPrefix("-") else {
        operands.append(argument)
        continue
      }
      if argument == "--help" || argument == "-h" {
        asksForHelp = true
        continue
      }
      try read(argument, &rest, of: command)
    }
    if !asksForHelp { try checkOperands(of: command) }
  }

  private mutating func read(
    _ argument: String, _ rest: inout ArraySlice<String>, of command: Command
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = command.options.first(where: { ([$0.name] + $0.aliases).contains(parts[0]) }) else {
      // What begins with one hyphen may be meant as a key or a predicate.
      let advice = argument.hasPrefix("--") ? "" : ": what begins with '-' and is no option stands behind '--'"
      throw UsageError("'\(command.name)' has no option '\(parts[0].printable)'\(advice).")
    }
    var value = parts.count > 1 ? parts[1] : nil
    if let word = option.value {
      value = value ?? rest.popFirst()
      if value == nil { throw UsageError("The option '\(option.name)' needs a value: \(word).") }
    } else if value != nil {
      throw UsageError("The option '\(option.name)' takes no value.")
    }
    if values[option.name] != nil, !option.isRepeatable {
      throw UsageError("The option '\(option.name)' was given twice.")
    }
    values[option.name, default: []].append(value ?? "")
  }

  private func checkOperands(of command: Command) throws(UsageError) {
    let least = command.operands.filter { !$0.isOptional }.count
    let most = command.operands.contains(where: \.isRepeated) ? Int.max : command.operands.count
    let wanted = command.operands.isEmpty ? "no operands" : command.operands.map(\.form).joined(separator: " ")
    guard least...most ~= operands.count else {
      let given = operands.isEmpty ? "nothing" : operands.count.of("operand")
      throw UsageError("'\(command.name)' takes \(wanted); it was given \(given).")
    }
    if let empty = operands.firstIndex(of: "") {
      let name = command.operands[min(empty, command.operands.count - 1)].name
      throw UsageError("'\(command.name)' takes \(wanted); it was given an empty \(name).")
    }
  }

  // MARK: Reading

  /// The value of an option; nil without the option, an empty text for one without a value.
  subscript(option: String) -> String? { values[option]?.last }

  /// Whether an option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// The values of an option that may be repeated, in order.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  /// An operand by its position; nil if it was left out.
  func operand(_ position: Int) -> String? { operands.indices.contains(position) ? operands[position] : nil }

  /// The given one of several options that exclude each other; nil if none was given.
  func choice(_ options: String...) throws(UsageError) -> String? {
    let given = options.filter(has)
    if given.count > 1 { throw UsageError("The options '\(given[0])' and '\(given[1])' exclude each other.") }
    return given.first
  }

  /// The whole number of an option, of at least `least`; nil without the option.
  func number(_ option: String, atLeast least: Int = 0) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), number >= least else {
      throw UsageError("The option '\(option)' takes a whole number from \(least) on, and not '\(text.printable)'.")
    }
    return number
  }
}
