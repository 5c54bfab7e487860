import { randomBytes } from 'node:crypto'
import { ToolError } from '@surehand/core'
import pg from 'pg'
import { columnType } from './column-type.ts'

export type Pools = {
  /** A commit here is on disk when it is answered. */
  readonly durable: pg.Pool
  /** A commit here is answered at once and on disk a moment later. Nobody waits long for a lock: a claim behind another is told so. */
  readonly lazy: pg.Pool
  /** For what packs do, as durable: slow ones wait for each other, and the ledger always finds a session. */
  readonly packs: pg.Pool
  /** By this name the server knows our sessions. */
  readonly sessionName: string
  readonly close: () => Promise<void>
}

/** Nothing waits for ever: the server ends what takes too long, and we end what the server no longer answers. */
export const SETTINGS: Settings = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
}
const LAZY_LOCK_MS = 500
const ANSWER_MS = 40_000
const CONNECT_MS = 10_000

type Settings = Readonly<Record<string, string | number>>

/** Sessions of our own, in three kinds: whether a commit waits for the disk is a session's setting, so that no statement is spent on it. */
export function openPools(url: string, size: number): Pools {
  const sessionName = `surehand-${randomBytes(6).toString('hex')}`
  const open = (max: number, settings: Settings) => {
    const pool = new pg.Pool({
      connectionString: withSettings(url, settings),
      application_name: sessionName,
      max,
      pipeline: true,
      types: { getTypeParser: columnType },
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      idleTimeoutMillis: 60_000,
    })
    // a connection that is lost while nobody uses it, or between two statements, must not end the process
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  }
  const durable = open(size, { ...SETTINGS, synchronous_commit: 'on' })
  const lazy = open(Math.max(2, Math.ceil(size / 2)), {
    ...SETTINGS,
    lock_timeout: LAZY_LOCK_MS,
    synchronous_commit: 'off',
  })
  const packs = open(size, { ...SETTINGS, synchronous_commit: 'on' })
  return {
    durable,
    lazy,
    packs,
    sessionName,
    async close() {
      await Promise.all([durable.end(), lazy.end(), packs.end()])
    },
  }
}

/** What the url asks for itself stands behind ours, and so has the last word. */
export function withSettings(url: string, settings: Settings): string {
  const parsed = URL.parse(url)
  // the url itself is not told: it may hold a password
  if (parsed === null)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', 'The address of the database is no url.')
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const theirs = parsed.searchParams.get('options')
  parsed.searchParams.set('options', [...ours, ...(theirs === null ? [] : [theirs])].join(' '))
  return parsed.href
}
