/** `waiting`: it failed more than once, and is left alone for a while. */
export type MountState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed'

export type MountHealth = {
  readonly name: string
  readonly state: MountState
  readonly era: 'modern' | 'legacy' | undefined
  readonly protocolVersion: string | undefined
  readonly server: { readonly name: string; readonly version: string } | undefined
  readonly pid: number | undefined
  readonly tools: number | undefined
  /** Changes of its tools are told by the server; otherwise they are seen at the next connection. */
  readonly isFollowed: boolean
  readonly callsInFlight: number
  /** How often it was connected to again. */
  readonly restarts: number
  /** In a row, without an answered call between them. */
  readonly failures: number
  readonly retryAfterMs: number
  readonly lastTrouble: string | undefined
  readonly lastWords: string
  readonly skippedLines: number
}
