import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import { type Clock, sleep } from '@surehand/core/ports'

/** What a provider may do instead of answering. */
export type Trouble =
  /** It refuses, or breaks, with an HTTP status. `echo` repeats what it was sent in its message. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterMs?: number
      readonly echo?: true
    }
  /** It answers late, and stops when its signal says so. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** It answers late and never listens. */
  | { readonly kind: 'deaf'; readonly ms: number }
  /** It waits for its signal, for ever. */
  | { readonly kind: 'hang' }
  /** Nothing got through: no byte left. */
  | { readonly kind: 'connect-refused' }
  /** Bytes left, and the request was lost on the way. */
  | { readonly kind: 'lost-request' }
  /** It did what was asked, and the answer was lost. */
  | { readonly kind: 'lost-answer' }
  /** It does the effect and answers in an undeclared shape. */
  | { readonly kind: 'malformed' }
  /** Our own adapter has a bug. */
  | { readonly kind: 'bug' }

export type Suffering = {
  readonly provider: string
  readonly args: unknown
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Does what was asked. */
  readonly make: () => unknown
}

/** Answers as the trouble says. */
export async function suffer(
  trouble: Trouble | undefined,
  { provider, args, clock, signal, make }: Suffering,
): Promise<unknown> {
  if (trouble === undefined) return make()
  switch (trouble.kind) {
    case 'status': {
      const details =
        trouble.retryAfterMs === undefined ? {} : { retry_after_ms: trouble.retryAfterMs }
      throw fromProviderStatus(
        trouble.status,
        `${provider} says ${trouble.status}${trouble.echo ? ` to ${JSON.stringify(args)}` : ''}.`,
        details,
      )
    }
    case 'slow':
      await sleep(clock, trouble.ms, signal)
      return make()
    case 'deaf':
      await sleep(clock, trouble.ms)
      return make()
    case 'hang':
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    case 'connect-refused':
      throw fromNetworkFailure(
        Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
        provider,
      )
    case 'lost-request':
      throw fromNetworkFailure(
        Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
        provider,
      )
    case 'lost-answer':
      make()
      throw fromNetworkFailure(
        Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
        provider,
      )
    case 'malformed':
      make()
      return { odd: true }
    case 'bug':
      throw new TypeError(`Cannot read properties of undefined (reading '${provider}')`)
  }
}
