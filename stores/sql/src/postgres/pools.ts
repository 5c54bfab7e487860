import { randomBytes } from 'node:crypto'
import { ToolError } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import pg from 'pg'
import { withNul } from './nul.ts'

export type Pools = {
  /** A commit on this pool is durable when it returns. */
  readonly durable: pg.Pool
  /**
   * A commit on this pool returns at once and is on disk a moment later. Lock waits are short: a
   * claim behind another one fails quickly.
   */
  readonly lazy: pg.Pool
  /**
   * For pack code, durable: slow transactions wait for each other, and the ledger always finds a
   * free session.
   */
  readonly packs: pg.Pool
  /** The application name of our sessions on the server. */
  readonly sessionName: string
  readonly close: () => Promise<void>
}

/**
 * Nothing waits for ever: the server cancels statements that take too long, and the client closes
 * connections the server no longer answers.
 */
export const SETTINGS: Settings = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
}
const LAZY_LOCK_MS = 500
const ANSWER_MS = 40_000
const CONNECT_MS = 10_000

type Settings = Readonly<Record<string, string | number>>

/**
 * Three pools: whether a commit waits for the disk is a setting of the session, so that no
 * statement is needed for it.
 */
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
    // A connection that is lost while idle, or between two statements, must not end the process.
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

/** Options in the URL come after ours and override them. */
export function withSettings(url: string, settings: Settings): string {
  const parsed = URL.parse(url)
  // The URL is not part of the message, because it may contain a password.
  if (parsed === null)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', 'The address of the database is no url.')
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const theirs = parsed.searchParams.get('options')
  parsed.searchParams.set('options', [...ours, ...(theirs === null ? [] : [theirs])].join(' '))
  return parsed.href
}

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, OID } = pg.types.builtins
const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID])

const toNumber = (text: string): SqlValue => Number(text)
const toFlag = (text: string): SqlValue => (text === 't' ? 1 : 0)

/** A column's value as both databases give it: numbers and texts, and a truth as 1 or 0. */
export function columnType(type: number): (text: string) => SqlValue {
  if (NUMBERS.has(type)) return toNumber
  return type === BOOL ? toFlag : withNul
}
