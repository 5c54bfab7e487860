import { ratio, summaryOf } from './results.ts'
import type { Results } from './rounds.ts'

export type Judged = {
  readonly promise: string
  readonly verdict: 'pass' | 'miss' | 'not measured'
  readonly measured: string
  /** The same by the CPU's clock, which a busy machine does not stretch. The verdict is the wall clock's. */
  readonly byCpu: string
}

/** The making alone; with imports and reading; or from the start of the process. */
type Part = 'make' | 'beyond' | 'whole'

const TIMES = 2
const CACHED_MS = 30
const COLD_MS = 300

/** The promises of PERFORMANCE.md "Documents and start", and of document 003. */
export function judge(results: Results): readonly Judged[] {
  return [
    times(results, 'make', { document: 'github', promise: 'GitHub, text to tools' }),
    times(results, 'beyond', { document: 'github', promise: 'GitHub, with imports and reading' }),
    times(results, 'make', { document: 'stripe', promise: 'Stripe, text to tools' }),
    times(results, 'beyond', { document: 'stripe', promise: 'Stripe, with imports and reading' }),
    within(results, 'github-cached', {
      promise: "GitHub from the cache, beyond Node's start",
      part: 'beyond',
      mostMs: CACHED_MS,
    }),
    within(results, 'stripe-cached', {
      promise: "Stripe from the cache, beyond Node's start",
      part: 'beyond',
      mostMs: CACHED_MS,
    }),
    within(results, 'cut-surehand', {
      promise: '200 operations cold, text to tools',
      part: 'make',
      mostMs: COLD_MS,
    }),
    within(results, 'cut-surehand', {
      promise: '200 operations cold, the whole process',
      part: 'whole',
      mostMs: COLD_MS,
    }),
    within(results, 'cut-sources', {
      promise: '200 operations cold, the whole process from sources',
      part: 'whole',
      mostMs: COLD_MS,
    }),
  ]
}

type Beside = { readonly document: string; readonly promise: string }

function times(results: Results, part: Part, { document, promise }: Beside): Judged {
  const pair = { of: `${document}-surehand`, than: `${document}-json` }
  const found = ratio(results, `${part}Ms`, pair)
  const byCpu = ratio(results, `${part}CpuMs`, pair)
  const shown = (value: number | undefined): string =>
    value === undefined ? '–' : `${value.toFixed(2)} ×`
  return {
    promise: `${promise} ≤ ${TIMES} × JSON.parse`,
    verdict: verdictOf(found, TIMES),
    measured: shown(found),
    byCpu: shown(byCpu),
  }
}

type Limit = { readonly promise: string; readonly part: Part; readonly mostMs: number }

function within(results: Results, id: string, { promise, part, mostMs }: Limit): Judged {
  const found = summaryOf(results, id, `${part}Ms`)?.median
  const byCpu = summaryOf(results, id, `${part}CpuMs`)?.median
  const shown = (value: number | undefined): string =>
    value === undefined ? '–' : `${value.toFixed(0)} ms`
  return {
    promise: `${promise} ≤ ${mostMs} ms`,
    verdict: verdictOf(found, mostMs),
    measured: shown(found),
    byCpu: shown(byCpu),
  }
}

function verdictOf(found: number | undefined, most: number): Judged['verdict'] {
  if (found === undefined) return 'not measured'
  return found <= most ? 'pass' : 'miss'
}
