import { isToolError } from '@surehand/core'
import pg from 'pg'

/** The server's own error, however deep it is wrapped. */
export function serverCode(thrown: unknown): string | undefined {
  let cause = thrown
  while (isToolError(cause)) cause = cause.cause
  return cause instanceof pg.DatabaseError ? cause.code : undefined
}

// 08: connection errors; 57P01 to 57P05: the server or an administrator ended the session.
const ENDED = /^(?:08|57P0[1-5])/

/** Whether the session is lost: then the result of the current statement is not known. */
export function isLost(cause: unknown): boolean {
  const code = serverCode(cause)
  return code === undefined || ENDED.test(code)
}

// A deadlock or a serialization failure: nothing happened, and another attempt may succeed.
const COLLISIONS: ReadonlySet<string | undefined> = new Set(['40P01', '40001'])

export function isCollision(thrown: unknown): boolean {
  return COLLISIONS.has(serverCode(thrown))
}

/** Whether a lock timeout occurred: then nothing happened. */
export function isLockTimeout(thrown: unknown): boolean {
  return serverCode(thrown) === '55P03'
}
