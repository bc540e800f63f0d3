extension Workload {
  /// The workloads of the graph kernel, without the public interface.
  static let kernel =
    kernelInserting + kernelScanning + kernelReading + kernelSetting + kernelCommitting + kernelComparing
    + kernelLinking + kernelListing + kernelFinding + kernelDeleting + kernelMeasuring + kernelSharing
}
