import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caller } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { erasePrincipal } from '../commands/principals.ts'
import { readConfig } from '../config/read-config.ts'
import { shopPack, shopProviders } from '../fixtures/credentials/shop-pack.ts'

/** Every row of every table in which the text occurs, as table and columns. */
async function findText({ stores }: App, text: string): Promise<readonly string[]> {
  const tables = await stores.database.query(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
    [],
  )
  const found = new Set<string>()
  for (const { name } of tables)
    for (const row of await stores.database.query(`select * from "${name}"`, []))
      for (const [column, value] of Object.entries(row))
        if (String(value).includes(text)) found.add(`${name}.${column}`)
  return [...found].toSorted()
}

test('after a person is forgotten, they cannot sign in, and no row holds their name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-forgotten-'))
  const read = await readConfig({ env: { SUREHAND_LOG_LEVEL: 'silent' }, folder })
  const app = await createApp({ ...read, packs: [shopPack], providers: shopProviders })
  const { runtime, identityApi, identity } = app
  const system = systemCaller('home')
  const enter = async (principal: string, roles: readonly string[]): Promise<Caller> => {
    await identityApi.principals.put(system, principal, { name: `Name of ${principal}`, roles })
    const session = { id: 's', tenant: 'home', principal, expiresAt: Infinity }
    return (await identity.authenticateSession(session)) as Caller
  }
  try {
    const wilma = await enter('wilhelmina', ['admin', 'user'])
    const bob = await enter('bob', ['user', 'admin'])
    const buy = async (caller: Caller, decider: Caller, number: number): Promise<void> => {
      const asked = await runtime.call({
        tool: 'shop.buy',
        input: { number },
        caller,
        surface: 'test',
      })
      if (asked.status !== 'pending') throw new Error(`The call is ${asked.status}.`)
      const { id, digest, callId } = asked.approval
      await runtime.approvals.decide(decider, id, { verdict: 'approve', digest, reason: 'fine' })
      await expect.poll(async () => (await runtime.answer(caller, callId))?.status).toBe('done')
    }
    await buy(wilma, wilma, 1)
    await buy(wilma, bob, 2)
    await buy(bob, wilma, 3)
    const { token } = await identityApi.tokens.create(system, {
      principal: 'wilhelmina',
      name: 'laptop',
    })
    expect(await identity.authenticate(token)).toBeDefined()
    await identityApi.tokens.create(wilma, { principal: 'bob', name: 'for bob' })
    await identityApi.links.create(system, { principal: 'wilhelmina', roles: [], lifeSeconds: 60 })

    expect((await findText(app, 'wilhelmina')).length).toBeGreaterThan(3)
    await erasePrincipal(app, system, 'wilhelmina')
    expect(await findText(app, 'wilhelmina')).toEqual([])
    expect(await findText(app, 'forgotten:')).toEqual([
      'admin_items.id',
      'approvals.principal',
      'calls.principal',
    ])
    await expect.poll(async () => identity.authenticate(token)).toBeUndefined()
    expect(await app.audit.verify?.('home')).toMatchObject({ kind: 'intact' })
  } finally {
    await app.close()
  }
})
