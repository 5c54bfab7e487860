const UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

type Unit = keyof typeof UNITS_MS

/**
 * A length of time: a decimal number and its unit, ms, s, m, h or d.
 *
 * @example
 * const timeouts: Duration[] = ['250ms', '1.5s', '15m']
 */
export type Duration = `${number}${Unit}`

// the type lets `1e3s`, `-5m` and `0x10h` through: this is what a string must look like to mean one
// thing only
const SPELLING = /^(?<count>\d+(?:\.\d+)?)(?<unit>ms|s|m|h|d)$/

/** A duration in whole milliseconds, at least one. */
export function toMs(duration: Duration): number {
  const parts = SPELLING.exec(duration)?.groups
  if (!parts) throw refusal(duration, 'is not a number with a unit')

  const ms = Math.round(Number(parts.count) * UNITS_MS[parts.unit as Unit])
  if (ms === 0) throw refusal(duration, 'is no time at all')
  if (!Number.isSafeInteger(ms)) throw refusal(duration, 'is too long to count in milliseconds')
  return ms
}

function refusal(duration: unknown, trouble: string): TypeError {
  return new TypeError(
    `The duration ${JSON.stringify(duration)} ${trouble}. Write a positive number and one of ms, s, m, h, d: "250ms", "1.5s", "15m".`,
  )
}
