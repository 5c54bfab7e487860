import { type Caller, createRuntime, implementations, type ToolDefinition, toEnvelope } from '@surehand/core'
import { memoryStores } from '@surehand/memory'
import { describe, expect, test } from 'vitest'
import { startEmulator } from './emulator/start-emulator.ts'
import { externalApiImplementation } from './external-api-implementation.ts'
import habitCreateDocument from './fixtures/habit-create.json' with { type: 'json' }
import { foreignSchemas } from './foreign-schemas.ts'
import { scriptImplementation } from './script-implementation.ts'

const admin: Caller = { tenant: 'home', principal: 'root', actor: 'user', roles: ['admin'], capabilities: [] }
const folder = new URL('./fixtures/scripts', import.meta.url).pathname

function definition(type: ToolDefinition['implementation']['type'], module: string, name: string): ToolDefinition {
  return {
    ...(habitCreateDocument as unknown as ToolDefinition),
    id: `report.${name}`,
    function_signature: {
      input: {
        schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        examples: [],
        required_fields: ['name'],
      },
      output: {
        success_schema: {
          type: 'object',
          required: ['greeting'],
          properties: { greeting: { type: 'string' }, key: { type: 'string' }, environment: { type: 'integer' } },
        },
        error_schemas: {},
      },
    },
    implementation: { type, module, function: name, version_compatibility: ['2.0.0'] },
  }
}

async function call(parts: Parameters<typeof implementations>[0], document: ToolDefinition) {
  const runtime = createRuntime({
    packs: [],
    stores: memoryStores(),
    definitions: { schemas: foreignSchemas(), implementations: implementations(parts) },
  })
  const registered = await runtime.changes.registerTool(admin, document)
  if (!registered.success) return registered.errors
  return toEnvelope(await runtime.call({ tool: document.id, input: { name: 'Ann' }, caller: admin, surface: 'test', withinMs: 2_000 }))
}

const run = (name: string, module = 'report.mjs') =>
  call({ script: scriptImplementation({ folder }) }, definition('script_execution', module, name))

describe('a script', () => {
  test('is given its input and the key of the call, and nothing of our environment', async () => {
    expect(await run('greet')).toMatchObject({ status: 'success', data: { greeting: 'Hello Ann', environment: 0 } })
  })

  test('may refuse in the codes of the table', async () => {
    expect(await run('refuse')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RESOURCE_NOT_FOUND', details: { searched: 'Ann' } },
    })
  })

  test.each([
    ['crash', 'TOOL_DEPENDENCY_ERROR'],
    ['hang', 'TOOL_EXECUTION_TIMEOUT'],
    ['babble', 'TOOL_INVALID_OUTPUT'],
    ['mumble', 'TOOL_INVALID_OUTPUT'],
    ['missing', 'TOOL_DEPENDENCY_ERROR'],
  ])('that does not do its part is told as what it is: %s', async (name, code) => {
    expect(await run(name)).toMatchObject({ error: { code } })
  })

  test.each(['peek', 'write', 'spawn'])('reaches nothing outside its folder: %s', async (name) => {
    expect(await run(name)).toMatchObject({
      data: null,
      error: {
        code: 'TOOL_DEPENDENCY_ERROR',
        details: { complaints: expect.arrayContaining([expect.stringContaining('ERR_ACCESS_DENIED')]) },
      },
    })
  })

  test('outside the folder is not taken', async () => {
    expect(await run('greet', '../../../package.json')).toEqual([expect.stringContaining("not inside the scripts' folder")])
  })
})

describe('an API outside', () => {
  test('is posted the input with the key of the call, and its refusals are told in our codes', async () => {
    const emulator = await startEmulator({
      routes: [
        {
          method: 'POST',
          path: '/v1/greet',
          handle: ({ json, headers }) => ({
            status: 200,
            body: { greeting: `Hello ${(json() as { name: string }).name}`, key: String(headers['idempotency-key']) },
          }),
        },
        { method: 'POST', path: '/v1/refuse', handle: () => ({ status: 422, body: { message: 'no' } }) },
      ],
    })
    const parts = { externalApi: externalApiImplementation({ baseUrls: { reports: `${emulator.url}/v1` } }) }
    expect(await call(parts, definition('external_api', 'reports', 'greet'))).toMatchObject({
      status: 'success',
      data: { greeting: 'Hello Ann', key: expect.stringMatching(/./) },
    })
    expect(await call(parts, definition('external_api', 'reports', 'refuse'))).toMatchObject({
      error: { code: 'TOOL_INVALID_FIELD_VALUE', details: { provider_status: 422 } },
    })
    expect(await call(parts, definition('external_api', 'elsewhere', 'greet'))).toEqual([expect.stringContaining('No address is given')])
    await emulator.stop()
    expect(await call(parts, definition('external_api', 'reports', 'greet'))).toMatchObject({ error: { code: 'TOOL_NETWORK_ERROR' } })
  })
})
