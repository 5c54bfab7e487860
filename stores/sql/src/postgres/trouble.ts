import { isToolError } from '@surehand/core'
import pg from 'pg'

/** The server's own word on what went wrong, however deep it is wrapped. */
export function serverCode(thrown: unknown): string | undefined {
  let cause = thrown
  while (isToolError(cause)) cause = cause.cause
  return cause instanceof pg.DatabaseError ? cause.code : undefined
}

// 08: connection, 57P01..5: the server or an administrator ended the session
const ENDED = /^(?:08|57P0[1-5])/

/** Is the session lost? Then nobody knows what became of the statement under way. */
export function isLost(cause: unknown): boolean {
  const code = serverCode(cause)
  return code === undefined || ENDED.test(code)
}

// a deadlock or two that can't both go on: nothing happened, and another try may pass
const COLLISIONS: ReadonlySet<string | undefined> = new Set(['40P01', '40001'])

export function isCollision(thrown: unknown): boolean {
  return COLLISIONS.has(serverCode(thrown))
}

/** Was a lock waited for in vain? Then nothing happened. */
export function isLockTimeout(thrown: unknown): boolean {
  return serverCode(thrown) === '55P03'
}
