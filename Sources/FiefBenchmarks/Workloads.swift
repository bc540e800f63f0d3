extension Workload {
  /// Every workload, in the order of output. A new theme is a file of its own and a line here.
  static let all = [
    kernel,
    codec,
    importing,
    files,
    realmFiles,
    asyncCommits,
    sharingFiles,
    histories,
    migrating,
    queries,
    modelOpening,
    asyncStores,
    modelReading,
    modelConverting,
    modelConfined,
    modelObserving,
    modelTracking,
    modelIterating,
    modelRelating,
    modelCreating,
    modelQuerying,
    modelDocuments,
    modelExtremes,
    modelMemory,
  ].flatMap { $0 }
}
