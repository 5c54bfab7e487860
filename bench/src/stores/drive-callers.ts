import type { Writer } from './writer.ts'

export type Driven = {
  readonly calls: number
  readonly seconds: number
  readonly latenciesMs: Float64Array
}

export type Span = {
  readonly firstSerial: number
  readonly leastMs: number
  /** For code that is compiled after so many calls, however slow the disk is. */
  readonly leastCalls: number
  readonly mostMs: number
}

/** So many callers, each with one call under way, until it is enough; serials go up from the first one. */
export async function driveCallers(
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
  return { calls: latencies.length, seconds, latenciesMs: Float64Array.from(latencies).sort() }
}

/** Of sorted values the one that so large a share is not above. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
