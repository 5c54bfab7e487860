import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANN, BOB, openPersonalWorld, type PersonalWorld } from '../../testing/personal-world.ts'
import type { Explanation } from './explanation.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
  await world.data('project.create', {
    name: 'Kitchen',
    description: 'PRIVATE-DESCRIPTION',
    priority: 'high',
    progress: 10,
    target_completion: '2026-01-20',
  })
  await world.data('project.update', { project_name: 'Kitchen', add_blocks: ['No water'] })
  await world.data('project.create', { name: 'Empty' })
  for (const [text, priority] of [
    ['Buy tiles', 'high'],
    ['Sort screws', 'low'],
  ] as const) {
    await world.data('task.capture', { text, notes: 'PRIVATE-NOTES' })
    await world.data('task.clarify', { task: text, to: 'next_action', priority })
  }
  await world.data('task.capture', { text: 'Think of something' })
  await world.data('habit.create', { name: 'Stretching', description: 'PRIVATE-DESCRIPTION' })
  for (const date of ['2026-01-11', '2026-01-12', '2026-01-14', '2026-01-15'])
    await world.data('habit.record_completion', {
      habit_name: 'Stretching',
      date,
      note: 'PRIVATE-NOTES',
    })
  await world.data('habit.create', { name: 'Singing' })
})
afterAll(() => world.close())

async function explain(tool: string, input: unknown): Promise<Explanation> {
  return (await world.data(tool, input)) as unknown as Explanation
}

const DECISION = {
  question: 'What first?',
  options: [
    { name: 'Kitchen', scores: { cost: 4, joy: 8 }, links: [{ kind: 'project', name: 'Kitchen' }] },
    { name: 'Rest', scores: { cost: 9 } },
  ],
  criteria: [
    { name: 'cost', weight: 1 },
    { name: 'joy', weight: 3 },
  ],
}
const SUBJECTS: readonly (readonly [command: string, tool: string, input: unknown])[] = [
  ['explain.task', 'ai.explain_task_recommendation', { task: 'tiles' }],
  ['explain.habit', 'ai.explain_habit_patterns', { habit_name: 'stretch' }],
  ['explain.project', 'ai.explain_project_health', { project_name: 'kitchen' }],
  ['explain.decision', 'ai.explain_decision_comparison', DECISION],
]

describe.each(SUBJECTS)('%s', (command, tool, input) => {
  test('is the command of its envelope, and a name it is called by', async () => {
    expect(await world.call(tool, input)).toMatchObject({ status: 'success', command })
    expect(await world.call(command, input)).toMatchObject({ status: 'success', command })
  })

  test('has factors that add up to its score, with weights that sum to 1', async () => {
    const { total_score, factors } = (await explain(tool, input)).factors
    expect(
      factors.reduce(
        (sum, { weighted_contribution }) => sum + Math.round(weighted_contribution * 1000),
        0,
      ),
    ).toBe(Math.round(total_score * 1000))
    expect(factors.reduce((sum, { weight }) => sum + Math.round(weight * 100), 0)).toBe(100)
  })

  test('names records that exist and belong to the person', async () => {
    const tables = {
      task: 'pm_tasks',
      habit: 'pm_habits',
      project: 'pm_projects',
      project_log: 'pm_project_log',
      deep_work: 'pm_deep_work',
    } as const
    for (const { kind, id } of (await explain(tool, input)).factors.factors.flatMap(
      ({ evidence }) => evidence,
    )) {
      if (kind === 'given') continue
      const found =
        kind === 'habit_record'
          ? await world.query(
              'select owner from pm_habit_records where habit_id = ? and day = ?',
              id.split('/')[0] ?? '',
              id.split('/')[1] ?? '',
            )
          : await world.query(`select owner from ${tables[kind]} where id = ?`, id)
      expect(found, `${kind} ${id}`).toEqual([{ owner: 'ann' }])
    }
  })

  test('returns no notes and no descriptions', async () => {
    expect(JSON.stringify(await explain(tool, input))).not.toContain('PRIVATE')
  })

  test('is refused when more confidence is requested than there is', async () => {
    expect(
      (await world.call(tool, { ...(input as object), min_confidence: 1 })).error,
    ).toMatchObject({
      code: 'TOOL_GATE_CLOSED',
      details: { source_code: 'EXPLAIN_LOW_CONFIDENCE', asked_for: 1 },
    })
  })

  test('numbers its steps', async () => {
    const { total_steps, steps } = (await explain(tool, input)).reasoning
    expect(steps.map(({ step }) => step)).toEqual(
      Array.from({ length: total_steps }, (_, index) => index + 1),
    )
  })
})

describe('errors of the Explain Protocol', () => {
  test.each([
    [
      'ai.explain_task_recommendation',
      { task: 'Fly to the moon' },
      'TOOL_RESOURCE_NOT_FOUND',
      'EXPLAIN_SUBJECT_NOT_FOUND',
    ],
    [
      'ai.explain_habit_patterns',
      { habit_name: 'Juggling' },
      'TOOL_RESOURCE_NOT_FOUND',
      'EXPLAIN_SUBJECT_NOT_FOUND',
    ],
    [
      'ai.explain_project_health',
      { project_name: 'Moonbase' },
      'TOOL_RESOURCE_NOT_FOUND',
      'EXPLAIN_SUBJECT_NOT_FOUND',
    ],
    [
      'ai.explain_habit_patterns',
      { habit_name: 'Singing' },
      'TOOL_INSUFFICIENT_DATA',
      'EXPLAIN_INSUFFICIENT_DATA',
    ],
    [
      'ai.explain_project_health',
      { project_name: 'Empty' },
      'TOOL_INSUFFICIENT_DATA',
      'EXPLAIN_INSUFFICIENT_DATA',
    ],
    ['ai.explain_time', {}, 'TOOL_INSUFFICIENT_DATA', 'EXPLAIN_INSUFFICIENT_DATA'],
  ])('%s %j is %s, %s', async (tool, input, code, source_code) => {
    expect((await world.call(tool, input)).error).toMatchObject({ code, details: { source_code } })
  })

  test('a completed task is not recommended', async () => {
    await world.data('task.capture', { text: 'Done already' })
    await world.data('task.complete', { task: 'Done already' })
    expect((await world.call('explain.task', { task: 'Done already' })).error).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      details: { source_code: 'EXPLAIN_UNSUPPORTED_TYPE', state: 'completed' },
    })
  })
})

describe('the content of an explanation', () => {
  test('a task that is not first names the one that is', async () => {
    const { recommendations, reasoning } = await explain('explain.task', { task: 'Sort screws' })
    expect(recommendations.primary_recommendation.action).toBe('Do "Buy tiles"')
    expect(reasoning.steps.at(-1)?.conclusion).toBe('"Sort screws" is number 2 of 2.')
  })

  test('the signal that lowers a project most is the first recommendation', async () => {
    const { recommendations, factors } = await explain('explain.project', {
      project_name: 'Kitchen',
    })
    const worst = [...factors.factors].sort(
      (one, other) => (10 - other.raw_score) * other.weight - (10 - one.raw_score) * one.weight,
    )[0]
    expect([worst?.id, recommendations.primary_recommendation.action]).toEqual([
      'blocked',
      'Remove the obstacles of "Kitchen"',
    ])
  })

  test('a decision without all scores is partial, and lists the missing ones', async () => {
    const { context } = await explain('explain.decision', DECISION)
    expect([context.is_partial, context.missing]).toEqual([
      true,
      ['joy of "Rest" has no score and counts as 5'],
    ])
  })

  test('a decision gives the weight at which it would change', async () => {
    const { comparison } = (await world.data('explain.decision', DECISION)) as unknown as {
      comparison: { winner: string; sensitivity: readonly { says: string }[] }
    }
    expect(comparison.winner).toBe('Kitchen')
    expect(comparison.sensitivity.map(({ says }) => says)).toContainEqual(
      expect.stringMatching(/^"Rest" wins if you weigh cost above 0\.\d+\.$/),
    )
  })

  test('a score for an unknown criterion is refused', async () => {
    const options = [...DECISION.options, { name: 'Sleep', scores: { beauty: 3 } }]
    expect((await world.call('explain.decision', { ...DECISION, options })).error).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      message: expect.stringContaining('"beauty"'),
    })
  })
})

describe('ai.recommend', () => {
  test('scores tasks, habits, projects and the inbox by the same factors, the most pressing first', async () => {
    const { recommendations, considered } = (await world.data('ai.recommend', {
      limit: 20,
    })) as unknown as {
      recommendations: readonly { rank: number; family: string; factors: { total_score: number } }[]
      considered: object
    }
    const scores = recommendations.map(({ factors }) => factors.total_score)
    expect(scores).toEqual([...scores].sort((one, other) => other - one))
    expect(new Set(recommendations.map(({ family }) => family))).toEqual(
      new Set(['task', 'habit', 'project', 'inbox']),
    )
    expect(considered).toEqual({ tasks: 2, habits: 2, projects: 2, inbox: 1 })
  })

  test('names tool calls that succeed', async () => {
    const { recommendations } = (await world.data('ai.recommend', { limit: 20 })) as unknown as {
      recommendations: readonly { call: { tool: string; input: unknown } }[]
    }
    for (const { call } of recommendations)
      expect(world.runtime.tools().map(({ id }) => id)).toContain(call.tool)
    const habit = recommendations.find(({ call }) => call.tool === 'habit.record_completion')
    expect((await world.call('habit.record_completion', habit?.call.input)).status).toBe('success')
  })

  test('says that there is nothing to do when nothing is open', async () => {
    expect(await world.data('ai.recommend', {}, BOB)).toMatchObject({
      recommendations: [],
      message: 'Nothing to do: no next action, habit, project or inbox item is open.',
      context: { is_partial: false },
    })
  })
})

test('the records of another person cannot be explained or linked', async () => {
  for (const [tool, input] of [
    ['explain.task', { task: 'Buy tiles' }],
    ['explain.habit', { habit_name: 'Stretching' }],
    ['explain.project', { project_name: 'Kitchen' }],
    ['explain.decision', DECISION],
  ] as const) {
    const answer = await world.call(tool, input, BOB)
    expect(answer.error, tool).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      details: { source_code: 'EXPLAIN_SUBJECT_NOT_FOUND' },
    })
  }
  expect((await world.call('explain.task', { task: 'Buy tiles' }, ANN)).status).toBe('success')
})
