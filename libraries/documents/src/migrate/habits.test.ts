import { fakeClock } from '@surehand/conformance'
import type { Caller } from '@surehand/core'
import {
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Tool,
  ToolError,
  toEnvelope,
} from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineMigration } from './define-migration.ts'
import type { MigrationStrategy, V2ToolRequest } from './documents.ts'
import { createV1Adapter, fromV1Function, toV1Function, type V1Answer } from './v1-adapter.ts'

const caller: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['habit.write'],
  session: 's1',
}
const clock = fakeClock(Date.parse('2026-01-15T08:30:00Z'))

// document 004, "Example Tool Definition: Habit Creation"
const input = z.object({
  name: z.string().min(1).max(200),
  category: z
    .enum(['health', 'learning', 'productivity', 'mindfulness', 'social', 'creative', 'other'])
    .default('other'),
  frequency: z.enum(['daily', 'weekly', 'monthly']).default('daily'),
  difficulty: z.enum(['tiny', 'easy', 'medium', 'hard']).default('easy'),
  description: z.string().max(1000).optional(),
  cue: z.string().max(500).optional(),
  routine: z.string().max(500).optional(),
  reward: z.string().max(500).optional(),
  target_duration: z.int().min(1).max(480).optional(),
  reminder_time: z
    .string()
    .regex(/^\d{2}:\d{2}$/)
    .optional(),
})
const output = z.object({
  habit_info: z.object({
    id: z.string(),
    name: z.string(),
    category: z.string(),
    frequency: z.string(),
    difficulty: z.string(),
    created_at: z.string(),
  }),
})
const described = {
  id: 'habit.create',
  title: 'Create Habit',
  category: 'habit_management',
  version: '2.0.0',
  description: 'Create a new habit with specified parameters',
  input,
  output,
  contract: {
    effect: 'writes.habit',
    reversible: true,
    idempotency: 'caller',
    permissions: { capabilities: ['habit.write'] },
  },
} as const

function runtimeOf(tool: Tool) {
  const runtime = createRuntime({
    packs: [definePack({ name: 'personal', tools: [tool] })],
    stores: memoryStores({ clock }),
    clock,
  })
  return async (request: V2ToolRequest, by: Caller) =>
    toEnvelope(await runtime.call({ ...request, caller: by, surface: 'v1' }))
}

describe('a v1 call of a habit function is served by a v2 tool', () => {
  /**
   * v1 spelled a habit in its own way: a title, a numbered difficulty, minutes as text, a schedule,
   * words in capitals.
   */
  const strategy: MigrationStrategy = {
    migration_version: '1.0_to_2.0',
    field_mappings: [
      { v1_field: 'title', v2_field: 'name', transformation: 'trim', required_in_v2: true },
      {
        v1_field: 'level',
        v2_field: 'difficulty',
        transformation: 'map:[[1,"tiny"],[2,"easy"],[3,"medium"],[4,"hard"]]',
        required_in_v2: false,
      },
      {
        v1_field: 'minutes',
        v2_field: 'target_duration',
        transformation: 'to_number',
        required_in_v2: false,
      },
      { v1_field: 'schedule.time', v2_field: 'reminder_time', required_in_v2: false },
      {
        v1_field: 'schedule.every',
        v2_field: 'frequency',
        transformation: 'map:{"day":"daily","week":"weekly"}',
        required_in_v2: false,
      },
      { v1_field: 'habit_id', v2_field: 'habit_info.id', required_in_v2: false },
      { v1_field: 'habit_title', v2_field: 'habit_info.name', required_in_v2: false },
    ],
    transformation_rules: [
      {
        applies_to: ['habit.*'],
        rule_type: 'restructure',
        rule_definition: { template: { cue: 'loop.cue', reward: 'loop.reward' } },
      },
      {
        applies_to: ['habit.create'],
        rule_type: 'validate',
        rule_definition: { fields: { target_duration: { min: 1, max: 480 } } },
      },
      {
        applies_to: ['habit.create'],
        rule_type: 'enrich',
        rule_definition: { fields: { category: 'health' } },
      },
    ],
    deprecation_timeline: [
      {
        phase_name: 'announce',
        start_date: '2026-01-01',
        end_date: '2026-06-30',
        actions: [
          {
            action_type: 'warn',
            target: '*',
            message: 'v1 calls end in 2026.',
            alternative: 'habit.create',
          },
        ],
      },
    ],
    compatibility_mode: {
      enable_v1_mode: true,
      v1_warning_level: 'user_facing',
      v1_redirect_mode: 'transparent',
      v1_support_end_date: '2026-12-31',
    },
  }

  function world() {
    const habits: z.output<typeof input>[] = []
    const create = defineTool({
      ...described,
      async execute({ input: habit, now }) {
        if (habits.some((known) => known.name === habit.name))
          throw new ToolError(
            'TOOL_RESOURCE_ALREADY_EXISTS',
            `There is a habit ${habit.name} already.`,
            { details: { name: habit.name } },
          )
        habits.push(habit)
        const { name, category, frequency, difficulty } = habit
        return {
          habit_info: {
            id: `hab_${habits.length}`,
            name,
            category,
            frequency,
            difficulty,
            created_at: new Date(now()).toISOString(),
          },
        }
      },
    })
    const migration = defineMigration(strategy, { tools: { create_habit: 'habit.create' } })
    const adapter = createV1Adapter({ migration, call: runtimeOf(create), now: clock.now })
    return { habits, adapter }
  }
  const warning = 'Warning: v1 calls end in 2026. Call habit.create instead.'
  const args = {
    title: ' Evening workout ',
    level: 3,
    minutes: '30',
    schedule: { time: '19:30', every: 'day' },
    loop: { cue: 'After dinner' },
  }

  test('with its own names, values and form, both ways', async () => {
    const { adapter, habits } = world()
    expect(await adapter.callV1({ tool: 'create_habit', args }, caller)).toEqual({
      success: true,
      message: `Create Habit: done. ${warning}`,
      data: {
        habit_id: 'hab_1',
        habit_title: 'Evening workout',
        habit_info: {
          category: 'health',
          frequency: 'daily',
          difficulty: 'medium',
          created_at: '2026-01-15T08:30:00.000Z',
        },
      },
    })
    expect(habits).toEqual([
      {
        name: 'Evening workout',
        category: 'health',
        frequency: 'daily',
        difficulty: 'medium',
        cue: 'After dinner',
        target_duration: 30,
        reminder_time: '19:30',
      },
    ])
  })

  test('as a function of v1: keyword arguments in, (ok, message, data) out', async () => {
    const createHabit = toV1Function(world().adapter, 'create_habit', caller)
    expect(await createHabit(args)).toMatchObject([
      true,
      `Create Habit: done. ${warning}`,
      { habit_id: 'hab_1' },
    ])
    expect(await createHabit(args)).toEqual([
      false,
      `There is a habit Evening workout already. ${warning}`,
      { name: 'Evening workout' },
    ])
  })

  test.each<[string, Record<string, unknown>, Caller, string]>([
    [
      'the migration',
      { title: 'Run', minutes: '481' },
      caller,
      "create_habit can't take these arguments: target_duration must be at most 480.",
    ],
    [
      'the mapping',
      { minutes: '30' },
      caller,
      "create_habit can't take these arguments: title is required (v2 calls it name).",
    ],
    ["the tool's schema", { title: '' }, caller, "habit.create can't take this input"],
    [
      'the right to do it',
      { title: 'Run' },
      { ...caller, roles: [], capabilities: [] },
      'habit.write',
    ],
  ])('and is refused by %s in a sentence, and nothing is done', async (_, given, by, message) => {
    const { adapter, habits } = world()
    expect(await adapter.callV1({ tool: 'create_habit', args: given }, by)).toMatchObject({
      success: false,
      message: expect.stringContaining(message),
    })
    expect(habits).toEqual([])
  })
})

describe('a v2 call of a habit tool is served by a v1 function', () => {
  const known = new Set<string>()
  /** As v1 had it: it never throws, and says in words what was wrong. */
  function create_habit({
    name,
    category,
    frequency,
    difficulty,
  }: z.output<typeof input>): V1Answer<z.input<typeof output>> {
    if (name === 'Nothing') return [false, 'System not initialised', null]
    if (name === 'Broken') return [false, 'Error: disk full', null]
    if (known.has(name)) return [false, `Habit '${name}' already exists`, null]
    known.add(name)
    const created_at = '2026-01-15T08:30:00Z'
    return [
      true,
      `Habit '${name}' created`,
      { habit_info: { id: 'hab_abc123', name, category, frequency, difficulty, created_at } },
    ]
  }
  const call = runtimeOf(defineTool({ ...described, execute: fromV1Function(create_habit) }))

  test('true is a success with its data', async () => {
    const answer = await call(
      { tool: 'habit.create', input: { name: 'Morning meditation', category: 'mindfulness' } },
      caller,
    )
    expect(answer).toMatchObject({
      status: 'success',
      command: 'habit.create',
      data: {
        habit_info: {
          id: 'hab_abc123',
          name: 'Morning meditation',
          category: 'mindfulness',
          frequency: 'daily',
          difficulty: 'easy',
        },
      },
      metadata: {
        version: '2.0.0',
        tool_info: {
          name: 'Create Habit',
          category: 'habit_management',
          permissions_used: ['habit.write'],
        },
      },
    })
  })

  test.each([
    [
      'Morning meditation',
      'failed',
      'TOOL_RESOURCE_ALREADY_EXISTS',
      "Habit 'Morning meditation' already exists",
    ],
    ['Nothing', 'error', 'TOOL_CONFIGURATION_ERROR', 'System not initialised'],
    ['Broken', 'error', 'TOOL_INTERNAL_ERROR', 'Error: disk full'],
  ])('false for %s is %s with %s', async (name, status, code, message) => {
    known.add('Morning meditation')
    expect(await call({ tool: 'habit.create', input: { name } }, caller)).toMatchObject({
      status,
      data: null,
      error: { code, message },
    })
  })
})
