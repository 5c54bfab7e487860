import { describe, expect, test } from 'vitest'
import { defineMigration } from './define-migration.ts'
import type {
  DeprecationAction,
  DeprecationPhase,
  FieldMapping,
  MigrationStrategy,
} from './documents.ts'

const tools = { create_habit: 'habit.create', list_habits: 'habit.list' }
const action: DeprecationAction = {
  action_type: 'warn',
  target: 'create_habit',
  message: 'Old.',
  alternative: 'habit.create',
}
const strategy: MigrationStrategy = {
  migration_version: '1.0_to_2.0',
  field_mappings: [],
  transformation_rules: [],
  deprecation_timeline: [],
  compatibility_mode: {
    enable_v1_mode: true,
    v1_warning_level: 'none',
    v1_redirect_mode: 'transparent',
    v1_support_end_date: '2026-12-31',
  },
}
const map = (v1_field: string, v2_field: string, transformation?: string): FieldMapping => ({
  v1_field,
  v2_field,
  required_in_v2: false,
  ...(transformation === undefined ? {} : { transformation }),
})
const rule = (rule_type: string, rule_definition: unknown, applies_to = ['habit.*']) => ({
  rule_type,
  rule_definition,
  applies_to,
})
const phase = (
  start_date: string,
  end_date: string,
  action_type: DeprecationAction['action_type'] = 'warn',
): DeprecationPhase => ({
  phase_name: `from ${start_date}`,
  start_date,
  end_date,
  actions: [{ ...action, action_type }],
})
const load = (changes: object, names: Record<string, string> = tools) =>
  defineMigration({ ...strategy, ...changes }, { tools: names })

describe('a migration is refused with the path of what is wrong', () => {
  test.each<[string, object]>([
    ['migration_version', { migration_version: '2.0_to_3.0' }],
    ['the strategy: Unrecognized key: "phases"', { phases: [] }],
    [
      'compatibility_mode.v1_warning_level',
      { compatibility_mode: { ...strategy.compatibility_mode, v1_warning_level: 'shout' } },
    ],
    [
      'compatibility_mode.v1_support_end_date',
      { compatibility_mode: { ...strategy.compatibility_mode, v1_support_end_date: '31.12.2026' } },
    ],
    [
      'deprecation_timeline[0].start_date',
      { deprecation_timeline: [phase('2026-02-30', '2026-03-31')] },
    ],
    [
      'deprecation_timeline[0].end_date: must not be before start_date',
      { deprecation_timeline: [phase('2026-02-02', '2026-02-01')] },
    ],
    [
      'deprecation_timeline[1].start_date: must not be before the end of from 2026-01-01, 2026-02-01',
      {
        deprecation_timeline: [
          phase('2026-01-01', '2026-02-01'),
          phase('2026-01-31', '2026-03-01'),
        ],
      },
    ],
    [
      'deprecation_timeline[1].start_date',
      {
        deprecation_timeline: [
          phase('2026-05-01', '2026-06-01'),
          phase('2026-01-01', '2026-02-01'),
        ],
      },
    ],
    [
      'deprecation_timeline[1].actions[0].action_type: must not go back: create_habit has come to disable before',
      {
        deprecation_timeline: [
          phase('2026-01-01', '2026-02-01', 'disable'),
          phase('2026-02-01', '2026-03-01', 'warn'),
        ],
      },
    ],
    [
      'deprecation_timeline[0].actions[0].target: no v1 function or v2 tool of this migration has that name',
      {
        deprecation_timeline: [
          { ...phase('2026-01-01', '2026-02-01'), actions: [{ ...action, target: 'creat_habit' }] },
        ],
      },
    ],
  ])('%s', (message, changes) => {
    expect(() => load(changes)).toThrow(`The migration can't be loaded: ${message}`)
  })

  test.each<[string, readonly FieldMapping[]]>([
    [
      'field_mappings[1].v2_field: "name" is the target of two moves',
      [map('title', 'name'), map('habit_name', 'name')],
    ],
    [
      'field_mappings[1].v2_field: "name" is the target of two moves',
      [map('create_habit:title', 'name'), map('habit_name', 'name')],
    ],
    [
      'field_mappings[1].v2_field: "l[0].a" is the target of two moves',
      [map('x[]', 'l[].a'), map('y', 'l[0].a')],
    ],
    [
      'field_mappings[1].v2_field: "plan.cue" is the target of two moves',
      [map('a', 'plan'), map('b', 'plan.cue')],
    ],
    [
      'field_mappings[1].v1_field: "title" is moved twice',
      [map('title', 'name'), map('title', 'label')],
    ],
    ['field_mappings[0].v2_field: must have as many [] as the v1 field', [map('days[]', 'day')]],
    [
      'field_mappings[0].v2_field: must begin with a key, as the v1 field does',
      [map('day', '[0]')],
    ],
    [
      'field_mappings[0].v2_field: "a.__proto__.b" goes through "__proto__", which is not accepted',
      [map('a', 'a.__proto__.b')],
    ],
    [
      'field_mappings[0].v1_field: "constructor" goes through "constructor"',
      [map('constructor', 'a')],
    ],
    ['field_mappings[0].v1_field: "x..y" is not a dot path', [map('x..y', 'a')]],
    [
      'field_mappings[0].v1_field: ":title" names no function before the colon',
      [map(':title', 'a')],
    ],
    ['field_mappings[0].v1_field: "b:c" is not a dot path', [map('a:b:c', 'a')]],
    ['field_mappings[0].v1_field: no v1 function', [map('habit.create:title', 'a')]],
    ['field_mappings[0].transformation: must be one of to_string', [map('a', 'b', 'shout')]],
  ])('%s', (message, field_mappings) => {
    expect(() => load({ field_mappings })).toThrow(message)
  })

  test.each<[string, unknown]>([
    ['transformation_rules[0].rule_type', rule('delete', {})],
    ['transformation_rules[0].applies_to', rule('enrich', { fields: {} }, [])],
    [
      'transformation_rules[0].applies_to[0]: no v1 function',
      rule('enrich', { fields: {} }, ['habit.make']),
    ],
    ['transformation_rules[0].rule_definition: must name fields or a tool', rule('rename', {})],
    ['transformation_rules[0].rule_definition.tool', rule('rename', { tool: 'not an id' })],
    [
      'transformation_rules[0].rule_definition.fields.a: "b.prototype" goes through',
      rule('rename', { fields: { a: 'b.prototype' } }),
    ],
    [
      'transformation_rules[0].rule_definition.fields.a..b: "a..b" is not a dot path',
      rule('rename', { fields: { 'a..b': 'c' } }),
    ],
    [
      'transformation_rules[0].rule_definition: "x" is the target of two moves',
      rule('rename', { fields: { a: 'x', b: 'x' } }),
    ],
    [
      'transformation_rules[0].rule_definition: "a.b" is moved twice',
      rule('restructure', { template: { x: 'a', y: 'a.b' } }),
    ],
    [
      'transformation_rules[0].rule_definition.template.plan.days[1]: must be a dot path',
      rule('restructure', { template: { plan: { days: ['a', 5] } } }),
    ],
    [
      'transformation_rules[0].rule_definition.template.plan.a.prototype: "a.prototype" goes',
      rule('restructure', { template: { plan: { 'a.prototype': 'a' } } }),
    ],
    [
      'transformation_rules[0].rule_definition.fields.a.pattern: must be a regular expression',
      rule('validate', { fields: { a: { pattern: '(' } } }),
    ],
    [
      'transformation_rules[0].rule_definition.fields.a: Unrecognized key: "mni"',
      rule('validate', { fields: { a: { mni: 1 } } }),
    ],
    [
      'transformation_rules[0].rule_definition.fields.a: only $now, $principal, $tenant, $timeZone are known',
      rule('enrich', { fields: { a: '$user' } }),
    ],
    [
      'transformation_rules[0].rule_definition.fields.a[]: must name one field',
      rule('enrich', { fields: { 'a[]': 1 } }),
    ],
  ])('%s', (message, one) => {
    expect(() => load({ transformation_rules: [one] })).toThrow(message)
  })

  test('a __proto__ key is not dropped silently', () => {
    const sly = JSON.parse('{ "fields": { "__proto__": "name" } }')
    expect(() => load({ transformation_rules: [rule('rename', sly)] })).toThrow(
      'strategy.transformation_rules[0].rule_definition.fields.__proto__: The key "__proto__" is not accepted.',
    )
    expect(() => load({}, JSON.parse('{ "__proto__": "habit.create" }'))).toThrow(
      'tools.__proto__: The key "__proto__" is not accepted.',
    )
  })

  test('a name of a function or a tool that is none', () => {
    expect(() => load({}, { 'create habit': 'habit.create' })).toThrow(
      'tools.create habit: must be the name of a v1 function',
    )
    expect(() => load({}, { create_habit: 'habit create' })).toThrow(
      'tools.create_habit: must be the id of a tool, such as habit.create',
    )
  })
})

describe('a migration that is right', () => {
  test('is frozen to its last leaf and knows nothing of later changes to the data', () => {
    const tags = ['v1']
    const mine = {
      ...structuredClone(strategy),
      transformation_rules: [rule('enrich', { fields: { tags } })],
    }
    const migration = defineMigration(mine, { tools })
    mine.compatibility_mode.enable_v1_mode = false
    tags.push('more')
    expect(migration.strategy.transformation_rules[0]?.rule_definition).toEqual({
      fields: { tags: ['v1'] },
    })
    expect(migration.strategy.compatibility_mode.enable_v1_mode).toBe(true)
    expect(Object.isFrozen(migration.strategy.compatibility_mode)).toBe(true)
    expect(() =>
      Object.assign(migration.strategy.transformation_rules[0] ?? {}, { applies_to: [] }),
    ).toThrow(TypeError)
    expect(() => Object.assign(migration.strategy, { field_mappings: [] })).toThrow(TypeError)
  })

  test('may map two functions to fields of one name, each for itself', () => {
    const field_mappings = [
      map('create_habit:habit_name', 'name'),
      map('list_habits:filter_name', 'name'),
    ]
    expect(load({ field_mappings }).plans.get('list_habits')?.mappings).toEqual([field_mappings[1]])
  })

  test('may have phases that touch and phases with gaps between them', () => {
    const deprecation_timeline = [
      phase('2026-01-01', '2026-02-01'),
      phase('2026-02-01', '2026-02-28', 'redirect'),
      phase('2026-06-01T12:00:00Z', '2026-07-01', 'remove'),
    ]
    expect(load({ deprecation_timeline }).plans.get('create_habit')?.schedule).toHaveLength(3)
  })

  test('keeps the strategy in the form of the document', () => {
    expect(load({}).strategy).toEqual(strategy)
  })
})
