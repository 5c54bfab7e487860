/** Limits for mounted servers, which are untrusted. */
export type MountLimits = {
  readonly connectMs: number
  /**
   * How long a child process may leave the first request of the newest protocol unanswered before
   * it counts as an old server.
   */
  readonly probeMs: number
  readonly listMs: number
  /** The longest a call may take, whatever its contract says. */
  readonly callMs: number
  /** How long a child process may take to exit before it is killed. */
  readonly graceMs: number
  readonly pages: number
  readonly tools: number
  /** One tool as JSON. */
  readonly toolBytes: number
  /** All tools as JSON. */
  readonly listBytes: number
  readonly descriptionLength: number
  /** One message. */
  readonly messageBytes: number
  /** An image, a sound or a file within an answer. Larger ones are described, not stored. */
  readonly artifactBytes: number
  /** The texts or the data of an answer, to be stored. What is longer is cut, and says so. */
  readonly answerBytes: number
  /** Other output on a child's stdout between two messages. */
  readonly noiseBytes: number
  /** Unsolicited messages in ten seconds. */
  readonly unaskedMessages: number
  readonly stderrBytes: number
  /** Delays after the first restart, which is immediate. */
  readonly restartMs: { readonly first: number; readonly longest: number }
}

export const MOUNT_LIMITS: MountLimits = {
  connectMs: 30_000,
  probeMs: 5_000,
  listMs: 30_000,
  callMs: 300_000,
  graceMs: 2_000,
  pages: 64,
  tools: 1_000,
  toolBytes: 256 * 1024,
  listBytes: 8 * 1024 * 1024,
  descriptionLength: 16_384,
  messageBytes: 8 * 1024 * 1024,
  artifactBytes: 6 * 1024 * 1024,
  answerBytes: 6 * 1024 * 1024,
  noiseBytes: 1024 * 1024,
  unaskedMessages: 10_000,
  stderrBytes: 8 * 1024,
  restartMs: { first: 250, longest: 30_000 },
}
