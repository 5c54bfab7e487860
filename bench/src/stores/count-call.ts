import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { COMMITS_CHANNEL, type CommitKind } from './commits-channel.ts'
import type { OpenWriter, Writer } from './writer.ts'

type SentCounts = { readonly statements: number; readonly roundTrips: number }

/** Commits and messages of one call while there is only one caller. Commits are those of write transactions. */
export type CallCounts = {
  readonly durableCommits: number
  /** Commits that did not wait for the disk. PostgreSQL does not count them. */
  readonly lazyCommits: number | undefined
  /** Undefined on SQLite, where the writer is a thread of the same process. */
  readonly sent: SentCounts | undefined
}

const CALLS = 50

// The first calls prepare the statements and load the policies.
async function openWarm(open: OpenWriter, place: string): Promise<Writer> {
  const writer = await open(place)
  for (let serial = 1; serial <= 5; serial++) await writer.write(serial)
  return writer
}

async function writeOneByOne(writer: Writer): Promise<void> {
  for (let serial = 100; serial < 100 + CALLS; serial++) await writer.write(serial)
}

// Messages from other threads arrive a moment later.
const MESSAGE_DELAY_MS = 300

/** Counts the commits of every thread as `report-commits.ts` reports them, with which this process was started. */
export async function countOnSqlite(open: OpenWriter, file: string): Promise<CallCounts> {
  const writer = await openWarm(open, file)
  await pause(MESSAGE_DELAY_MS)
  const totals: Record<CommitKind, number> = { durable: 0, lazy: 0 }
  const channel = new BroadcastChannel(COMMITS_CHANNEL)
  channel.onmessage = (event) => {
    // Only report-commits.ts sends to this channel.
    totals[(event as { readonly data: CommitKind }).data] += 1
  }
  await writeOneByOne(writer)
  await pause(MESSAGE_DELAY_MS)
  channel.close()
  await writer.close()
  return {
    durableCommits: totals.durable / CALLS,
    lazyCommits: totals.lazy / CALLS,
    sent: undefined,
  }
}

// A session updates its statistics at most once a second, at the end of a statement.
const STATISTICS_MS = 1_200
const WAL_SYNCS = `select coalesce(sum(fsyncs), 0) as syncs from pg_stat_io
  where object = 'wal' and context = 'normal' and backend_type = 'client backend'`

/** Counts statements and round trips at the driver, and durable commits by the server's statistics of log flushes. */
export async function countOnPostgres(open: OpenWriter, url: string): Promise<CallCounts> {
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  const writer = await openWarm(open, url)
  let serial = 50
  const syncs = async (): Promise<number> => {
    await pause(STATISTICS_MS)
    // The first statement of a call makes each session report everything before it.
    await writer.write(serial++)
    return Number((await observer.query<{ readonly syncs: string }>(WAL_SYNCS)).rows[0]?.syncs)
  }
  const before = await syncs()
  const counted = countSentStatements()
  await writeOneByOne(writer)
  const { statements, roundTrips } = counted.stop()
  const after = await syncs()
  await writer.close()
  await observer.end()
  return {
    // One of the calls was made by `syncs` to update the statistics.
    durableCommits: (after - before) / (CALLS + 1),
    lazyCommits: undefined,
    sent: { statements: statements / CALLS, roundTrips: roundTrips / CALLS },
  }
}

/** Counts the statements that every client of this process sends from now on. One sent while another is unanswered shares its round trip. */
function countSentStatements(): { readonly stop: () => SentCounts } {
  const totals = { statements: 0, roundTrips: 0 }
  const unanswered = new WeakMap<pg.Client, number>()
  // The type is erased because `query` has a dozen forms; all arguments are passed on unchanged.
  const prototype = pg.Client.prototype as unknown as {
    query: (this: pg.Client, ...given: unknown[]) => unknown
  }
  const { query } = prototype

  prototype.query = function (...given) {
    const waiting = unanswered.get(this) ?? 0
    totals.statements += 1
    if (waiting === 0) totals.roundTrips += 1
    unanswered.set(this, waiting + 1)
    const answered = query.apply(this, given)
    const settle = () => unanswered.set(this, (unanswered.get(this) ?? 1) - 1)
    if (answered instanceof Promise) answered.then(settle, settle)
    else throw new Error('a query that returns no promise cannot be counted')
    return answered
  }

  return {
    stop() {
      prototype.query = query
      return totals
    },
  }
}
