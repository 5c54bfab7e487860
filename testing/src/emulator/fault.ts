/** When a fault strikes: before the vendor has done anything, or after it has done it and nobody was told. */
export type When = 'before' | 'after'

/** How an emulated vendor misbehaves on one request. */
export type Fault =
  | { readonly kind: 'slow'; readonly delayMs: number; readonly when: When }
  | { readonly kind: '429'; readonly retryAfterSeconds: number }
  | { readonly kind: '500'; readonly when: When }
  | { readonly kind: 'reset'; readonly when: When }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'hang'; readonly when: When }

/** A fault as it is written down: what is left out is what the fault is mostly wanted for. */
export type FaultForm =
  | { readonly kind: 'slow'; readonly delayMs: number; readonly when?: When }
  | { readonly kind: '429'; readonly retryAfterSeconds?: number }
  | { readonly kind: '500' | 'hang'; readonly when?: When }
  | { readonly kind: 'reset'; readonly when?: When }
  | { readonly kind: 'malformed' }

export function normalFault(form: FaultForm): Fault {
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

/** A fault out of JSON that came over the wire; throws what is wrong with it. */
export function readFault(given: unknown): Fault {
  if (typeof given !== 'object' || given === null)
    throw new Error('A fault is an object with a kind.')
  const { kind, when, delayMs, retryAfterSeconds } = given as Readonly<Record<string, unknown>>
  if (when !== undefined && when !== 'before' && when !== 'after')
    throw new Error('A fault strikes "before" or "after".')
  const moment = when === undefined ? {} : { when: when as When }
  switch (kind) {
    case 'slow':
      return normalFault({ kind, delayMs: wholeNumber(delayMs, 'delayMs'), ...moment })
    case '429':
      return normalFault(
        retryAfterSeconds === undefined
          ? { kind }
          : { kind, retryAfterSeconds: wholeNumber(retryAfterSeconds, 'retryAfterSeconds') },
      )
    case '500':
    case 'hang':
    case 'reset':
      return normalFault({ kind, ...moment })
    case 'malformed':
      return normalFault({ kind })
    default:
      throw new Error('The kinds of faults are slow, 429, 500, reset, malformed and hang.')
  }
}

function wholeNumber(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new Error(`${name} is a whole number from 0.`)
  return value as number
}
