import type { CallRequest } from '@surehand/core'
import type { Surface } from './options.ts'
import type { Visit } from './visit.ts'

type Asked = Pick<
  CallRequest,
  'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'
>

const NOTHING: Asked = {}

/** What the headers say about the call. */
export function asked(visit: Visit, surface: Surface): Asked {
  const key = visit.header('idempotency-key')
  const waitMs = waitOf(visit, surface)
  const repeat = visit.header('surehand-repeat')
  const requestId = visit.header('x-request-id')
  const notify = visit.header('surehand-notify')
  if (
    key === undefined &&
    waitMs === undefined &&
    repeat === undefined &&
    requestId === undefined &&
    notify === undefined
  )
    return NOTHING
  return {
    ...(notify === undefined ? {} : { notify }),
    ...(key === undefined ? {} : { idempotencyKey: unquoted(key) }),
    ...(waitMs === undefined ? {} : { withinMs: waitMs, whenRunning: 'wait' as const }),
    ...(repeat === 'meant' ? { repeat: 'meant' as const } : {}),
    ...(requestId !== undefined && /^[\x21-\x7e]{1,128}$/.test(requestId) ? { requestId } : {}),
  }
}

// the draft's form is a quoted text, what clients send is a bare one: both are the same key
function unquoted(key: string): string {
  return /^"[^"\\]*"$/.test(key) ? key.slice(1, -1) : key
}

/** `Prefer: wait=N`, in milliseconds. */
export function waitOf(visit: Visit, { longestWaitMs }: Surface): number | undefined {
  const prefer = visit.header('prefer')
  if (prefer === undefined) return undefined
  const [, seconds] =
    /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6}(?:\.\d{1,3})?)"?\s*(?:$|[,;])/i.exec(prefer) ?? []
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1_000, longestWaitMs)
}

/** Does the client want events instead of one answer? */
export function wantsEvents(accept: string | undefined): boolean {
  if (accept === undefined || !/event-stream/i.test(accept)) return false
  return accept
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'text/event-stream')
}
