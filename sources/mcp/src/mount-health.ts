/** `waiting`: it failed repeatedly, and the next restart is delayed. */
export type MountState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed'

export type MountHealth = {
  readonly name: string
  readonly state: MountState
  readonly era: 'modern' | 'legacy' | undefined
  readonly protocolVersion: string | undefined
  readonly server: { readonly name: string; readonly version: string } | undefined
  readonly pid: number | undefined
  readonly tools: number | undefined
  /**
   * Whether the server announces changes of its tools. Otherwise they are noticed at the next
   * connection.
   */
  readonly isFollowed: boolean
  readonly callsInFlight: number
  /** Number of reconnections. */
  readonly restarts: number
  /** Consecutive failures without an answered call between them. */
  readonly failures: number
  readonly retryAfterMs: number
  readonly lastTrouble: string | undefined
  readonly lastWords: string
  readonly skippedLines: number
}
