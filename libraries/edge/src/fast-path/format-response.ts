import { STATUS_CODES } from 'node:http'
import type { FastPathResponse } from './fast-path.ts'

/** What happens to the connection after the response. */
export type AfterResponse = 'keep-alive' | 'close'

export type ConnectionHeaders = {
  readonly after: AfterResponse
  /** 0 means without limit; it is not sent then. */
  readonly keepAliveSeconds: number
  readonly date: string
}

// A line break in a value would start a header of its own.
const VALUE = /^[\t\x20-\x7e]*$/

/** A response as one text, with the headers that Node's server adds to each response. */
export function formatResponse(
  { status, headers, text }: FastPathResponse,
  { after, keepAliveSeconds, date }: ConnectionHeaders,
): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!VALUE.test(value))
      throw new TypeError(
        `The value of the header ${name} contains characters that are not allowed.`,
      )
    if (name !== 'connection') head += `${name}: ${value}\r\n`
  }
  const keepAlive =
    keepAliveSeconds === 0
      ? 'Connection: keep-alive'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`
  return `${head}Date: ${date}\r\n${after === 'close' ? 'Connection: close' : keepAlive}\r\n\r\n${text}`
}

/** The current time as the Date header has it, formatted once a second. */
export function createHttpDate(): () => string {
  let second = Number.NaN
  let text = ''
  return () => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) text = new Date(now * 1_000).toUTCString()
    second = now
    return text
  }
}
