extension Workload {
  /// The workloads of the graph kernel, without the public interface on top of it.
  static let kernel =
    kernelInserting + kernelScanning + kernelReading + kernelSetting + kernelCommitting + kernelComparing
    + kernelLinking + kernelListing + kernelFinding + kernelDeleting + kernelMeasuring + kernelSharing
}
