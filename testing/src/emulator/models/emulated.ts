import { randomBytes } from 'node:crypto'
import type { EmulatorReply } from '../route.ts'

// Every response is marked, so that it cannot be taken for one of a real model.
export const EMULATED_HEADERS = { 'x-emulated-by': 'surehand' }

export function emulatedName(model: string): string {
  return model.endsWith('-emulated') ? model : `${model}-emulated`
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A random id in a vendor's format. It must not repeat after a restart, because callers derive
 * idempotency keys from it.
 */
export function newId(prefix: string, length = 24): string {
  return prefix + [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** An error that is sent with a status and a body in the vendor's format. */
export class VendorError extends Error {
  readonly status: number
  readonly kind: string
  readonly param: string | undefined

  constructor(
    status: number,
    message: string,
    { kind = 'invalid_request_error', param }: { kind?: string; param?: string } = {},
  ) {
    super(message)
    this.status = status
    this.kind = kind
    this.param = param
  }
}

export type StreamEvent = { readonly event?: string; readonly data: unknown }

/** A response of server-sent events. Data that is a string is sent unchanged. */
export function eventStream(events: readonly StreamEvent[], lineEnd = '\n'): EmulatorReply {
  const body = events.map(({ event, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    return `${event === undefined ? '' : `event: ${event}${lineEnd}`}data: ${text}${lineEnd}${lineEnd}`
  })
  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', ...EMULATED_HEADERS },
    body: body.join(''),
  }
}

export function jsonReply(body: unknown, status = 200): EmulatorReply {
  return { status, headers: EMULATED_HEADERS, body }
}
