import type { Caller } from '@surehand/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineMigration } from './define-migration.ts'
import type { FieldMapping, TransformationRule } from './documents.ts'
import { type Plan, toV1Data, toV2Input } from './plan.ts'
import type { Fields } from './step.ts'

const caller: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
  timeZone: 'Europe/Helsinki',
}
const nowMs = Date.parse('2026-01-15T08:30:00Z')

type Data = {
  readonly mappings?: readonly Partial<FieldMapping>[]
  readonly rules?: readonly Partial<TransformationRule>[]
}

function planFor({ mappings = [], rules = [] }: Data, v1Tool = 'create_habit'): Plan {
  const strategy = {
    migration_version: '1.0_to_2.0',
    field_mappings: mappings.map((mapping) => ({ required_in_v2: false, ...mapping })),
    transformation_rules: rules.map((rule) => ({ applies_to: ['*'], ...rule })),
    deprecation_timeline: [],
    compatibility_mode: {
      enable_v1_mode: true,
      v1_warning_level: 'none',
      v1_redirect_mode: 'explicit',
      v1_support_end_date: '2030-01-01',
    },
  }
  const plan = defineMigration(strategy, {
    tools: { create_habit: 'habit.create', project_status: 'project.status' },
  }).plans.get(v1Tool)
  if (plan === undefined) throw new Error('no plan')
  return plan
}
function there(data: Data, args: Fields, by: Caller | undefined = caller): Fields {
  return toV2Input(planFor(data), args, { tool: 'create_habit', nowMs, caller: by })
}
const refused = (
  code: string,
  ...validation_errors: readonly (readonly [field: string, error: string])[]
) =>
  expect.objectContaining({
    code,
    details: {
      validation_errors: validation_errors.map(([field, error]) => ({
        field,
        error,
        provided_value: null,
      })),
    },
  })

describe('field mappings', () => {
  const mappings = [
    { v1_field: 'habit_name', v2_field: 'name', required_in_v2: true },
    { v1_field: 'schedule.time', v2_field: 'reminder_time' },
    { v1_field: 'minutes', v2_field: 'target_duration', transformation: 'to_number' },
    { v1_field: 'steps[].label', v2_field: 'steps[].name', transformation: 'trim' },
  ]

  test('rename, move and change fields; the others pass under their own name', () => {
    const args = {
      habit_name: 'Run',
      schedule: { time: '07:00', days: [1] },
      minutes: '30',
      steps: [{ label: ' go ' }],
      category: 'health',
    }
    const copy = structuredClone(args)
    expect(there({ mappings }, args)).toEqual({
      name: 'Run',
      schedule: { days: [1] },
      reminder_time: '07:00',
      target_duration: 30,
      steps: [{ name: 'go' }],
      category: 'health',
    })
    expect(args).toEqual(copy)
  })

  test("give an answer v1's names and values again", () => {
    const data = { name: 'Run', reminder_time: '07:00', target_duration: 30, id: 'hab_1' }
    const v1Data = { habit_name: 'Run', schedule: { time: '07:00' }, minutes: '30', id: 'hab_1' }
    expect(toV1Data(planFor({ mappings }), data)).toEqual(v1Data)
  })

  test("give an answer that has no place in v1's form as it is, rather than tell what was done as failed", () => {
    const data = { name: 'Run', habit_name: 'Walk' }
    expect(toV1Data(planFor({ mappings }), data)).toEqual(data)
    expect(toV1Data(planFor({ mappings }), { target_duration: 'long' })).toEqual({
      minutes: 'long',
    })
  })

  test.each<[string, unknown]>([
    ['a text', 'done'],
    ['nothing', null],
    ['a list', [1, { name: 'Run' }]],
  ])('leave %s alone', (_, data) => {
    expect(toV1Data(planFor({ mappings }), data)).toEqual(data)
  })

  test('refuse a call without what v2 requires, by the name v1 knows', () => {
    const missing = refused('TOOL_MISSING_REQUIRED_FIELD', [
      'habit_name',
      'is required (v2 calls it name)',
    ])
    expect(() => there({ mappings }, {})).toThrow(missing)
    expect(() => there({ mappings }, { habit_name: null })).toThrow(missing)
  })

  test('take the required field also under its new name, or from a rule', () => {
    expect(there({ mappings }, { name: 'Run' })).toEqual({ name: 'Run' })
    expect(
      there(
        {
          mappings,
          rules: [{ rule_type: 'enrich', rule_definition: { fields: { name: 'New' } } }],
        },
        {},
      ),
    ).toEqual({ name: 'New' })
  })

  test('see that a required field was given though a rule moved it on', () => {
    const rules = [
      {
        rule_type: 'restructure' as const,
        rule_definition: { template: { habit: { name: 'name' } } },
      },
    ]
    expect(there({ mappings, rules }, { habit_name: 'Run' })).toEqual({ habit: { name: 'Run' } })
  })

  test('refuse a value that cannot be changed, at its place in the call', () => {
    const steps = [{ label: 'a' }, { label: 5 }]
    expect(() => there({ mappings }, { habit_name: 'Run', steps })).toThrow(
      refused('TOOL_INVALID_FIELD_VALUE', ['steps[1].label', 'must be a text']),
    )
  })

  test('refuse a field given under both names instead of dropping one', () => {
    expect(() => there({ mappings }, { habit_name: 'Run', name: 'Walk' })).toThrow(
      refused('TOOL_INVALID_INPUT', ['name', 'was given twice, in the old form and in the new']),
    )
  })

  test('of one function leave the others alone', () => {
    const own = {
      mappings: [{ v1_field: 'create_habit:title', v2_field: 'name', required_in_v2: true }],
    }
    const context = { tool: 'project_status', nowMs, caller }
    expect(there(own, { title: 'Run' })).toEqual({ name: 'Run' })
    expect(toV2Input(planFor(own, 'project_status'), { title: 'House' }, context)).toEqual({
      title: 'House',
    })
  })
})

describe('a rule', () => {
  test('renames fields there and back, and the tool', () => {
    const data: Data = {
      rules: [
        {
          rule_type: 'rename',
          rule_definition: { fields: { kind: 'category' }, tool: 'habit.make' },
        },
      ],
    }
    expect(there(data, { kind: 'health' })).toEqual({ category: 'health' })
    expect(toV1Data(planFor(data), { category: 'health' })).toEqual({ kind: 'health' })
    expect(planFor(data).tool).toBe('habit.make')
  })

  test('nests, flattens and lists by a template, there and back', () => {
    const template = {
      loop: { cue: 'cue', reward: 'extra.reward' },
      range: ['from', 'to'],
      note: 'extra.note',
    }
    const data: Data = { rules: [{ rule_type: 'restructure', rule_definition: { template } }] }
    const args = { cue: 'bell', extra: { reward: 'tea', note: 'n' }, from: 1, to: 2, other: true }
    const input = { loop: { cue: 'bell', reward: 'tea' }, range: [1, 2], note: 'n', other: true }
    expect(there(data, args)).toEqual(input)
    expect(toV1Data(planFor(data), input)).toEqual(args)
  })

  test('checks fields and reports all problems at once', () => {
    const fields = {
      name: { required: true, type: 'string', min_length: 1, max_length: 5 },
      target_duration: { type: 'integer', min: 1, max: 480 },
      'tags[]': { pattern: '^[a-z]+$' },
      frequency: { enum: ['daily', 'weekly'] },
    }
    const data: Data = { rules: [{ rule_type: 'validate', rule_definition: { fields } }] }
    const fine = { name: '👍👍👍👍👍', target_duration: 480, tags: ['a'], frequency: 'daily' }
    expect(there(data, fine)).toEqual(fine)
    expect(() => there(data, { ...fine, name: null })).toThrow(
      refused('TOOL_MISSING_REQUIRED_FIELD', ['name', 'is required']),
    )
    expect(() => there(data, { ...fine, target_duration: 1.5 })).toThrow(
      refused('TOOL_INVALID_FIELD_TYPE', ['target_duration', 'must be of type integer']),
    )
    expect(() => there(data, { ...fine, target_duration: 481 })).toThrow(
      refused('TOOL_INVALID_FIELD_VALUE', ['target_duration', 'must be at most 480']),
    )
    expect(() =>
      there(data, { ...fine, name: 'longer', tags: ['a', 'B'], frequency: 'yearly' }),
    ).toThrow(
      refused(
        'TOOL_INVALID_INPUT',
        ['name', 'must have at most 5 characters'],
        ['tags[1]', 'must match ^[a-z]+$'],
        ['frequency', 'must be one of daily, weekly'],
      ),
    )
  })

  test('enriches: constants, time and zone fill a gap', () => {
    const fields = { source: 'v1', 'meta.at': '$now', zone: '$timeZone', price: '$5' }
    const data: Data = { rules: [{ rule_type: 'enrich', rule_definition: { fields } }] }
    const filled = {
      source: 'v1',
      meta: { at: '2026-01-15T08:30:00.000Z' },
      zone: 'Europe/Helsinki',
      price: '$5',
    }
    expect(there(data, { source: null })).toEqual(filled)
    expect(there(data, { source: 'cli', meta: { at: 'then' }, zone: 'UTC', price: 0 })).toEqual({
      source: 'cli',
      meta: { at: 'then' },
      zone: 'UTC',
      price: 0,
    })
    expect(toV1Data(planFor(data), filled)).toEqual(filled)
  })

  test('enriches: the caller never comes from the arguments', () => {
    const data: Data = {
      rules: [
        {
          rule_type: 'enrich',
          rule_definition: { fields: { owner: '$principal', 'of.tenant': '$tenant' } },
        },
      ],
    }
    expect(there(data, { owner: 'eve', of: { tenant: 'theirs', x: 1 } })).toEqual({
      owner: 'ann',
      of: { tenant: 'home', x: 1 },
    })
    expect(() =>
      toV2Input(planFor(data), {}, { tool: 'create_habit', nowMs, caller: undefined }),
    ).toThrow(expect.objectContaining({ code: 'TOOL_CONFIGURATION_ERROR' }))
  })

  test('enriches with a new value each time, so changing it changes nothing else', () => {
    const data: Data = {
      rules: [{ rule_type: 'enrich', rule_definition: { fields: { tags: ['v1'] } } }],
    }
    const plan = planFor(data)
    const first = toV2Input(plan, {}, { tool: 'create_habit', nowMs, caller })
    ;(first.tags as string[]).push('mine')
    expect(toV2Input(plan, {}, { tool: 'create_habit', nowMs, caller })).toEqual({ tags: ['v1'] })
  })

  test.each([
    [['habit.*'], { n: 1 }],
    [['create_*'], { n: 1 }],
    [['project.*', 'habit.create'], { n: 1 }],
    [['project.*'], {}],
  ])('for %j applies to create_habit accordingly', (applies_to, expected) => {
    expect(
      there(
        { rules: [{ applies_to, rule_type: 'enrich', rule_definition: { fields: { n: 1 } } }] },
        {},
      ),
    ).toEqual(expected)
  })

  test('after one that renames the tool is chosen by the new name', () => {
    const rules: Data['rules'] = [
      { rule_type: 'rename', rule_definition: { tool: 'ritual.create' } },
      { applies_to: ['ritual.*'], rule_type: 'enrich', rule_definition: { fields: { n: 1 } } },
      { applies_to: ['habit.*'], rule_type: 'enrich', rule_definition: { fields: { m: 1 } } },
    ]
    expect(there({ rules }, {})).toEqual({ n: 1 })
  })
})

describe('rules run in the order they stand in', () => {
  test('a check before the default that would have helped refuses; after it, it passes', () => {
    const check = {
      rule_type: 'validate' as const,
      rule_definition: { fields: { name: { required: true } } },
    }
    const fill = { rule_type: 'enrich' as const, rule_definition: { fields: { name: 'New' } } }
    expect(there({ rules: [fill, check] }, {})).toEqual({ name: 'New' })
    expect(() => there({ rules: [check, fill] }, {})).toThrow(
      refused('TOOL_MISSING_REQUIRED_FIELD', ['name', 'is required']),
    )
  })

  test('whatever the renames, a field goes where they lead one after the other, and comes back', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const renames = fc.array(fc.tuple(key, key), { maxLength: 8 })
    fc.assert(
      fc.property(key, renames, (first, pairs) => {
        const rules = pairs.map(([from, to]) => ({
          rule_type: 'rename' as const,
          rule_definition: { fields: { [from]: to } },
        }))
        const last = pairs.reduce((at, [from, to]) => (at === from ? to : at), first)
        expect(there({ rules }, { [first]: 1 })).toEqual({ [last]: 1 })
        const before = pairs.reduceRight((at, [from, to]) => (at === to ? from : at), last)
        expect(toV1Data(planFor({ rules }), { [last]: 1 })).toEqual({ [before]: 1 })
      }),
    )
  })
})
