/** When a fault happens: before the vendor's effect, or after it but before the response. */
export type FaultTiming = 'before' | 'after'

/** How an emulated vendor misbehaves on one request. */
export type Fault =
  | { readonly kind: 'slow'; readonly delayMs: number; readonly when: FaultTiming }
  | { readonly kind: '429'; readonly retryAfterSeconds: number }
  | { readonly kind: '500'; readonly when: FaultTiming }
  | { readonly kind: 'reset'; readonly when: FaultTiming }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'hang'; readonly when: FaultTiming }

/** A fault as a test writes it. What it leaves out gets the most useful value. */
export type FaultForm =
  | { readonly kind: 'slow'; readonly delayMs: number; readonly when?: FaultTiming }
  | { readonly kind: '429'; readonly retryAfterSeconds?: number }
  | { readonly kind: '500' | 'hang'; readonly when?: FaultTiming }
  | { readonly kind: 'reset'; readonly when?: FaultTiming }
  | { readonly kind: 'malformed' }

export function normalizeFault(form: FaultForm): Fault {
  switch (form.kind) {
    case 'slow':
      return { kind: 'slow', delayMs: form.delayMs, when: form.when ?? 'before' }
    case '429':
      return { kind: '429', retryAfterSeconds: form.retryAfterSeconds ?? 1 }
    case '500':
      return { kind: '500', when: form.when ?? 'before' }
    case 'hang':
      return { kind: 'hang', when: form.when ?? 'before' }
    case 'reset':
      return { kind: 'reset', when: form.when ?? 'after' }
    case 'malformed':
      return { kind: 'malformed' }
  }
}

/** Reads a fault from JSON, and throws an error that says what is wrong with it. */
export function readFault(given: unknown): Fault {
  if (typeof given !== 'object' || given === null)
    throw new Error('A fault must be an object with a kind.')
  const { kind, when, delayMs, retryAfterSeconds } = given as Readonly<Record<string, unknown>>
  if (when !== undefined && when !== 'before' && when !== 'after')
    throw new Error('when must be "before" or "after".')
  const moment = when === undefined ? {} : { when: when as FaultTiming }
  switch (kind) {
    case 'slow':
      return normalizeFault({ kind, delayMs: readCount(delayMs, 'delayMs'), ...moment })
    case '429':
      return normalizeFault(
        retryAfterSeconds === undefined
          ? { kind }
          : { kind, retryAfterSeconds: readCount(retryAfterSeconds, 'retryAfterSeconds') },
      )
    case '500':
    case 'hang':
    case 'reset':
      return normalizeFault({ kind, ...moment })
    case 'malformed':
      return normalizeFault({ kind })
    default:
      throw new Error('kind must be slow, 429, 500, reset, malformed or hang.')
  }
}

function readCount(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new Error(`${name} must be a whole number of at least 0.`)
  return value as number
}
