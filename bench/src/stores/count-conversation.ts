import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { COMMITS_CHANNEL, type Committed } from './committed.ts'
import { countSent } from './count-sent.ts'
import type { OpenWriter, Writer } from './writer.ts'

/** What one call of a lone caller costs. Commits are those of write transactions. */
export type Conversation = {
  readonly durableCommits: number
  /** Not waited for. On PostgreSQL nobody counts them. */
  readonly lazyCommits: number | undefined
  /** On SQLite there are none: the writer is a thread of the same process. */
  readonly sent: { readonly statements: number; readonly roundTrips: number } | undefined
}

const CALLS = 50

// statements are prepared and policies loaded with the first
async function openWarm(open: OpenWriter, place: string): Promise<Writer> {
  const writer = await open(place)
  for (let serial = 1; serial <= 5; serial++) await writer.write(serial)
  return writer
}

async function writeOneByOne(writer: Writer): Promise<void> {
  for (let serial = 100; serial < 100 + CALLS; serial++) await writer.write(serial)
}

// a message from another thread comes a moment later
const TOLD_MS = 300

/** Commits of every thread, as `tell-commits.ts` tells them: this process was started with it. */
export async function countOnSqlite(open: OpenWriter, file: string): Promise<Conversation> {
  const writer = await openWarm(open, file)
  await pause(TOLD_MS)
  const totals: Record<Committed, number> = { durable: 0, lazy: 0 }
  const channel = new BroadcastChannel(COMMITS_CHANNEL)
  channel.onmessage = (event) => {
    // erased: nobody else speaks there
    totals[(event as { readonly data: Committed }).data] += 1
  }
  await writeOneByOne(writer)
  await pause(TOLD_MS)
  channel.close()
  await writer.close()
  return {
    durableCommits: totals.durable / CALLS,
    lazyCommits: totals.lazy / CALLS,
    sent: undefined,
  }
}

// a session tells what it did at most once a second, when a statement ends
const STATISTICS_MS = 1_200
const WAL_SYNCS = `select coalesce(sum(fsyncs), 0) as syncs from pg_stat_io
  where object = 'wal' and context = 'normal' and backend_type = 'client backend'`

/** Statements and round trips as the driver sends them; durable commits as the server counts how often its sessions flush. */
export async function countOnPostgres(open: OpenWriter, url: string): Promise<Conversation> {
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  const writer = await openWarm(open, url)
  let looks = 50
  const syncs = async (): Promise<number> => {
    await pause(STATISTICS_MS)
    // the first statement of a call makes each session tell of all that was before it
    await writer.write(looks++)
    return Number((await observer.query<{ readonly syncs: string }>(WAL_SYNCS)).rows[0]?.syncs)
  }
  const before = await syncs()
  const counted = countSent()
  await writeOneByOne(writer)
  const { statements, roundTrips } = counted.stop()
  const after = await syncs()
  await writer.close()
  await observer.end()
  return {
    // what was written in order to look is among them, once
    durableCommits: (after - before) / (CALLS + 1),
    lazyCommits: undefined,
    sent: { statements: statements / CALLS, roundTrips: roundTrips / CALLS },
  }
}
