/** How much of a stranger's server is borne, and for how long. */
export type MountLimits = {
  readonly connectMs: number
  /** How long a child process may leave the newest protocol's first question unanswered before it is taken for an old one. */
  readonly probeMs: number
  readonly listMs: number
  /** The longest a call may take, whatever its contract says. */
  readonly callMs: number
  /** How long a child may take to end by itself before it is ended. */
  readonly graceMs: number
  readonly pages: number
  readonly tools: number
  /** One tool as JSON. */
  readonly toolBytes: number
  /** All tools as JSON. */
  readonly listBytes: number
  readonly descriptionLength: number
  /** One message, of which an answer is the longest. */
  readonly messageBytes: number
  /** An image, a sound or a file within an answer; what is larger is named, not carried. */
  readonly artifactBytes: number
  /** What is no protocol on a child's stdout, between two messages. */
  readonly noiseBytes: number
  /** Messages nobody asked for, in ten seconds. */
  readonly unaskedMessages: number
  readonly stderrBytes: number
  /** After the first one, which is at once. */
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
  artifactBytes: 1024 * 1024,
  noiseBytes: 1024 * 1024,
  unaskedMessages: 10_000,
  stderrBytes: 8 * 1024,
  restartMs: { first: 250, longest: 30_000 },
}
