import Dispatch
import FiefRuntime
import Testing

@Suite struct QueueKindTests {
  @Test(.enabled(if: QueueKind.isAvailable)) func `queues of programs and of the system are told apart`() {
    let low = DispatchQueue(label: "low")
    let serial = [
      low, DispatchQueue.main, DispatchQueue(label: "above", target: low),
      DispatchQueue(label: "high", qos: .userInitiated),
      DispatchQueue(label: "over", target: .global(qos: .background)),
    ]
    for queue in serial { #expect(!QueueKind.isConcurrent(queue), "\(queue.label)") }
    let concurrent = [
      DispatchQueue(label: "wide", attributes: .concurrent), DispatchQueue.global(), .global(qos: .userInteractive),
      DispatchQueue(label: "wide, low", qos: .background, attributes: .concurrent),
    ]
    for queue in concurrent { #expect(QueueKind.isConcurrent(queue), "\(queue.label)") }
  }
}
