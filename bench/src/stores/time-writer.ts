import { percentile } from '../harness/statistics.ts'
import type { OpenWriter, Writer } from './writer.ts'

export type WriterFigures = {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time per call of this process alone, all its threads. */
  readonly cpuUs: number
}

export const WARM_UP = { leastMs: 1_000, leastCalls: 15_000, mostMs: 5_000 }
export const TIMED_MS = 3_000

/** Warms up, checks and times a writer. Every call that it reported as written must be in the database afterwards. */
export async function timeWriter(
  open: OpenWriter,
  place: string,
  callers: number,
): Promise<WriterFigures> {
  const writer = await open(place)
  const warm = await driveCallers(writer, callers, { ...WARM_UP, firstSerial: 1 })
  if ((await writer.countCalls()) !== warm.calls)
    throw new Error(`the database has ${await writer.countCalls()} of ${warm.calls} calls`)
  await writer.check()
  const checked = (await writer.countCalls()) - warm.calls
  const before = process.cpuUsage()
  const timed = await driveCallers(writer, callers, {
    leastMs: TIMED_MS,
    leastCalls: 0,
    mostMs: TIMED_MS,
    firstSerial: warm.calls + 1,
  })
  const { user, system } = process.cpuUsage(before)
  const stored = (await writer.countCalls()) - warm.calls - checked
  if (stored !== timed.calls)
    throw new Error(`the database has ${stored} of ${timed.calls} timed calls`)
  await writer.close()
  return {
    rate: timed.calls / timed.seconds,
    p50Ms: percentile(timed.latenciesMs, 0.5),
    p99Ms: percentile(timed.latenciesMs, 0.99),
    cpuUs: (user + system) / timed.calls,
  }
}

type Driven = {
  readonly calls: number
  readonly seconds: number
  readonly latenciesMs: readonly number[]
}

type Span = {
  readonly firstSerial: number
  readonly leastMs: number
  /** Code is compiled by the number of calls, however slow the disk is. */
  readonly leastCalls: number
  readonly mostMs: number
}

/** Runs concurrent callers, each with one call in flight; every call has the next serial. */
async function driveCallers(
  writer: Writer,
  callers: number,
  { firstSerial, leastMs, leastCalls, mostMs }: Span,
): Promise<Driven> {
  const latencies: number[] = []
  const startedAt = performance.now()
  let serial = firstSerial
  const isEnough = (ms: number): boolean =>
    ms >= mostMs || (ms >= leastMs && latencies.length >= leastCalls)
  const caller = async (): Promise<void> => {
    for (let now = startedAt; !isEnough(now - startedAt); ) {
      await writer.write(serial++)
      const answeredAt = performance.now()
      latencies.push(answeredAt - now)
      now = answeredAt
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - startedAt) / 1000
  return { calls: latencies.length, seconds, latenciesMs: latencies }
}
