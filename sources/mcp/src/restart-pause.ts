import type { Clock } from '@surehand/core/ports'

/** How long a server that fails is left alone: not at all after the first time, then longer and longer. */
export class RestartPause {
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

  /** It has answered a call: what was before is forgotten. */
  recover(): void {
    this.failures = 0
    this.notBefore = 0
  }

  remainingMs(): number {
    return Math.max(0, this.notBefore - this.clock.now())
  }
}
