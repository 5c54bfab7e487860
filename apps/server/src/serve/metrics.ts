import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { CallMeasure, Telemetry } from '@surehand/core/ports'
import type { StrayError } from '../stray-errors.ts'

export type Metrics = {
  readonly telemetry: Telemetry
  /** Counts a request by its status. */
  readonly countRequest: (status: number) => void
  /** Counts a rejection or an exception that nothing caught. */
  readonly countStrayError: (stray: StrayError) => void
  /** The metrics in Prometheus's text format. */
  readonly text: () => string
  readonly close: () => void
}

// In seconds: from a cached read to a slow provider.
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
// Clients can invent tool names; without a limit, each would become a permanent series.
const MOST_SERIES = 10_000

type Times = { readonly counts: number[]; sum: number; count: number }

/** Creates the metrics. `isTool`: is there a tool of this name? All others are counted together. */
export function createMetrics(isTool: (id: string) => boolean): Metrics {
  const calls = new Map<string, number>()
  const overBudget = new Map<string, number>()
  const times = new Map<string, Times>()
  const requests = new Map<string, number>()
  const strays = new Map<string, number>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  function end(measure: CallMeasure): void {
    const tool = isTool(measure.tool) ? measure.tool : 'unknown'
    const { outcome, source, code, surface, durationMs, latencyBudgetMs } = measure
    // A surface may name the client too, which would make as many series as there are clients.
    const space = surface.indexOf(' ')
    const via = space < 0 ? surface : surface.slice(0, space)
    add(calls, `${tool}\0${outcome}\0${source}\0${code}\0${via}`)
    if (latencyBudgetMs > 0 && durationMs > latencyBudgetMs) add(overBudget, tool)
    observe(times, tool, durationMs / 1_000)
  }

  return {
    telemetry: { startCall: () => ({ end }) },
    countRequest: (status) => add(requests, String(status)),
    countStrayError: ({ kind, callId }) =>
      add(strays, `${kind}\0${callId === undefined ? 'unknown' : 'call'}`),
    text: () =>
      [
        ...counter(
          'surehand_calls_total',
          'Calls by tool and outcome.',
          label(calls, ['tool', 'outcome', 'source', 'code', 'surface']),
        ),
        ...counter(
          'surehand_calls_over_budget_total',
          "Calls slower than their tool's latency budget.",
          label(overBudget, ['tool']),
        ),
        ...histogram(
          'surehand_call_duration_seconds',
          'Duration of calls.',
          label(times, ['tool']),
        ),
        ...counter(
          'surehand_http_requests_total',
          'HTTP requests by status.',
          label(requests, ['status']),
        ),
        ...counter(
          'surehand_stray_errors_total',
          'Rejections and exceptions that nothing caught, of calls or of unknown source.',
          label(strays, ['kind', 'source']),
        ),
        ...gauge(
          'surehand_event_loop_delay_p99_seconds',
          'Event loop delay (99th percentile).',
          delay.percentile(99) / 1e9,
        ),
        ...gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
        ...counter('process_cpu_seconds_total', 'CPU time used.', new Map([['', cpuSeconds()]])),
        ...gauge('process_uptime_seconds', 'Time since the process started.', process.uptime()),
        '',
      ].join('\n'),
    close: () => delay.disable(),
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function add(series: Map<string, number>, key: string): void {
  const before = series.get(key)
  if (before !== undefined || series.size < MOST_SERIES) series.set(key, (before ?? 0) + 1)
}

function observe(series: Map<string, Times>, key: string, seconds: number): void {
  const known = series.get(key)
  if (known === undefined && series.size >= MOST_SERIES) return
  const at = known ?? { counts: BOUNDS.map(() => 0), sum: 0, count: 0 }
  series.set(key, at)
  const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
  if (bucket >= 0) at.counts[bucket] = (at.counts[bucket] ?? 0) + 1
  at.sum += seconds
  at.count++
}

/**
 * The series under their labels. They are counted under the bare values: escaping these in every
 * call costs more than counting it.
 */
function label<V>(
  series: ReadonlyMap<string, V>,
  names: readonly string[],
): ReadonlyMap<string, V> {
  const labels = (key: string): string =>
    key
      .split('\0')
      .map((value, index) => `${names[index]}="${escapeLabel(value)}"`)
      .join(',')
  return new Map([...series].map(([key, value]) => [labels(key), value]))
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function counter(name: string, help: string, series: ReadonlyMap<string, number>): string[] {
  return [
    ...head(name, help, 'counter'),
    ...[...series].map(([key, value]) => `${name}${key === '' ? '' : `{${key}}`} ${value}`),
  ]
}

function gauge(name: string, help: string, value: number): string[] {
  return [...head(name, help, 'gauge'), `${name} ${value}`]
}

function histogram(name: string, help: string, series: ReadonlyMap<string, Times>): string[] {
  return [
    ...head(name, help, 'histogram'),
    ...[...series].flatMap(([key, times]) => buckets(name, key, times)),
  ]
}

function buckets(name: string, key: string, { counts, sum, count }: Times): string[] {
  let below = 0
  const lines = BOUNDS.map((bound, index) => {
    below += counts[index] ?? 0
    return `${name}_bucket{${key},le="${bound}"} ${below}`
  })
  return [
    ...lines,
    `${name}_bucket{${key},le="+Inf"} ${count}`,
    `${name}_sum{${key}} ${sum}`,
    `${name}_count{${key}} ${count}`,
  ]
}
