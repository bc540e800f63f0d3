/// Arguments that make no sense. The usage of the command is printed with it.
struct UsageError: Error {
  let problem: String

  init(_ problem: String) { self.problem = problem }
}
