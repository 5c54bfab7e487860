import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { travelPack } from '@surehand/travel'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { makeKeys } from '../keys.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'

let databaseUrl: string
const nodes: RunningServer[] = []

beforeAll(async () => {
  databaseUrl = await createEmptyDatabase(inject('postgres'))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await dropDatabase(databaseUrl)
})

async function startNode(keys: string): Promise<RunningServer> {
  const env = {
    SUREHAND_DATA: mkdtempSync(join(tmpdir(), 'surehand-demo-node-')),
    SUREHAND_DATABASE_URL: databaseUrl,
    SUREHAND_KEYS: keys,
    SUREHAND_PORT: '0',
    SUREHAND_LOG_LEVEL: 'silent',
  }
  const config = await readDemoConfig({ env, folder: tmpdir() })
  return serve({ ...config, packs: [travelPack] }, createLog(config), { demos: true })
}

test('two nodes that start the demo at once on an empty database both run, and write its data once', async () => {
  const keys = join(mkdtempSync(join(tmpdir(), 'surehand-demo-keys-')), 'keys.json')
  makeKeys(keys)
  const started = await Promise.allSettled([startNode(keys), startNode(keys)])
  nodes.push(...started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : [])))
  expect(started.map((node) => (node.status === 'rejected' ? node.reason : 'runs'))).toEqual([
    'runs',
    'runs',
  ])
  for (const { port, welcome, links } of nodes) {
    const call = async (tool: string, input: object) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/tools/${tool}/call`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${welcome.demoTokens?.ann}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(input),
      })
      return ((await response.json()) as { readonly data: object }).data
    }
    expect(await call('travel.listTravelPlans', {})).toMatchObject({ total: 1 })
    expect(links.map(({ url }) => url)).toEqual([`http://127.0.0.1:${port}/travel/plans`])
  }
})
