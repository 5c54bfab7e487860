import { driveCallers, percentile } from './drive-callers.ts'
import type { OpenWriter } from './writer.ts'

export type WriterFigures = {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of this process alone, all its threads. */
  readonly cpuUs: number
}

export const WARM_UP = { leastMs: 1_000, leastCalls: 15_000, mostMs: 5_000 }
export const TIMED_MS = 3_000

/** Checks, warms up and times a writer; every call it was told about must be in the database afterwards. */
export async function timeWriter(
  open: OpenWriter,
  place: string,
  callers: number,
): Promise<WriterFigures> {
  const writer = await open(place)
  const warm = await driveCallers(writer, callers, { ...WARM_UP, firstSerial: 1 })
  if ((await writer.kept()) !== warm.calls)
    throw new Error(`of ${warm.calls} calls ${await writer.kept()} are kept`)
  await writer.check()
  const checked = (await writer.kept()) - warm.calls
  const before = process.cpuUsage()
  const timed = await driveCallers(writer, callers, {
    leastMs: TIMED_MS,
    leastCalls: 0,
    mostMs: TIMED_MS,
    firstSerial: warm.calls + 1,
  })
  const { user, system } = process.cpuUsage(before)
  const kept = (await writer.kept()) - warm.calls - checked
  if (kept !== timed.calls) throw new Error(`of ${timed.calls} timed calls ${kept} are kept`)
  await writer.close()
  return {
    rate: timed.calls / timed.seconds,
    p50Ms: percentile(timed.latenciesMs, 0.5),
    p99Ms: percentile(timed.latenciesMs, 0.99),
    cpuUs: (user + system) / timed.calls,
  }
}
