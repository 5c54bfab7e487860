import { join } from 'node:path'
import { createApp } from '../../../apps/server/src/app.ts'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import type { Caller, Runtime } from '../../../core/src/index.ts'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { type RoundResults, runRounds } from '../harness/rounds.ts'
import { runSuite } from '../harness/run-suite.ts'
import { percentile, summarize } from '../harness/statistics.ts'
import { timeToolCall } from '../harness/time-tool-call.ts'
import { DATA_SIZE, fillDatabase } from './fill-database.ts'

type Use = {
  readonly id: string
  readonly tool: string
  readonly input: (round: number) => object
}

/** What a person does in a day, named as they would name it. */
const USES: readonly Use[] = [
  {
    id: 'write a task down',
    tool: 'task.capture',
    input: (round) => ({ text: `Call number ${round} tomorrow 5pm @phone !high` }),
  },
  { id: 'list open tasks', tool: 'task.list', input: () => ({ limit: 50 }) },
  { id: 'tasks due today', tool: 'task.list', input: () => ({ due_until: 'today', limit: 50 }) },
  { id: 'next task', tool: 'task.next', input: () => ({ energy: 'low', minutes: 30 }) },
  {
    id: 'find a task by words',
    tool: 'task.list',
    input: () => ({ text: 'number 777', limit: 20 }),
  },
  {
    id: 'complete a task',
    tool: 'task.complete',
    input: (round) => ({ task: `tsk_${50_006 + round * 10}` }),
  },
  { id: 'habits of today', tool: 'habit.today_plan', input: () => ({}) },
  { id: 'all habits with streaks', tool: 'habit.list', input: () => ({}) },
  { id: 'one habit, ten years', tool: 'habit.status', input: () => ({ habit_name: 'hab_0' }) },
  {
    id: 'patterns of a habit',
    tool: 'habit.analyze_patterns',
    input: () => ({ habit_name: 'hab_0' }),
  },
  {
    id: 'record a habit',
    tool: 'habit.record_completion',
    input: () => ({ habit_name: 'hab_1' }),
  },
  { id: 'projects by health', tool: 'project.list', input: () => ({ sort: 'health' }) },
  { id: 'one project', tool: 'project.status', input: () => ({ project_name: 'Project 7' }) },
  { id: 'plan the day', tool: 'time.plan_day', input: () => ({}) },
  { id: 'weekly review', tool: 'time.review_weekly', input: () => ({}) },
  { id: 'search notes', tool: 'knowledge.note_search', input: () => ({ query: 'lighthouse' }) },
  { id: 'why this task', tool: 'ai.explain_task_recommendation', input: () => ({}) },
]

const WITH_DATA: Caller = {
  tenant: 'demo',
  principal: 'ann',
  actor: 'user',
  roles: ['power_user', 'user'],
  capabilities: [],
  session: 's',
  timeZone: 'Europe/Berlin',
}
/** Shows what the same call costs without any data. */
const WITHOUT_DATA: Caller = { ...WITH_DATA, principal: 'bea', session: 't' }

/** Milliseconds, or why the call did not succeed. */
type Time = number | string
type Figures = { readonly full: Time; readonly empty: Time }

const options = readOptions({ rounds: 15 })
const uses = chooseContenders(USES, options.only)
await runSuite('personal', options, async ({ folder, startNoiseWatch }) => {
  const config = await readConfig({
    env: {},
    folder,
    overrides: { data: folder, builtIn: ['personal'], home: 'demo', logLevel: 'silent' },
  })
  // Creates the tables.
  await (await createApp(config)).close()
  console.log(
    `personal: filling in ${DATA_SIZE.tasks} tasks, ${DATA_SIZE.habits} habits over ${DATA_SIZE.years} years, ${DATA_SIZE.projects} projects, ${DATA_SIZE.notes} notes`,
  )
  fillDatabase(join(folder, 'surehand.db'), WITH_DATA, Date.now())
  const { runtime, close } = await createApp(config)
  try {
    await countStreaks(runtime)
    console.log(`personal: ${count(uses.length, 'use')}, ${count(options.rounds, 'round')}`)
    startNoiseWatch()
    const results = await runRounds(uses, {
      rounds: options.rounds,
      hasWarmUp: true,
      measure: async (use, round) => ({
        full: await timeUse(runtime, WITH_DATA, use, round),
        empty: await timeUse(runtime, WITHOUT_DATA, use, round),
      }),
    })
    return reportOf(runtime, results)
  } finally {
    await close()
  }
})

/** Rows written without the tools have no streak yet: the first record of each habit counts and stores it. */
async function countStreaks(runtime: Runtime): Promise<void> {
  for (let habit = 0; habit < DATA_SIZE.habits; habit++)
    await timeToolCall(runtime, {
      tool: 'habit.record_completion',
      input: { habit_name: `hab_${habit}` },
      caller: WITH_DATA,
    })
}

async function timeUse(
  runtime: Runtime,
  caller: Caller,
  { tool, input }: Use,
  round: number,
): Promise<Time> {
  const { outcome, tookMs } = await timeToolCall(runtime, { tool, input: input(round), caller })
  if (outcome.status === 'done') return tookMs
  return outcome.status === 'failed'
    ? `${outcome.error.code} ${outcome.error.message}`
    : outcome.status
}

function reportOf(runtime: Runtime, { figuresOf, failures }: RoundResults<Figures>) {
  const budgets = new Map(
    runtime.tools().map(({ id, contract }) => [id, contract.latencyBudgetMs] as const),
  )
  const rows = uses.map(({ id, tool }) => {
    const times = (of: keyof Figures) =>
      figuresOf(id).flatMap((figures) => (typeof figures[of] === 'number' ? [figures[of]] : []))
    const full = summarize(times('full'))
    const budget = budgets.get(tool) ?? 0
    const p95 = percentile(times('full'), 0.95)
    const problem =
      failures.get(id)?.message ??
      figuresOf(id).findLast((figures) => typeof figures.full === 'string')?.full
    return [
      id,
      tool,
      full?.median.toFixed(1) ?? '–',
      full === undefined ? '–' : p95.toFixed(1),
      full === undefined ? '–' : (summarize(times('empty'))?.median.toFixed(1) ?? '–'),
      String(budget),
      full === undefined ? String(problem ?? '').slice(0, 60) : p95 > budget ? 'OVER' : 'within',
    ]
  })
  return {
    sections: [
      {
        title: 'Everyday uses of the personal pack',
        table: {
          head: ['use', 'tool', 'p50 ms', 'p95 ms', 'without data', 'budget', ''],
          rows,
          right: [2, 3, 4, 5],
        },
      },
    ],
    hasFailed: rows.some((row) => row.at(-1) !== 'within'),
    childCpuMs: 0,
  }
}
