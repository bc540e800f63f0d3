extension Workload {
  /// Every workload, in the order of their lines. A new theme joins by a file of its own and a term here.
  static let all = [
    kernel,
    codec,
    files,
    realmFiles,
    queries,
    modelOpening,
    modelReading,
    modelIterating,
    modelRelating,
    modelCreating,
    modelQuerying,
    modelDocuments,
  ].flatMap { $0 }
}
