import type { Clock } from '@surehand/core/ports'

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

/** Exponential backoff for restarts of a failing server. The first restart is immediate. */
export class RestartBackoff {
  failures = 0
  private notBefore = 0
  private readonly clock: Clock
  private readonly ms: { readonly first: number; readonly longest: number }

  constructor(clock: Clock, ms: { readonly first: number; readonly longest: number }) {
    this.clock = clock
    this.ms = ms
  }

  fail(): void {
    this.failures++
    const pauseMs =
      this.failures === 1 ? 0 : Math.min(this.ms.first * 2 ** (this.failures - 2), this.ms.longest)
    this.notBefore = this.clock.now() + pauseMs
  }

  /** An answered call resets the backoff. */
  recover(): void {
    this.failures = 0
    this.notBefore = 0
  }

  remainingMs(): number {
    return Math.max(0, this.notBefore - this.clock.now())
  }
}
