import type { Clock } from '@surehand/core/ports'

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
