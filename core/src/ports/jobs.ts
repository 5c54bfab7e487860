import type { Maybe } from '../call/maybe.ts'

/**
 * A wake-up: look at this call. It carries nothing else, so delivering it twice does nothing twice.
 */
export type Job = { readonly tenant: string; readonly callId: string }

export type JobStore = {
  readonly enqueue: (job: Job, delayMs: number) => Maybe<void>
  /** Hands each job to a worker until stopped; the answer stops it and waits for what runs. */
  readonly work: (worker: (job: Job) => Promise<void>) => () => Promise<void>
}
