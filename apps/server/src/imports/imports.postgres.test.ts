import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, toEnvelope } from '@surehand/core'
import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { makeKeys } from '../keys.ts'

const NOW = new AbortController().signal
const ann: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['admin', 'user'],
  capabilities: [],
}

let url: string
let vendor: Server
let origin: string
let here: App
let there: App
let words = 'Looks at a thing.'

function publish(): string {
  const operation = (operationId: string, description: string) => ({
    get: {
      operationId,
      description,
      security: [{ token: [] }],
      responses: { '200': { description: 'Fine.' } },
    },
  })
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: `${origin}/v1` }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/thing': operation('getThing', words),
      '/things': operation('listThings', 'Lists things.'),
    },
  })
}

/** A node with a folder of its own, on the one database and with the one file of keys. */
async function openNode(keys: string): Promise<App> {
  const data = mkdtempSync(join(tmpdir(), 'surehand-node-'))
  const env = {
    SUREHAND_DATA: data,
    SUREHAND_KEYS: keys,
    SUREHAND_DATABASE_URL: url,
    SUREHAND_PRIVATE_HOSTS: `home=${new URL(origin).host}`,
    SUREHAND_LOG_LEVEL: 'silent',
  }
  return createApp(await readConfig({ env, folder: data }))
}

beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  vendor = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      request.url === '/openapi.json'
        ? publish()
        : JSON.stringify({ authorized: request.headers.authorization !== undefined }),
    )
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  const keys = join(mkdtempSync(join(tmpdir(), 'surehand-node-')), 'keys.json')
  makeKeys(keys)
  // one after the other: the first founds the app
  here = await openNode(keys)
  there = await openNode(keys)
})
afterAll(async () => {
  await here.close()
  await there.close()
  vendor.close()
  await dropDatabase(url)
})

async function call(app: App, tool: string) {
  return toEnvelope(await app.runtime.call({ tool, input: {}, caller: ann, surface: 'test' }))
}

const code = async (app: App, tool: string) => (await call(app, tool)).error?.code

describe('two nodes on one PostgreSQL', () => {
  test('a document that is imported at one is there at the other, with its credential', async () => {
    const form = { kind: 'openapi', from: { url: `${origin}/openapi.json` }, refreshSeconds: 1 }
    await here.imports.imports.add(ann, 'things', form, NOW)
    await here.imports.credentials.put(ann, 'things.token', {
      kind: 'bearer',
      origins: [origin],
      token: 'a-very-secret-token',
    })
    await expect.poll(async () => (await call(there, 'things.getThing')).status).toBe('success')
    expect(JSON.stringify((await call(there, 'things.getThing')).data)).toContain('true')
    expect(
      (await there.imports.imports.list(ann)).map(({ name, tools }) => ({ name, tools })),
    ).toEqual([{ name: 'things', tools: 2 }])
  })

  test('a change that one of them sees holds the tool back at both, and what is accepted at the other opens it at both', async () => {
    here.startMaintenance()
    words = 'Looks at a thing!'
    for (const app of [here, there])
      await expect.poll(() => code(app, 'things.getThing')).toBe('TOOL_TEMPORARILY_DISABLED')
    for (const app of [here, there])
      expect((await call(app, 'things.listThings')).status).toBe('success')
    const { document, held } = await there.imports.imports.get(ann, 'things')
    expect(held.map(({ id }) => id)).toEqual(['things.getThing'])
    await there.imports.imports.accept(ann, 'things', { document })
    for (const app of [here, there])
      await expect.poll(async () => (await call(app, 'things.getThing')).status).toBe('success')
  })

  test('what is taken away at one is gone at the other', async () => {
    await there.imports.imports.remove(ann, 'things')
    await expect.poll(() => code(here, 'things.getThing')).toBe('TOOL_NOT_FOUND')
  })
})
