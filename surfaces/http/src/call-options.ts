import type { CallRequest } from '@surehand/core'
import { readIdempotencyKey } from '@surehand/edge'
import type { HttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'

type CallOptions = Pick<
  CallRequest,
  'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'
>

const NO_OPTIONS: CallOptions = {}

/** The options of a call, which travel in headers beside its input. */
export function callOptionsFromHeaders(request: HttpRequest, surface: Surface): CallOptions {
  const key = readIdempotencyKey(request)
  const waitMs = preferredWaitMs(request, surface)
  const repeat = request.header('surehand-repeat')
  const requestId = request.header('x-request-id')
  const notify = request.header('surehand-notify')
  if (
    key === undefined &&
    waitMs === undefined &&
    repeat === undefined &&
    requestId === undefined &&
    notify === undefined
  )
    return NO_OPTIONS
  return {
    ...(notify === undefined ? {} : { notify }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(waitMs === undefined ? {} : { withinMs: waitMs, whenRunning: 'wait' as const }),
    ...(repeat === 'meant' ? { repeat: 'meant' as const } : {}),
    ...(requestId !== undefined && /^[\x21-\x7e]{1,128}$/.test(requestId) ? { requestId } : {}),
  }
}

/** `Prefer: wait=N`, in milliseconds. */
export function preferredWaitMs(
  request: HttpRequest,
  { longestWaitMs }: Surface,
): number | undefined {
  const prefer = request.header('prefer')
  if (prefer === undefined) return undefined
  const [, seconds] =
    /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6}(?:\.\d{1,3})?)"?\s*(?:$|[,;])/i.exec(prefer) ?? []
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1_000, longestWaitMs)
}

/** Whether the client accepts server-sent events instead of one response. */
export function wantsEvents(accept: string | undefined): boolean {
  if (accept === undefined || !/event-stream/i.test(accept)) return false
  return accept
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'text/event-stream')
}
