import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../../apps/server/src/app.ts'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import type { Caller, Outcome, Runtime, Tool } from '../../../core/src/index.ts'
import { type Clock, systemClock } from '../../../core/src/ports.ts'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { type RoundResults, runRounds } from '../harness/rounds.ts'
import { runSuite } from '../harness/run-suite.ts'
import { percentile } from '../harness/statistics.ts'
import { timeToolCall } from '../harness/time-tool-call.ts'
import { seedsFor } from './seeds.ts'

// The examples of the tools are written for this day.
const NOW = Date.parse('2026-01-15T08:00:00Z')

type Figures = { readonly times: readonly number[]; readonly problems: readonly string[] }

const options = readOptions({ rounds: 20 })
await runSuite('budgets', options, async ({ folder, startNoiseWatch }) => {
  const vaults = join(folder, 'vaults')
  mkdirSync(vaults)
  const config = await readConfig({
    env: { PERSONAL_VAULTS: vaults },
    folder,
    overrides: { data: folder, demo: true, logLevel: 'silent' },
  })
  const { runtime, close } = await createApp(config, { clock: clockAt(NOW) })
  try {
    const tools = chooseContenders(toolsWithExamples(runtime), options.only)
    console.log(
      `budgets: ${count(tools.length, 'tool')} on local providers and SQLite, ${count(options.rounds, 'round')}`,
    )
    const capabilities = [...new Set(tools.flatMap(({ contract }) => contract.capabilityNames))]
    startNoiseWatch()
    const results = await runRounds(tools, {
      rounds: options.rounds,
      // The warm-up loads modules and caches, whose cost is not that of a call.
      hasWarmUp: true,
      measure: (tool, round) => timeExamples(runtime, tool, callerFor(tool, round, capabilities)),
    })
    return reportOf(tools, results)
  } finally {
    await close()
  }
})

/** A tool that changes settings of the app comes last, so that it does not affect the others. */
function toolsWithExamples(runtime: Runtime): readonly Tool[] {
  return runtime
    .tools()
    .filter(({ examples }) => examples.length > 0)
    .toSorted(
      (one, other) =>
        Number(one.id === 'system.config_set') - Number(other.id === 'system.config_set'),
    )
}

function clockAt(atMs: number): Clock {
  const shiftMs = atMs - Date.now()
  return { ...systemClock(), now: () => Date.now() + shiftMs }
}

/** A new person for every tool and round, with the same data: limits count by person, and an example must not find what another one wrote. */
function callerFor(tool: Tool, round: number, capabilities: readonly string[]): Caller {
  const principal = `${tool.id}-${round}`
  return {
    tenant: 'demo',
    principal,
    actor: 'user',
    roles: ['user', 'power_user', 'admin'],
    capabilities,
    session: principal,
    timeZone: 'Europe/Berlin',
  }
}

async function timeExamples(runtime: Runtime, tool: Tool, caller: Caller): Promise<Figures> {
  const times: number[] = []
  const problems: string[] = []
  for (const seed of seedsFor(tool.id)) await timeToolCall(runtime, { ...seed, caller })
  for (const example of tool.examples) {
    const { [tool.keyField ?? '']: _, ...input } = example.input as Readonly<
      Record<string, unknown>
    >
    const { outcome, tookMs } = await timeToolCall(runtime, { tool: tool.id, input, caller })
    const problem = describeProblem(outcome)
    if (problem === undefined) times.push(tookMs)
    else problems.push(problem)
  }
  return { times, problems }
}

function describeProblem(outcome: Outcome): string | undefined {
  if (outcome.status === 'failed')
    return `${outcome.error.code}: ${outcome.error.message}`.slice(0, 90)
  return outcome.status === 'done' && outcome.degraded
    ? `degraded: ${outcome.warnings[0] ?? ''}`.slice(0, 90)
    : undefined
}

function reportOf(tools: readonly Tool[], { figuresOf, failures }: RoundResults<Figures>) {
  const rows = tools.map(({ id, contract }) => {
    const times = figuresOf(id).flatMap((figures) => figures.times)
    const [problem] = figuresOf(id).flatMap(({ problems }) => problems)
    const p95 = percentile(times, 0.95)
    const budget = contract.latencyBudgetMs
    const verdict = times.length === 0 ? 'not measured' : p95 > budget ? 'OVER' : 'within'
    return [
      id,
      formatMs(percentile(times, 0.5)),
      formatMs(p95),
      String(budget),
      verdict,
      failures.get(id)?.message ?? problem ?? '',
    ] as const
  })
  const countOf = (wanted: string) => rows.filter(([, , , , verdict]) => verdict === wanted).length
  return {
    sections: [
      {
        title: 'Latency budgets',
        table: {
          head: ['tool', 'p50 ms', 'p95 ms', 'budget ms', '', 'first problem'],
          rows,
          right: [1, 2, 3],
        },
        notes: [
          `${countOf('within')} within, ${countOf('OVER')} over, ${countOf('not measured')} not measured`,
        ],
      },
    ],
    hasFailed: countOf('OVER') > 0,
    childCpuMs: 0,
  }
}

function formatMs(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(value < 10 ? 1 : 0)
}
