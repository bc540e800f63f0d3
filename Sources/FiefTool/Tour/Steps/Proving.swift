import FiefGraph

extension TourStep {
  static let proving = TourStep(title: "Every link, owner and count is proved, in both versions") { tour in
    func faults(_ graph: Graph) -> String {
      let faults = graph.checkInvariants()
      return faults.isEmpty ? "no fault" : faults.joined(separator: " ")
    }
    try tour.show("checkInvariants() of the kept version", faults(tour.kept), claim: "no fault")
    try tour.show("checkInvariants() of the latest version", faults(tour.graph), claim: "no fault")
  }
}
