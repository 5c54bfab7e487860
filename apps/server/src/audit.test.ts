import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type App, createApp, resolveLocalCaller } from './app.ts'
import { type Config, readConfig } from './config/read-config.ts'
import { shopPack, shopProviders } from './fixtures/credentials/shop-pack.ts'

async function openConfig(): Promise<Config> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-audit-'))
  const read = await readConfig({ env: { SUREHAND_LOG_LEVEL: 'silent' }, folder })
  return { ...read, packs: [shopPack], providers: shopProviders }
}

async function listOrders(app: App, count: number): Promise<void> {
  const caller = await resolveLocalCaller(app, {})
  for (let index = 0; index < count; index++)
    await app.runtime.call({
      tool: 'shop.orders',
      input: {},
      caller,
      surface: 'test',
    })
}

const verify = async (app: App) => (await app.audit.verify?.('home')) as Record<string, unknown>

async function inApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(config)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

test('a clean stop leaves every record in the tree, and a verification adds none to it', async () => {
  const config = await openConfig()
  await inApp(config, async (app) => {
    app.startMaintenance()
    // Stopped at once: the records of the last calls are still in memory.
    await listOrders(app, 20)
  })
  const stopped = await inApp(config, verify)
  expect(stopped).toMatchObject({ kind: 'intact', unsequenced: 0 })
  expect(stopped.size).toBeGreaterThanOrEqual(20)
  expect(stopped.anchoredSize).toBe(stopped.size)
  // Without maintenance nothing is signed: neither by closing nor by verifying, twice.
  await inApp(config, (app) => listOrders(app, 3))
  for (let round = 0; round < 2; round++)
    expect(await inApp(config, verify)).toMatchObject({
      kind: 'intact',
      size: Number(stopped.size) + 3,
      signedSize: stopped.size,
      unsequenced: 0,
    })
})

test.each([
  ['deleted', (file: string) => rmSync(file)],
  ['emptied', (file: string) => truncateSync(file)],
])('an audit whose file of heads was %s is broken', async (_, damage) => {
  const config = await openConfig()
  await inApp(config, async (app) => {
    app.startMaintenance()
    await listOrders(app, 2)
  })
  expect(await inApp(config, verify)).toMatchObject({ kind: 'intact' })
  damage(join(config.data, 'audit-heads.jsonl'))
  expect(await inApp(config, verify)).toMatchObject({
    kind: 'broken',
    flaw: { what: expect.stringContaining('audit-heads.jsonl') },
  })
})
