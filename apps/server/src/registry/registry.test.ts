import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-registry-'))
const tokens = { root: '', ann: '' }
let serving: RunningServer

async function start(): Promise<void> {
  const env = { SUREHAND_PORT: '0', SUREHAND_BUILT_IN: 'personal', SUREHAND_LOG_LEVEL: 'silent' }
  const config = await readConfig({ env, folder })
  serving = await serve(config, createLog(config), {})
}

beforeAll(async () => {
  writeFileSync(
    join(folder, 'surehand.config.mjs'),
    'export default { implementations: () => async ({ text }) => ({ said: text }) }',
  )
  await start()
  const by = systemCaller(serving.app.config.home)
  const { principals, tokens: issuer } = serving.app.identityApi
  await principals.put(by, 'root', { name: 'Root', roles: ['admin'] })
  await principals.put(by, 'ann', { name: 'Ann', roles: ['user'] })
  for (const principal of ['root', 'ann'] as const)
    tokens[principal] = (
      await issuer.create(by, { principal, name: principal, actor: 'user' })
    ).token
})
afterAll(async () => {
  await serving.stop()
  rmSync(folder, { recursive: true })
})

type Answer = {
  readonly status: string
  readonly data: Record<string, unknown> | null
  readonly error?: { readonly code: string; readonly message: string }
  readonly metadata: { readonly input_validation: { readonly validation_time: number } }
}

async function send(path: string, who: keyof typeof tokens, body?: object): Promise<Answer> {
  const response = await fetch(`${serving.addresses.publicUrl}${path}`, {
    headers: { authorization: `Bearer ${tokens[who]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await response.json()) as Answer
}
const call = (tool: string, input: object, who: keyof typeof tokens = 'root') =>
  send(`/v1/tools/${tool}/call`, who, input)

const ECHO = {
  id: 'echo.say',
  name: 'Say',
  category: 'custom',
  version: '1.0.0',
  description: 'Says a text.',
  function_signature: {
    input: {
      schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      examples: [],
      required_fields: ['text'],
    },
    output: {
      success_schema: { type: 'object', properties: { said: { type: 'string' } } },
      error_schemas: {},
    },
  },
  permissions: { required_roles: ['user'], required_capabilities: [], resource_access: [] },
  security_level: 'internal',
  implementation: {
    type: 'function_call',
    module: 'echo',
    function: 'say',
    version_compatibility: ['1.0.0'],
  },
  validation: {
    input_validation: 'strict',
    output_validation: 'strict',
    permission_check: 'required',
  },
  created_at: '2026-11-16T00:00:00Z',
  updated_at: '2026-11-16T00:00:00Z',
}

describe('over HTTP', () => {
  test('permissions are checked for given roles, without a session, and for the caller', async () => {
    expect(
      await call('registry.check_permissions', {
        tool_id: 'habit.create',
        roles: ['user'],
        capabilities: [],
      }),
    ).toMatchObject({ data: { allowed: true, missing: [] } })
    expect(
      await call('registry.check_permissions', { tool_id: 'registry.document' }, 'ann'),
    ).toMatchObject({ data: { allowed: false, missing: [{ kind: 'role' }, expect.anything()] } })
  })

  test('an error code is explained, and an unknown one is refused', async () => {
    expect(
      await call('registry.error_recovery', { error_code: 'TOOL_RATE_LIMIT_EXCEEDED' }, 'ann'),
    ).toMatchObject({
      data: {
        errors: [
          { is_recoverable: true, recovery_strategies: [{ strategy_id: 'wait_then_retry' }] },
        ],
      },
    })
    expect(await call('registry.error_recovery', { error_code: 'NO' })).toMatchObject({
      error: { code: 'TOOL_RESOURCE_NOT_FOUND' },
    })
  })

  test('the registry document is for administrators, and says what document 004 says', async () => {
    const { data } = await call('registry.document', {})
    const tools = data?.tools as Record<string, Record<string, unknown>>
    expect(tools['habit.create']).toMatchObject({
      implementation: { module: 'pm.tools.habit_tools', function: 'create_habit' },
      created_at: '2025-01-15T00:00:00.000Z',
    })
    expect(tools['project.status']).toMatchObject({
      implementation: { module: 'pm.tools.project_tools', function: 'get_project_status' },
    })
    expect(await call('registry.document', {}, 'ann')).toMatchObject({
      error: { code: 'TOOL_ROLE_NOT_AUTHORIZED' },
    })
  })

  test('lists and searches accept the options of document 004', async () => {
    const ids = async (query: string) => {
      const path = `/v1/tools?limit=100&category=habit_management&${query}`
      const items = (await send(path, 'root')).data?.items ?? []
      return (items as readonly { readonly id: string }[]).map(({ id }) => id)
    }
    expect(await ids('role=power_user')).toEqual(expect.arrayContaining(await ids('role=user')))
    expect(
      await send('/v1/search?q=habit&permission=habit.delete&include_deprecated=true', 'root'),
    ).toMatchObject({ data: { items: [{ tool: { id: 'habit.delete' } }] } })
  })

  test('a tool is registered, updated, deprecated, and still there after a restart', async () => {
    expect(await call('registry.register_tool', { definition: ECHO }, 'ann')).toMatchObject({
      error: { code: 'TOOL_ROLE_NOT_AUTHORIZED' },
    })
    expect(await call('registry.register_tool', { definition: ECHO })).toMatchObject({
      data: { success: true, tool_id: 'echo.say', version: '1.0.0' },
    })
    expect(await call('echo.say', { text: 'hello' }, 'ann')).toMatchObject({
      data: { said: 'hello' },
    })
    const words = { name: 'Repeat a text' }
    expect(
      await call('registry.update_tool', { tool_id: 'echo.say', updates: words }),
    ).toMatchObject({ data: { success: true, version: '1.0.1', change: 'patch' } })
    expect(
      await call('registry.update_tool', { tool_id: 'habit.list', updates: words }),
    ).toMatchObject({ data: { success: true } })
    expect(await call('registry.update_tool', { tool_id: 'no.tool', updates: {} })).toMatchObject({
      status: 'failed',
      data: { success: false, errors: [expect.any(String)] },
      error: { code: 'TOOL_INVALID_INPUT' },
    })
    expect(await call('registry.deprecate_tool', { tool_id: 'echo.say' })).toMatchObject({
      data: { success: true },
    })
    await serving.stop()
    await start()
    expect(await send('/v1/tools/echo.say', 'ann')).toMatchObject({
      data: { name: 'Repeat a text', version: '1.0.1', deprecated_at: expect.any(String) },
    })
    expect(await send('/v1/tools/habit.list', 'ann')).toMatchObject({
      data: { name: 'Repeat a text' },
    })
    expect(await call('echo.say', { text: 'again' }, 'ann')).toMatchObject({
      data: { said: 'again' },
    })
  })

  test('a v1 call is served, with the date on which that ends', async () => {
    const answer = await send('/personal/v1/call', 'ann', {
      tool: 'create_habit',
      args: { habit_name: 'Read', freq: 'day' },
    })
    expect(answer).toMatchObject({ success: true, data: { habit: { name: 'Read' } } })
    expect(await send('/personal/v1/call', 'ann', { args: {} })).toMatchObject({ success: false })
  })

  test('a failed validation says how long it took', async () => {
    const { status, metadata } = await call('habit.create', {}, 'ann')
    expect([status, metadata.input_validation.validation_time > 0]).toEqual(['failed', true])
  })
})

test('over MCP, administrators find the tools of the registry', async () => {
  const client = new Client(
    { name: 'console', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${tokens.root}` } }
  const url = new URL(`${serving.addresses.publicUrl}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const { structuredContent } = await client.callTool({
    name: 'registry__check_permissions',
    arguments: { tool_id: 'registry.register_tool' },
    _meta: { 'surehand/envelope': true },
  })
  expect(structuredContent).toMatchObject({ allowed: true })
  await client.close()
})
