import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  askFor,
  codeForm,
  decideOn,
  mcpStatus,
  registerClient,
  requestTokens,
  signedInBrowser,
  startOAuthServer,
} from '../fixtures/oauth-world.ts'
import { makeKeys } from '../keys.ts'
import type { RunningServer } from '../serve/serve.ts'

let databaseUrl: string
const nodes: RunningServer[] = []

beforeAll(async () => {
  databaseUrl = await createEmptyDatabase(inject('postgres'))
  const data = mkdtempSync(join(tmpdir(), 'surehand-oauth-nodes-'))
  makeKeys(join(data, 'keys.json'))
  const first = await startOAuthServer({ databaseUrl, data })
  // Both are the same server for clients: a balancer in front would choose between them.
  const { publicUrl } = first.addresses
  nodes.push(first, await startOAuthServer({ databaseUrl, data, publicUrl }))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await dropDatabase(databaseUrl)
})

test('two nodes share clients, requests and codes, a code is used at one of them, and revoking is for both', async () => {
  const [a = '', b = ''] = nodes.map(({ port }) => `http://127.0.0.1:${port}`)
  const browser = await signedInBrowser(a, nodes[0]?.welcome.demoTokens?.ann ?? '')
  const client = await registerClient(b)
  const asked = await askFor(a, client)
  const form = codeForm(asked, await decideOn(browser, asked))
  const both = await Promise.all([requestTokens(a, form), requestTokens(b, form)])
  expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)

  const again = await askFor(a, client)
  const { tokens } = await requestTokens(b, codeForm(again, await decideOn(browser, again)))
  expect([
    await mcpStatus(a, tokens.access_token),
    await mcpStatus(b, tokens.access_token),
  ]).toEqual([200, 200])
  const body = new URLSearchParams({ client_id: client, token: tokens.refresh_token })
  expect((await fetch(`${b}/oauth/revoke`, { method: 'POST', body })).status).toBe(200)
  for (const node of [a, b]) await expect.poll(() => mcpStatus(node, tokens.access_token)).toBe(401)
})
