import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import { createApp } from '../../../apps/server/src/app.ts'
import type { Caller, Outcome, Tool } from '../../../core/src/index.ts'
import { type Clock, systemClock } from '../../../core/src/ports.ts'
import { watchNoise } from '../harness/noise.ts'
import { textTable } from '../harness/table.ts'
import { seedsFor } from './seeds.ts'

const ROUNDS = 20
// the examples are of this day
const NOW = Date.parse('2026-01-15T08:00:00Z')
const ROOT = join(import.meta.dirname, '../../..')

const { values } = parseArgs({ options: { rounds: { type: 'string' }, only: { type: 'string' } } })
const rounds = values.rounds === undefined ? ROUNDS : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)

type Measured = { readonly tool: Tool; readonly times: number[]; readonly troubles: string[] }

const scratch = join(ROOT, '.bench')
mkdirSync(scratch, { recursive: true })
const data = mkdtempSync(join(scratch, 'budgets-'))
const vaults = join(data, 'vaults')
mkdirSync(vaults)
const config = await readConfig({
  env: { PERSONAL_VAULTS: vaults },
  folder: data,
  said: { data, demo: true, logLevel: 'silent' },
})
const house = await createApp(config, { clock: clockAt(NOW) })
const endNoise = watchNoise(scratch)
// what changes the house's own settings comes last
const tools = house.runtime
  .tools()
  .filter(
    ({ id, examples }) =>
      examples.length > 0 && (values.only === undefined || id.startsWith(values.only)),
  )
  .toSorted(
    (one, other) =>
      Number(one.id === 'system.config_set') - Number(other.id === 'system.config_set'),
  )
const measured: readonly Measured[] = tools.map((tool) => ({ tool, times: [], troubles: [] }))
console.log(
  `budgets: ${tools.length} tools on local providers and SQLite, ${rounds} rounds, ${new Date().toISOString()}`,
)
// the first round warms up: what is loaded once is not what a call costs
for (let round = 0; round <= rounds; round++) {
  await runRound(round)
  if (round > 0) console.log(`round ${round} of ${rounds}`)
}
const { load } = endNoise(0)
await house.close()
rmSync(data, { recursive: true })

const rows = measured.map(({ tool, times, troubles }) => {
  const p95 = percentile(times, 0.95)
  const budget = tool.contract.latencyBudgetMs
  const verdict = times.length === 0 ? 'not measured' : p95 > budget ? 'OVER' : 'within'
  return {
    cells: [
      tool.id,
      ms(percentile(times, 0.5)),
      ms(p95),
      String(budget),
      verdict,
      troubles[0] ?? '',
    ],
    verdict,
    troubles,
  }
})
console.log(
  textTable({
    head: ['tool', 'p50 ms', 'p95 ms', 'budget ms', '', 'what stood in the way'],
    rows: rows.map(({ cells }) => cells),
    right: [1, 2, 3],
  }),
)
console.log(`load ${load.map((one) => one.toFixed(2)).join(' ')}`)
const over = rows.filter(({ verdict }) => verdict === 'OVER')
const unmeasured = rows.filter(({ verdict }) => verdict === 'not measured')
console.log(
  `${rows.length - over.length - unmeasured.length} within, ${over.length} over, ${unmeasured.length} not measured`,
)
if (over.length > 0) process.exitCode = 1

function clockAt(atMs: number): Clock {
  const shiftMs = atMs - Date.now()
  return { ...systemClock(), now: () => Date.now() + shiftMs }
}

/** Somebody new for every tool and round, with the same life: limits count by person, and one example's end is not another's beginning. */
async function runRound(round: number): Promise<void> {
  const capabilities = [...new Set(tools.flatMap(({ contract }) => contract.capabilityNames))]
  for (const one of measured) {
    const principal = `${one.tool.id}-${round}`
    const roles = ['user', 'power_user', 'admin']
    const caller: Caller = {
      tenant: 'demo',
      principal,
      actor: 'user',
      roles,
      capabilities,
      session: principal,
      timeZone: 'Europe/Berlin',
    }
    for (const { tool, input } of seedsFor(one.tool.id)) await call(tool, input, caller)
    for (const example of one.tool.examples) await time(one, example.input, { caller, round })
  }
}

function call(tool: string, input: unknown, caller: Caller): Promise<Outcome> {
  return house.runtime.call({
    tool,
    input,
    caller,
    surface: 'bench',
    repeat: 'meant',
    idempotencyKey: crypto.randomUUID(),
  })
}

async function time(
  { tool, times, troubles }: Measured,
  input: unknown,
  { caller, round }: { readonly caller: Caller; readonly round: number },
): Promise<void> {
  const { [tool.keyField ?? '']: _, ...given } = input as Readonly<Record<string, unknown>>
  const startedAt = performance.now()
  const outcome = await call(tool.id, given, caller)
  const took = performance.now() - startedAt
  const trouble = troubleOf(outcome)
  if (trouble !== undefined) troubles.push(trouble)
  else if (round > 0) times.push(took)
}

function troubleOf(outcome: Outcome): string | undefined {
  if (outcome.status === 'failed')
    return `${outcome.error.code}: ${outcome.error.message}`.slice(0, 90)
  return outcome.status === 'done' && outcome.degraded
    ? `degraded: ${outcome.warnings[0] ?? ''}`.slice(0, 90)
    : undefined
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

function ms(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(value < 10 ? 1 : 0)
}
