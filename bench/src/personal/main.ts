import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import { createApp } from '../../../apps/server/src/app.ts'
import type { Caller } from '../../../core/src/index.ts'
import { watchNoise } from '../harness/noise.ts'
import { summarize } from '../harness/statistics.ts'
import { textTable } from '../harness/table.ts'
import { fillLife, LIFE } from './fill-life.ts'

const ROUNDS = 15
const ROOT = join(import.meta.dirname, '../../..')

const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = values.rounds === undefined ? ROUNDS : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)

/** What somebody does in a day, by what they would call it. */
const USES: readonly {
  readonly name: string
  readonly tool: string
  readonly input: (round: number) => object
}[] = [
  {
    name: 'write a task down',
    tool: 'task.capture',
    input: (round) => ({ text: `Call number ${round} tomorrow 5pm @phone !high` }),
  },
  { name: 'list open tasks', tool: 'task.list', input: () => ({ limit: 50 }) },
  { name: 'what is due', tool: 'task.list', input: () => ({ due_until: 'today', limit: 50 }) },
  { name: 'what next', tool: 'task.next', input: () => ({ energy: 'low', minutes: 30 }) },
  {
    name: 'find a task by words',
    tool: 'task.list',
    input: () => ({ text: 'number 777', limit: 20 }),
  },
  {
    name: 'complete a task',
    tool: 'task.complete',
    input: (round) => ({ task: `tsk_${50_006 + round * 10}` }),
  },
  { name: 'habits of today', tool: 'habit.today_plan', input: () => ({}) },
  { name: 'all habits with streaks', tool: 'habit.list', input: () => ({}) },
  { name: 'one habit, ten years', tool: 'habit.status', input: () => ({ habit_name: 'hab_0' }) },
  {
    name: 'patterns of a habit',
    tool: 'habit.analyze_patterns',
    input: () => ({ habit_name: 'hab_0' }),
  },
  {
    name: 'record a habit',
    tool: 'habit.record_completion',
    input: () => ({ habit_name: 'hab_1' }),
  },
  { name: 'projects by health', tool: 'project.list', input: () => ({ sort: 'health' }) },
  { name: 'one project', tool: 'project.status', input: () => ({ project_name: 'Project 7' }) },
  { name: 'plan the day', tool: 'time.plan_day', input: () => ({}) },
  { name: 'weekly review', tool: 'time.review_weekly', input: () => ({}) },
  { name: 'search notes', tool: 'knowledge.note_search', input: () => ({ query: 'lighthouse' }) },
  { name: 'why this task', tool: 'ai.explain_task_recommendation', input: () => ({}) },
]

const ANN: Caller = {
  tenant: 'demo',
  principal: 'ann',
  actor: 'user',
  roles: ['power_user', 'user'],
  capabilities: [],
  session: 's',
  timeZone: 'Europe/Berlin',
}
const BEA: Caller = { ...ANN, principal: 'bea', session: 't' }

const scratch = join(ROOT, '.bench')
mkdirSync(scratch, { recursive: true })
const data = mkdtempSync(join(scratch, 'personal-'))
const config = await readConfig({
  env: {},
  folder: data,
  said: { data, builtIn: ['personal'], home: 'demo', logLevel: 'silent' },
})
await (await createApp(config)).close()
console.log(
  `personal: filling ${LIFE.tasks} tasks, ${LIFE.habits} habits over ${LIFE.years} years, ${LIFE.projects} projects, ${LIFE.notes} notes`,
)
fillLife(join(data, 'surehand.db'), ANN, Date.now())
const house = await createApp(config)
// what was written past the tools has no streak counted yet: the first record of each habit counts it, and it is kept from then on
for (let habit = 0; habit < LIFE.habits; habit++)
  await timed(
    ANN,
    { name: '', tool: 'habit.record_completion', input: () => ({ habit_name: `hab_${habit}` }) },
    0,
  )
const endNoise = watchNoise(scratch)
type Times = { readonly full: number[]; readonly empty: number[]; trouble: string }
const times = new Map<string, Times>(
  USES.map(({ name }) => [name, { full: [], empty: [], trouble: '' }]),
)
for (let round = 0; round <= rounds; round++) {
  for (const use of USES) {
    const kept = times.get(use.name)
    const full = await timed(ANN, use, round)
    // whoever has nothing yet: what the same costs without data
    const empty = await timed(BEA, use, round)
    if (round > 0 && typeof full === 'number') kept?.full.push(full)
    if (round > 0 && typeof empty === 'number') kept?.empty.push(empty)
    if (typeof full === 'string' && kept !== undefined) kept.trouble = full
  }
  if (round > 0) console.log(`round ${round} of ${rounds}`)
}
const { load } = endNoise(0)
await house.close()
rmSync(data, { recursive: true })

const rows = USES.map(({ name, tool }) => {
  const { full, empty, trouble } = times.get(name) ?? { full: [], empty: [], trouble: '' }
  const budget = house.runtime.tools().find(({ id }) => id === tool)?.contract.latencyBudgetMs ?? 0
  if (full.length === 0) return [name, tool, '–', '–', '–', String(budget), trouble.slice(0, 60)]
  const most = percentile(full, 0.95)
  const bare = empty.length === 0 ? '–' : summarize(empty).median.toFixed(1)
  return [
    name,
    tool,
    summarize(full).median.toFixed(1),
    most.toFixed(1),
    bare,
    String(budget),
    most > budget ? 'OVER' : 'within',
  ]
})
console.log(
  textTable({
    head: ['what', 'tool', 'p50 ms', 'p95 ms', 'without data', 'budget', ''],
    rows,
    right: [2, 3, 4, 5],
  }),
)
console.log(`load ${load.map((one) => one.toFixed(2)).join(' ')}`)
if (rows.some((row) => row.at(-1) !== 'within')) process.exitCode = 1

async function timed(
  caller: Caller,
  { tool, input }: (typeof USES)[number],
  round: number,
): Promise<number | string> {
  const startedAt = performance.now()
  const outcome = await house.runtime.call({
    tool,
    input: input(round),
    caller,
    surface: 'bench',
    repeat: 'meant',
    idempotencyKey: crypto.randomUUID(),
  })
  const took = performance.now() - startedAt
  return outcome.status === 'done'
    ? took
    : outcome.status === 'failed'
      ? `${outcome.error.code} ${outcome.error.message}`
      : outcome.status
}

function percentile(all: readonly number[], share: number): number {
  const sorted = [...all].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
