import { STATUS_CODES } from 'node:http'
import type { StraightAnswer } from './straight-way.ts'

/** What comes behind it on this connection. */
export type Then = 'keep-alive' | 'close'

/** `keepAliveSeconds`: 0 is for ever, and not told. */
export type Told = { readonly then: Then; readonly keepAliveSeconds: number; readonly date: string }

// anything else could begin a line of its own
const VALUE = /^[\t\x20-\x7e]*$/

/** An answer in one piece, with the headers that Node's server adds to each. */
export function answerText(
  { status, headers, text }: StraightAnswer,
  { then, keepAliveSeconds, date }: Told,
): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!VALUE.test(value)) throw new TypeError(`The header ${name} holds what no header may.`)
    if (name !== 'connection') head += `${name}: ${value}\r\n`
  }
  const kept =
    keepAliveSeconds === 0
      ? 'Connection: keep-alive'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`
  const after = then === 'close' ? 'Connection: close' : kept
  return `${head}Date: ${date}\r\n${after}\r\n\r\n${text}`
}

/** The time as headers have it; made anew once a second. */
export function createDateText(): () => string {
  let second = Number.NaN
  let text = ''
  return () => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) text = new Date(now * 1_000).toUTCString()
    second = now
    return text
  }
}
