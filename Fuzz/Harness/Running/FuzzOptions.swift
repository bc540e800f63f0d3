/// The options of `fief-fuzz`.
struct FuzzOptions {
  var target: (any FuzzTarget)?
  var seconds = 60.0
  var seed: UInt64 = 1
  var input: String?
  var minimizes = false
  var lists = false
  var prints = false
  /// The part of a child process: a campaign, or a list of inputs. The parent sets it.
  var child: String?
  var note: String?

  static let usage = """
    usage: fief-fuzz TARGET [--seconds 60] [--seed S] [--input FILE] [--minimize] [--print]
           fief-fuzz --list

      TARGET       the name of a target; `all` runs each in turn
      --seconds    the time of each target, in seconds
      --seed       the seed of the random inputs; equal seeds give equal inputs
      --input      a file, or a folder of files, to run instead of random inputs
      --minimize   make a finding smaller, by step and by value
      --print      print the inputs of --input as lines of Swift, without running them
    """

  /// The options of a command line without the name of the program.
  ///
  /// - Throws: a `Finding` with the mistake.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw Finding("\(argument) has no value.") }
        return value
      }
      func number<Number: LosslessStringConvertible>() throws -> Number {
        let text = try value()
        guard let number = Number(text) else { throw Finding("\(argument) wants a number, not \(text).") }
        return number
      }
      switch argument {
      case "--seconds": seconds = try number()
      case "--seed": seed = try number()
      case "--input": input = try value()
      case "--minimize": minimizes = true
      case "--list": lists = true
      case "--print": prints = true
      case "--child": child = try value()
      case "--note": note = try value()
      default:
        guard !argument.hasPrefix("-"), target == nil, let named = FuzzTargets.named(argument) else {
          throw Finding("\(argument) is no target and no option.")
        }
        target = named
      }
    }
  }
}
