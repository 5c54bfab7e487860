import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Caller, createRuntime, memoryStores, toEnvelope } from '@surehand/core'
import { implementations, manageTools, type ToolDefinition } from '@surehand/documents'
import { foreignSchemas } from '@surehand/json-schema'
import { startEmulator } from '@surehand/testing'
import habitCreateDocument from '@surehand/testing/fixtures/habit-create.json' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { externalApiImplementation } from './external-api-implementation.ts'
import { scriptImplementation } from './script-implementation.ts'

const admin: Caller = {
  tenant: 'home',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: ['tools.manage'],
}
const NEVER = new AbortController()
const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

// Copied, because the checkout may be closed to the account that scripts run with, as it is below
// /root.
let folder: string
beforeAll(async () => {
  folder = await copyScripts(0o755)
})
afterAll(() => rm(folder, { recursive: true }))

async function copyScripts(mode: number): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'surehand-scripts-'))
  await cp(new URL('./fixtures/scripts', import.meta.url), copy, { recursive: true })
  await chmod(copy, mode)
  return copy
}

function definition(
  type: ToolDefinition['implementation']['type'],
  module: string,
  name: string,
): ToolDefinition {
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
          properties: {
            greeting: { type: 'string' },
            key: { type: 'string' },
            environment: { type: 'integer' },
          },
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
  })
  const registered = await manageTools(runtime, {
    schemas: foreignSchemas(),
    implementations: implementations(parts),
  }).registerTool(admin, document)
  if (!registered.success) return registered.errors
  return toEnvelope(
    await runtime.call({
      tool: document.id,
      input: { name: 'Ann' },
      caller: admin,
      surface: 'test',
      withinMs: 2_000,
    }),
  )
}

const run = (name: string, module = 'report.mjs') =>
  call({ script: scriptImplementation({ folder }) }, definition('script_execution', module, name))

describe('a script', () => {
  test('gets its input and the idempotency key, and no environment variables', async () => {
    expect(await run('greet')).toMatchObject({
      status: 'success',
      data: { greeting: 'Hello Ann', environment: 0 },
    })
  })

  test('may fail with any code of the error table', async () => {
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
  ])('that misbehaves is reported with the fitting code: %s', async (name, code) => {
    expect(await run(name)).toMatchObject({ error: { code } })
  })

  test.each(['peek', 'write', 'spawn'])('has no access outside its folder: %s', async (name) => {
    expect(await run(name)).toMatchObject({
      data: null,
      error: {
        code: 'TOOL_DEPENDENCY_ERROR',
        details: {
          complaints: expect.arrayContaining([expect.stringContaining('ERR_ACCESS_DENIED')]),
        },
      },
    })
  })

  test('that uses up its memory is ended, whatever time it has left', async () => {
    const named = definition('script_execution', 'misbehave.mjs', 'hoard').implementation
    const implementation = scriptImplementation({ folder, maxMemoryMb: 16 })(named)
    const execution = { caller: admin, callId: 'c', idempotencyKey: 'k', signal: NEVER.signal }
    await expect(implementation({}, execution as never)).rejects.toMatchObject({
      code: 'TOOL_DEPENDENCY_ERROR',
    })
  })

  test('has its error output reported completely or not at all', async () => {
    const complain = await run('complain', 'misbehave.mjs')
    expect(complain).toMatchObject({
      error: { details: { complaints: expect.arrayContaining(['line', 'the last']) } },
    })
    expect(await run('rant', 'misbehave.mjs')).toMatchObject({
      error: { details: { complaints: [expect.stringContaining('Left out')] } },
    })
  })

  test.runIf(isRootOnLinux)('of a server that runs as root has an account of its own', async () => {
    expect(await run('whoami', 'misbehave.mjs')).toMatchObject({
      data: { greeting: '65534 65534' },
    })
  })

  test.runIf(isRootOnLinux)(
    'that cannot have an account of its own is refused, unless the settings allow the server’s account',
    async () => {
      const closed = await copyScripts(0o700)
      expect(() => scriptImplementation({ folder: closed })).toThrow(
        `Scripts cannot run with an account of their own (uid 65534): that account cannot read ${closed}.`,
      )
      const allowed = await call(
        { script: scriptImplementation({ folder: closed, account: 'same' }) },
        definition('script_execution', 'misbehave.mjs', 'whoami'),
      )
      await rm(closed, { recursive: true })
      expect(allowed).toMatchObject({ data: { greeting: '0 0' } })
    },
  )

  test.runIf(process.getuid?.() !== 0)(
    'of a server that cannot switch accounts is refused where the settings require another account',
    () => {
      expect(() => scriptImplementation({ folder, account: 'separate' })).toThrow(
        'only a process that runs as root on Linux can switch',
      )
    },
  )

  test('cannot open the inspector of the server, nor can any other SIGUSR1', async () => {
    // Signals are delivered to the main thread, and tests run in a worker, so this needs a process.
    const source = `
      import inspector from 'node:inspector'
      import { setTimeout as pause } from 'node:timers/promises'
      import { scriptImplementation } from ${JSON.stringify(new URL('./script-implementation.ts', import.meta.url).href)}
      const script = scriptImplementation({ folder: ${JSON.stringify(folder)} })
      const named = { type: 'script_execution', module: 'misbehave.mjs', function: 'signal', version_compatibility: [] }
      const execution = { caller: {}, callId: 'c', idempotencyKey: 'k', signal: new AbortController().signal }
      const { greeting } = await script(named)({ name: 'Ann' }, execution)
      process.kill(process.pid, 'SIGUSR1')
      await pause(500)
      console.log(JSON.stringify([greeting, inspector.url() ?? 'closed']))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--no-warnings',
      '-e',
      source,
    ])
    expect(JSON.parse(stdout)).toEqual([isRootOnLinux ? 'EPERM' : 'sent', 'closed'])
  })

  test('outside the folder is refused', async () => {
    expect(await run('greet', '../../../package.json')).toEqual([
      expect.stringContaining('not inside the scripts folder'),
    ])
  })
})

describe('an external API', () => {
  test('receives the input with the idempotency key, and its errors are reported with codes of the table', async () => {
    const emulator = await startEmulator({
      routes: [
        {
          method: 'POST',
          path: '/v1/greet',
          handle: ({ json, headers }) => ({
            status: 200,
            body: {
              greeting: `Hello ${(json() as { name: string }).name}`,
              key: String(headers['idempotency-key']),
            },
          }),
        },
        {
          method: 'POST',
          path: '/v1/explain',
          handle: () => ({ status: 422, body: { message: `${'x '.repeat(5_000)}the last` } }),
        },
        {
          method: 'POST',
          path: '/v1/rant',
          handle: () => ({ status: 422, body: { message: 'x'.repeat(100_000) } }),
        },
        {
          method: 'POST',
          path: '/v1/refuse',
          handle: () => ({ status: 422, body: { message: 'no' } }),
        },
      ],
    })
    const parts = {
      externalApi: externalApiImplementation({ baseUrls: { reports: `${emulator.url}/v1` } }),
    }
    expect(await call(parts, definition('external_api', 'reports', 'greet'))).toMatchObject({
      status: 'success',
      data: { greeting: 'Hello Ann', key: expect.stringMatching(/./) },
    })
    expect(await call(parts, definition('external_api', 'reports', 'refuse'))).toMatchObject({
      error: { code: 'TOOL_INVALID_FIELD_VALUE', details: { provider_status: 422 } },
    })
    // Complete or not at all: half a secret would not be scrubbed.
    expect(await call(parts, definition('external_api', 'reports', 'explain'))).toMatchObject({
      error: { details: { provider_message: expect.stringContaining('the last') } },
    })
    expect(await call(parts, definition('external_api', 'reports', 'rant'))).toMatchObject({
      error: { details: { provider_message: expect.stringContaining('Left out') } },
    })
    expect(await call(parts, definition('external_api', 'elsewhere', 'greet'))).toEqual([
      expect.stringContaining('No base URL is configured'),
    ])
    await emulator.stop()
    expect(await call(parts, definition('external_api', 'reports', 'greet'))).toMatchObject({
      error: { code: 'TOOL_NETWORK_ERROR' },
    })
  })
})
