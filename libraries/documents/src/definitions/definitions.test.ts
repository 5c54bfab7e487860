import { type FakeClock, fakeClock } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  definePack,
  memoryStores,
  type Runtime,
  ToolError,
  toEnvelope,
} from '@surehand/core'
import { miniSearchIndex } from '@surehand/discovery'
import { foreignSchemas } from '@surehand/json-schema'
import habitCreateDocument from '@surehand/testing/fixtures/habit-create.json' with { type: 'json' }
import projectStatusDocument from '@surehand/testing/fixtures/project-status.json' with {
  type: 'json',
}
import { beforeEach, describe, expect, test } from 'vitest'
import { discoverTools, registryDocument } from './discovery.ts'
import { implementations } from './implementations.ts'
import { manageTools, type ToolManagement } from './manage-tools.ts'
import { toolDescriptors } from './to-definition.ts'
import type { ToolDefinition } from './tool-definition.ts'

const habitCreate = habitCreateDocument as unknown as ToolDefinition
const projectStatus = projectStatusDocument as unknown as ToolDefinition

const admin: Caller = {
  tenant: 'home',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: ['tools.manage'],
  session: 's0',
}
const ann: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 's1',
}

let clock: FakeClock
let runtime: Runtime
let management: ToolManagement
let created: unknown[]

const functions = {
  'pm.tools.habit_tools.create_habit': async (input: unknown) => {
    created.push(input)
    const { name, category, frequency, difficulty } = input as Record<string, string>
    return {
      habit_info: {
        id: `hab_${created.length}`,
        name,
        category,
        frequency,
        difficulty,
        created_at: '2025-01-15T08:30:00Z',
      },
    }
  },
  'pm.tools.project_tools.get_project_status': async (input: unknown) => {
    const { project_name } = input as { readonly project_name: string }
    if (project_name !== 'PersonalManager')
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `No project is called ${project_name}.`, {
        details: { searched_name: project_name, available_projects: ['PersonalManager'] },
      })
    return {
      basic_info: { name: project_name },
      status_metrics: { progress: 42, health: 'good', priority: 'high' },
    }
  },
}

beforeEach(async () => {
  clock = fakeClock()
  created = []
  runtime = createRuntime({
    packs: [definePack({ name: 'none', tools: [] })],
    stores: memoryStores({ clock }),
    clock,
    textIndex: miniSearchIndex(),
  })
  management = manageTools(runtime, {
    schemas: foreignSchemas(),
    implementations: implementations({ functions }),
  })
  for (const definition of [habitCreate, projectStatus])
    expect(await management.registerTool(admin, definition)).toMatchObject({
      success: true,
      errors: [],
    })
})

const call = async (tool: string, input: unknown, caller = ann, idempotencyKey?: string) =>
  toEnvelope(
    await runtime.call({
      tool,
      input,
      caller,
      surface: 'test',
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }),
  )

describe("document 004's own examples", () => {
  test.each([habitCreate, projectStatus])('$id comes back without loss', (definition) => {
    expect(discoverTools(runtime, ann).getTool(definition.id)).toEqual(definition)
  })

  test('habit.create runs every example it prints, with its defaults', async () => {
    for (const [index, example] of habitCreate.function_signature.input.examples.entries()) {
      expect(await call('habit.create', example.input, ann, `k${index}`)).toMatchObject({
        status: 'success',
        command: 'habit.create',
        metadata: {
          tool_info: {
            name: 'Create Habit',
            category: 'habit_management',
            permissions_used: ['habit.write'],
          },
          input_validation: { schema_version: '2.0.0' },
        },
      })
    }
    expect(await call('habit.create', { name: 'Read' })).toMatchObject({
      data: {
        habit_info: { name: 'Read', category: 'other', frequency: 'daily', difficulty: 'easy' },
      },
    })
  })

  test.each([
    [{}, 'TOOL_MISSING_REQUIRED_FIELD', 'name'],
    [{ name: '' }, 'TOOL_INVALID_FIELD_VALUE', 'name'],
    [{ name: 'x'.repeat(201) }, 'TOOL_INVALID_FIELD_VALUE', 'name'],
    [{ name: 'x', category: 'sports' }, 'TOOL_INVALID_FIELD_VALUE', 'category'],
    [{ name: 'x', target_duration: 481 }, 'TOOL_INVALID_FIELD_VALUE', 'target_duration'],
    [{ name: 'x', target_duration: 1.5 }, 'TOOL_INVALID_FIELD_TYPE', 'target_duration'],
    [{ name: 'x', reminder_time: '7:30' }, 'TOOL_INVALID_FIELD_VALUE', 'reminder_time'],
  ])('habit.create keeps its bounds: %o', async (input, code, field) => {
    const answer = await call('habit.create', input)
    expect(answer).toMatchObject({
      status: 'failed',
      data: null,
      error: { code, details: { validation_errors: [{ field }] } },
    })
    expect(answer.metadata.warnings).toBeUndefined()
  })

  test('habit.create lets ten a minute through, as its document says', async () => {
    const answers = []
    for (let index = 0; index < 11; index++)
      answers.push(
        (await call('habit.create', { name: `habit ${index}` }, ann, `k${index}`)).status,
      )
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'success'), 'failed'])
  })

  test('a key that was used makes no second habit', async () => {
    const first = await call('habit.create', { name: 'Read' }, ann, 'k')
    expect((await call('habit.create', { name: 'Read' }, ann, 'k')).data).toEqual(first.data)
    expect(created).toHaveLength(1)
  })

  test('project.status says what it searched for and what there is, as its error schema declares', async () => {
    const answer = await call('project.status', { project_name: 'Nothing' })
    expect(answer.error).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      details: { searched_name: 'Nothing', available_projects: ['PersonalManager'] },
    })
    expect(answer.metadata.warnings).toBeUndefined()
  })

  test('roles are the ones the document names', async () => {
    expect(
      await call('habit.create', { name: 'x' }, { ...ann, roles: ['developer_of_nothing'] }),
    ).toMatchObject({
      error: { code: 'TOOL_ROLE_NOT_AUTHORIZED' },
    })
  })
})

test('an error whose details are not as declared is returned with a note', async () => {
  const odd = {
    ...projectStatus,
    id: 'project.odd',
    implementation: { ...projectStatus.implementation, function: 'odd' },
  }
  const own = createRuntime({
    packs: [],
    stores: memoryStores({ clock }),
    clock,
  })
  const ownTools = manageTools(own, {
    schemas: foreignSchemas(),
    implementations: implementations({
      functions: {
        'pm.tools.project_tools.odd': async () =>
          Promise.reject(
            new ToolError('TOOL_RESOURCE_NOT_FOUND', 'gone', { details: { searched_name: 7 } }),
          ),
      },
    }),
  })
  await ownTools.registerTool(admin, odd)
  const answer = toEnvelope(
    await own.call({
      tool: 'project.odd',
      input: { project_name: 'x' },
      caller: ann,
      surface: 'test',
    }),
  )
  expect(answer.metadata.warnings).toEqual([
    'The details of this error are not as project.odd declares them.',
  ])
})

test('a method of a class is bound by its names, and nothing that every object has', async () => {
  class HabitTools {
    private readonly prefix = 'hab'
    async make(input: unknown) {
      return {
        habit_info: { id: `${this.prefix}_1`, name: (input as { readonly name: string }).name },
      }
    }
  }
  const parts = implementations({ classes: { 'pm.tools.HabitTools': new HabitTools() } })
  const own = createRuntime({
    packs: [],
    stores: memoryStores({ clock }),
    clock,
  })
  const ownTools = manageTools(own, { schemas: foreignSchemas(), implementations: parts })
  const bindTo = (name: string): ToolDefinition => ({
    ...habitCreate,
    id: `habit.${name}`,
    implementation: {
      type: 'class_method',
      module: 'pm.tools',
      class_name: 'HabitTools',
      function: name,
      version_compatibility: ['2.0.0'],
    },
  })
  expect(await ownTools.registerTool(admin, bindTo('make'))).toMatchObject({ success: true })
  expect(
    toEnvelope(
      await own.call({ tool: 'habit.make', input: { name: 'Read' }, caller: ann, surface: 'test' }),
    ),
  ).toMatchObject({
    data: { habit_info: { id: 'hab_1', name: 'Read' } },
  })
  expect(await ownTools.registerTool(admin, bindTo('toString'))).toMatchObject({ success: false })
})

describe('what is refused at registration, all at once', () => {
  test.each([
    [
      'a shape that is none',
      { ...habitCreate, version: 'two', category: 'sports' },
      ['category: ', 'version: '],
    ],
    [
      'required fields that are not the schema’s',
      {
        ...habitCreate,
        id: 'habit.make',
        function_signature: {
          ...habitCreate.function_signature,
          input: { ...habitCreate.function_signature.input, required_fields: ['name', 'cue'] },
        },
      },
      ['required_fields: '],
    ],
    [
      'an example that its own schema refuses',
      {
        ...habitCreate,
        id: 'habit.make',
        function_signature: {
          ...habitCreate.function_signature,
          input: {
            ...habitCreate.function_signature.input,
            examples: [
              { name: 'a', description: 'b', input: { name: '' }, expected_output_type: 'success' },
            ],
          },
        },
      },
      ['examples[0]: '],
    ],
    [
      'an implementation nobody bound',
      {
        ...habitCreate,
        id: 'habit.make',
        implementation: { ...habitCreate.implementation, function: 'nobody' },
      },
      ['Nothing is bound to'],
    ],
    ['a tool that is there already', habitCreate, ['registered already']],
  ])('%s', async (_what, definition, pieces) => {
    const result = await management.registerTool(admin, definition as ToolDefinition)
    expect(result.success).toBe(false)
    for (const piece of pieces) expect(result.errors.join('\n')).toContain(piece)
  })

  test.each([
    ['an agent', { ...admin, actor: 'ai_agent' as const }],
    ['a caller who is neither administrator nor developer', ann],
    ['an administrator of one tenant, without tools.manage', { ...admin, capabilities: [] }],
  ])('%s changes nothing', async (_who, by) => {
    expect(await management.registerTool(by, { ...habitCreate, id: 'habit.make' })).toMatchObject({
      success: false,
    })
    expect(
      await management.updateTool(by, 'habit.create', { description: 'Other words.' }),
    ).toMatchObject({ success: false })
    expect(await management.deprecateTool(by, 'habit.create')).toMatchObject({
      success: false,
    })
  })
})

describe('a tool changes', () => {
  const withInput = (change: Record<string, unknown>): Partial<ToolDefinition> => ({
    function_signature: {
      ...habitCreate.function_signature,
      input: {
        ...habitCreate.function_signature.input,
        schema: { ...habitCreate.function_signature.input.schema, ...change },
      },
    },
  })
  const { properties } = habitCreate.function_signature.input.schema as {
    readonly properties: Record<string, unknown>
  }

  test('a changed description is a patch, and its author is on record', async () => {
    const stores = memoryStores({ clock })
    const own = createRuntime({
      packs: [],
      stores,
      clock,
    })
    const ownTools = manageTools(own, {
      schemas: foreignSchemas(),
      implementations: implementations({ functions }),
    })
    await ownTools.registerTool(admin, habitCreate)
    expect(
      await ownTools.updateTool(admin, 'habit.create', { description: 'Creates a habit.' }),
    ).toMatchObject({
      success: true,
      version: '2.0.1',
      previous_version: '2.0.0',
      change: 'patch',
    })
    const changes = (await stores.audit.list({ tenant: 'home' })).filter(
      (record) => record.phase === 'change',
    )
    expect(
      changes.map(({ principal, outcome, tool_version }) => [principal, outcome, tool_version]),
    ).toEqual([
      ['root', 'registered', '2.0.0'],
      ['root', 'updated from 2.0.0', '2.0.1'],
    ])
  })

  test('a new optional field is a minor, and the old version answers by its number', async () => {
    expect(
      await management.updateTool(
        admin,
        'habit.create',
        withInput({
          properties: { ...properties, tags: { type: 'array', items: { type: 'string' } } },
        }),
      ),
    ).toMatchObject({ success: true, version: '2.1.0', change: 'minor' })
    expect(
      await call('habit.create@2.0.0', { name: 'Read', tags: 'not a list' }, ann, 'a'),
    ).toMatchObject({ status: 'success' })
    expect(
      await call('habit.create', { name: 'Read', tags: 'not a list' }, ann, 'b'),
    ).toMatchObject({
      error: { code: 'TOOL_INVALID_FIELD_TYPE' },
    })
  })

  test('a field that is newly required needs a major', async () => {
    const breaking = { ...withInput({ required: ['name', 'cue'] }), version: '2.1.0' }
    const withExamples = {
      ...breaking,
      function_signature: {
        ...(breaking.function_signature as ToolDefinition['function_signature']),
        input: {
          ...(breaking.function_signature as ToolDefinition['function_signature']).input,
          required_fields: ['name', 'cue'],
          examples: [],
        },
      },
    }
    const refused = await management.updateTool(admin, 'habit.create', withExamples)
    expect(refused).toMatchObject({ success: false, change: 'major' })
    expect(refused.errors.join()).toContain('needs at least 3.0.0')
    expect(
      await management.updateTool(admin, 'habit.create', {
        ...withExamples,
        version: '3.0.0',
      }),
    ).toMatchObject({
      success: true,
      version: '3.0.0',
    })
    expect((await call('habit.create@2', { name: 'Read' }, ann, 'c')).status).toBe('success')
  })

  test('a deprecated tool runs with a warning, is redirected, then refuses', async () => {
    await management.registerTool(admin, { ...habitCreate, id: 'habit.make' })
    const start = clock.now()
    expect(
      await management.deprecateTool(admin, 'habit.create', 'habit.make', {
        redirectFrom: start + 1_000,
        disableFrom: start + 2_000,
      }),
    ).toMatchObject({ success: true, replacement_tool: 'habit.make' })
    expect((await call('habit.create', { name: 'a' }, ann, '1')).metadata.warnings).toEqual([
      'habit.create is deprecated. Use habit.make.',
    ])
    expect(discoverTools(runtime, ann).getTool('habit.create')).toMatchObject({
      replacement_tool: 'habit.make',
      deprecated_at: new Date(start).toISOString(),
    })
    await clock.advance(1_000)
    expect((await call('habit.create', { name: 'b' }, ann, '2')).command).toBe('habit.make')
    await clock.advance(1_000)
    expect(await call('habit.create', { name: 'c' }, ann, '3')).toMatchObject({
      error: { code: 'TOOL_DEPRECATED', recovery_suggestions: ['Call habit.make instead.'] },
    })
  })
})

describe('discovery', () => {
  test('an exact id comes first, then names, and deprecated tools stay hidden', async () => {
    const found = discoverTools(runtime, ann).searchTools('project.status')
    expect(found[0]).toMatchObject({ tool: { id: 'project.status' }, matched: 'id' })
    expect(discoverTools(runtime, ann).searchTools('create a habit')[0]?.tool.id).toBe(
      'habit.create',
    )
    await management.deprecateTool(admin, 'habit.create')
    expect(
      discoverTools(runtime, ann)
        .searchTools('habit')
        .map(({ tool }) => tool.id),
    ).toEqual([])
    expect(
      discoverTools(runtime, ann)
        .searchTools('habit', { include_deprecated: true })
        .map(({ tool }) => tool.id),
    ).toEqual(['habit.create'])
  })

  test('filters by category, permission and security level', () => {
    const search = (options: object) =>
      discoverTools(runtime, ann)
        .searchTools('habit project status create', options)
        .map(({ tool }) => tool.id)
        .sort()
    expect(search({ category_filter: ['habit_management'] })).toEqual(['habit.create'])
    expect(search({ permission_filter: ['project.read'] })).toEqual(['project.status'])
    expect(search({ security_level: 'restricted' })).toEqual([])
  })

  test('what a caller may not use it does not see', () => {
    const withoutRoles = { ...ann, roles: [] }
    expect(discoverTools(runtime, withoutRoles).listTools()).toEqual([])
    expect(discoverTools(runtime, withoutRoles).getTool('habit.create')).toBeNull()
    expect(discoverTools(runtime, withoutRoles).searchTools('habit')).toEqual([])
  })

  test('says what is missing and what would grant it', () => {
    const check = discoverTools(runtime, admin).checkPermissions('habit.create', {
      roles: [],
      capabilities: [],
      session_info: { principal: 'eve', session_id: 's' },
    })
    expect(check.allowed).toBe(false)
    expect(check.missing.map(({ kind, name }) => [kind, name])).toEqual(
      expect.arrayContaining([
        ['role', expect.stringContaining('user')],
        ['capability', 'habit.write'],
      ]),
    )
    for (const { granted_by } of check.missing) expect(granted_by).not.toBe('')
  })

  test('lists what given roles and capabilities could use', () => {
    expect(
      discoverTools(runtime, admin)
        .getAvailableTools(['user'], [])
        .map(({ id }) => id),
    ).toEqual(['habit.create', 'project.status'])
    expect(
      discoverTools(runtime, admin)
        .getAvailableTools(['ai_agent'], [])
        .map(({ id }) => id),
    ).toEqual([])
  })

  test('counts categories and what most of their tools ask for', () => {
    expect(discoverTools(runtime, ann).categories().habit_management).toMatchObject({
      tool_count: 1,
      common_permissions: [{ name: 'habit.write' }],
    })
  })

  test('estimates what a tool costs in a context', () => {
    for (const dialect of ['openai', 'anthropic', 'gemini', 'mcp'] as const)
      expect(discoverTools(runtime, ann).tokens('habit.create', dialect)).toBeGreaterThan(50)
  })

  test("a tenant's list is one, in one order, with runnable descriptors", async () => {
    const toolsOf = toolDescriptors(runtime)
    const list = toolsOf('home')
    expect(toolsOf('home')).toBe(list)
    expect(list.map(({ name }) => name)).toEqual(['habit.create', 'project.status'])
    expect(list[0]?.schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Create Habit',
      description: expect.any(String),
      examples: expect.any(Array),
    })
    expect(await list[0]?.execute({ name: 'Read' }, { caller: ann })).toMatchObject({
      status: 'success',
    })
  })
})

test('the registry is published as one document, with the time of its last change', async () => {
  await clock.advance(60_000)
  const { success } = await management.updateTool(admin, 'habit.create', {
    description: 'Creates a habit.',
  })
  const document = registryDocument(runtime)
  expect([success, Object.keys(document.tools)]).toEqual([true, ['habit.create', 'project.status']])
  expect(document).toMatchObject({
    version: '2.0.0',
    last_updated: new Date(clock.now()).toISOString(),
    tools: { 'habit.create': { version: '2.0.1' } },
    categories: { habit_management: { tool_count: 1 } },
    permissions: { roles: { admin: { inherits: ['power_user'] } } },
  })
})
