import { fakeClock } from '@surehand/conformance'
import { createRuntime, definePack, memoryStores, toEnvelope } from '@surehand/core'
import {
  implementations,
  type ToolDefinition,
  toDefinition,
  toolFromDefinition,
} from '@surehand/documents'
import { foreignSchemas } from '@surehand/json-schema'
import { afterAll, describe, expect, test } from 'vitest'
import { ANN } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import habitCreateDocument from './fixtures/habit-create.json' with { type: 'json' }
import { habitCreate } from './habit-create.ts'

// Erased: the JSON is the HABIT_CREATE_TOOL of document 004, word for word.
const document = habitCreateDocument as unknown as ToolDefinition
const tenants = openTenants()
afterAll(tenants.close)

describe("document 004's HABIT_CREATE_TOOL", () => {
  const dates = {
    createdAt: Date.parse(document.created_at),
    updatedAt: Date.parse(document.updated_at),
  }
  const published = toDefinition(habitCreate, dates)
  const {
    implementation,
    function_signature: signature,
    created_at,
    updated_at,
    ...rest
  } = document

  test.each(Object.entries(rest))('its %s is published as it is written', (name, value) => {
    expect(published[name as keyof ToolDefinition]).toEqual(value)
  })

  test('its input is published with every bound, default and example', () => {
    const { schema, ...written } = signature.input
    expect(published.function_signature.input).toMatchObject(written)
    expect(published.function_signature.input.schema).toMatchObject(schema)
  })

  test('its input has no field beside those of the document', () => {
    const fieldsOf = (schema: object) =>
      Object.keys((schema as { readonly properties: object }).properties).sort()
    expect(fieldsOf(published.function_signature.input.schema)).toEqual(
      fieldsOf(signature.input.schema),
    )
  })

  test('its output and the shape of its errors are published', () => {
    const { success_schema, error_schemas } = signature.output
    expect(published.function_signature.output.success_schema).toMatchObject(success_schema)
    expect(published.function_signature.output.error_schemas).toMatchObject(error_schemas)
  })

  test('its output example is published, with what it answers', () => {
    // The times are those of no real call.
    const timeless = (examples: unknown) =>
      JSON.parse(JSON.stringify(examples), (name, value) => (name.endsWith('_time') ? 0 : value))
    expect(timeless(published.function_signature.output.examples)).toEqual(
      timeless(signature.output.examples),
    )
  })

  test('its side effects and dates are published', () => {
    expect(published.function_signature.side_effects).toEqual(signature.side_effects)
    expect([published.created_at, published.updated_at].map(Date.parse)).toEqual(
      [created_at, updated_at].map(Date.parse),
    )
  })

  // Only the execution differs from the document: a function of this pack instead of a Python
  // module.
  test('its implementation is of the same kind and compatibility', () => {
    const { type, version_compatibility } = implementation
    expect(published.implementation).toMatchObject({ type, version_compatibility })
  })

  test('loads as a tool, and runs as the one of the pack does', async () => {
    const world = await tenants.open()
    const clock = fakeClock()
    const loaded = toolFromDefinition(document, {
      schemas: foreignSchemas(),
      implementations: implementations({
        functions: {
          'pm.tools.habit_tools.create_habit': (input) => world.data('habit.create', input),
        },
      }),
    })
    const runtime = createRuntime({
      packs: [definePack({ name: 'document', tools: [loaded] })],
      stores: memoryStores({ clock }),
      clock,
    })
    for (const { input } of document.function_signature.input.examples) {
      const { name } = input as { readonly name: string }
      const answer = toEnvelope(
        await runtime.call({ tool: 'habit.create', input, caller: ANN, surface: 'test' }),
      )
      expect(answer).toMatchObject({
        status: 'success',
        command: 'habit.create',
        data: { habit_info: { name } },
      })
    }
    expect(toDefinition(loaded, dates)).toEqual(document)
    expect(await world.data('habit.list', {})).toMatchObject({
      total: document.function_signature.input.examples.length,
    })
  })
})

describe('habit.create', () => {
  test('fills in the defaults of the document', async () => {
    const world = await tenants.open()
    expect(await world.data('habit.create', { name: 'Read' })).toEqual({
      habit_info: {
        id: expect.stringMatching(/^hab_/),
        name: 'Read',
        category: 'other',
        frequency: 'daily',
        difficulty: 'easy',
        created_at: '2026-01-15T08:00:00.000Z',
      },
    })
  })

  test.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name of spaces', { name: '   ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'name'],
    ['a category nobody knows', { name: 'Read', category: 'sport' }, 'category'],
    ['a frequency nobody knows', { name: 'Read', frequency: 'hourly' }, 'frequency'],
    ['a difficulty nobody knows', { name: 'Read', difficulty: 'extreme' }, 'difficulty'],
    [
      'a description that is too long',
      { name: 'Read', description: 'x'.repeat(1001) },
      'description',
    ],
    ['a cue that is too long', { name: 'Read', cue: 'x'.repeat(501) }, 'cue'],
    ['a duration of nothing', { name: 'Read', target_duration: 0 }, 'target_duration'],
    ['a duration over eight hours', { name: 'Read', target_duration: 481 }, 'target_duration'],
    ['half a minute', { name: 'Read', target_duration: 1.5 }, 'target_duration'],
    ['a reminder that is no time', { name: 'Read', reminder_time: '7:30' }, 'reminder_time'],
    [
      'a reminder at an hour that no day has',
      { name: 'Read', reminder_time: '24:00' },
      'reminder_time',
    ],
  ])('refuses %s', async (_, input, field) => {
    const world = await tenants.open()
    const answer = await world.call('habit.create', input)
    expect(answer).toMatchObject({
      status: 'failed',
      data: null,
      error: {
        code: expect.stringMatching(/^TOOL_INVALID_FIELD_(VALUE|TYPE)$/),
        details: { validation_errors: [{ field }] },
      },
    })
  })

  test.each(['Morning run', 'MORNING RUN', '  morning   run '])(
    'refuses "%s" while "Morning run" is active',
    async (name) => {
      const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Morning run' } }])
      expect(await world.call('habit.create', { name })).toMatchObject({
        status: 'failed',
        error: {
          code: 'TOOL_RESOURCE_ALREADY_EXISTS',
          message: 'The habit "Morning run" already exists. Use it, or choose another name.',
          details: { existing_habit: { id: expect.stringMatching(/^hab_/), name: 'Morning run' } },
        },
      })
    },
  )

  test('accepts a name again once its habit is deleted', async () => {
    const world = await tenants.open([
      { tool: 'habit.create', input: { name: 'Morning run' } },
      { tool: 'habit.delete', input: { habit_name: 'Morning run' } },
    ])
    expect(await world.call('habit.create', { name: 'morning run' })).toMatchObject({
      status: 'success',
    })
  })

  test('called concurrently with one name creates one habit', async () => {
    const world = await tenants.open()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.call('habit.create', { name: 'Read' })),
    )
    expect(answers.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(new Set(answers.map(({ error }) => error?.code))).toEqual(
      new Set([undefined, 'TOOL_RESOURCE_ALREADY_EXISTS']),
    )
  })

  test('can be called by its alias', async () => {
    const world = await tenants.open()
    expect(await world.call('tools.habit.create', { name: 'Read' })).toMatchObject({
      status: 'success',
    })
  })
})
