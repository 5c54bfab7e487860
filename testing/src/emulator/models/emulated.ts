import { randomBytes } from 'node:crypto'
import type { EmulatorReply } from '../route.ts'

// every answer says what it is: nobody may take it for a model's word
export const EMULATED_HEADERS = { 'x-emulated-by': 'surehand' }

export function emulatedName(model: string): string {
  return model.endsWith('-emulated') ? model : `${model}-emulated`
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An id of a vendor's look. Never the same twice, over restarts too: callers make keys of it. */
export function newId(prefix: string, length = 24): string {
  return prefix + [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** A trouble that a vendor answers with a status and a body of its own. */
export class VendorRefusal extends Error {
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

/** Server-sent events; data that is a text is sent as it is. */
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
