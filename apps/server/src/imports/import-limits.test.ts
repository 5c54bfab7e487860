import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runImport, runMount } from '../commands/import.ts'
import type { RunCommand } from '../commands/with-app.ts'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'

const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: 'https://things.example/v1' }],
  paths: {
    '/things': {
      get: { operationId: 'listThings', responses: { '200': { description: 'All.' } } },
    },
  },
})
const LIMITS = {
  SUREHAND_MOST_DOCUMENTS: '1',
  SUREHAND_MOST_MOUNTS: '0',
  SUREHAND_MOST_DOCUMENT_MEGABYTES: '1',
}

let data: string
let serving: RunningServer
let token: string
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'surehand-limits-'))
  writeFileSync(join(data, 'things.json'), DOCUMENT)
  const config = await readConfig({
    env: { ...LIMITS, SUREHAND_DATA: data, SUREHAND_PORT: '0', SUREHAND_LOG_LEVEL: 'silent' },
    folder: data,
  })
  serving = await serve(config, createLog(config))
  const by = systemCaller('home')
  await serving.app.identityApi.principals.put(by, 'ann', { name: 'Ann', roles: ['admin', 'user'] })
  token = (await serving.app.identityApi.tokens.create(by, { principal: 'ann', name: 'test' }))
    .token
})
afterAll(() => serving.stop())

async function put(name: string, form: object): Promise<readonly [number, string, string]> {
  const response = await fetch(`${serving.addresses.publicUrl}/v1/imports/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(form),
  })
  const { error } = (await response.json()) as {
    readonly error?: { readonly code: string; readonly recovery_suggestions?: readonly unknown[] }
  }
  return [response.status, error?.code ?? '', JSON.stringify(error?.recovery_suggestions ?? [])]
}

const terminal = { stdout: { write: () => true }, stderr: { write: () => true } }

async function refusalOf(run: RunCommand, args: readonly string[]): Promise<unknown> {
  for (const [name, value] of Object.entries({ ...LIMITS, SUREHAND_LOG_LEVEL: 'silent' }))
    vi.stubEnv(name, value)
  try {
    // erased: these commands write, and read nothing
    return await run(args, terminal as never, { data, as: 'ann' } as never).catch(
      (thrown: unknown) => thrown,
    )
  } finally {
    vi.unstubAllEnvs()
  }
}

test('a misspelt name in allow is refused over HTTP, and nothing is imported', async () => {
  const form = { kind: 'openapi', document: DOCUMENT, settings: { allow: ['lstThings'] } }
  expect(await put('misspelt', form)).toEqual([
    400,
    'TOOL_INVALID_FIELD_VALUE',
    expect.stringContaining('Preview the import'),
  ])
  const { imports } = serving.app.imports
  expect((await imports.list(systemCaller('home'))).map(({ name }) => name)).not.toContain(
    'misspelt',
  )
})

test('a tenant that has brought as much as the app allows is told so over HTTP, with what to do', async () => {
  const document = { kind: 'openapi', document: DOCUMENT }
  expect((await put('things', document))[0]).toBe(200)
  expect(await put('more', document)).toEqual([
    409,
    'TOOL_GATE_CLOSED',
    expect.stringContaining('mostDocuments'),
  ])
  expect(await put('far', { kind: 'mcp', from: { url: 'https://mcp.example/' } })).toEqual([
    409,
    'TOOL_GATE_CLOSED',
    expect.stringContaining('mostMounts'),
  ])
  const long = DOCUMENT.replace('All.', 'x'.repeat(1_048_576))
  expect(await put('things', { kind: 'openapi', document: long })).toEqual([
    413,
    'TOOL_INPUT_TOO_LARGE',
    expect.stringContaining('mostDocumentMegabytes'),
  ])
  expect((await put('things', document))[0]).toBe(200)
})

test('and at the command line', async () => {
  const things = join(data, 'things.json')
  expect(await refusalOf(runImport, ['openapi', 'things', things])).toBe(0)
  expect(await refusalOf(runImport, ['openapi', 'more', things])).toMatchObject({
    code: 'TOOL_GATE_CLOSED',
    message: 'A tenant may have at most 1 imported documents, and this one has 1.',
  })
  expect(await refusalOf(runMount, ['far', '--url', 'https://mcp.example/'])).toMatchObject({
    code: 'TOOL_GATE_CLOSED',
    message: expect.stringContaining('mounted servers'),
  })
})
