import type { Caller } from '@surehand/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'
import { consented } from './fixtures/consented.ts'
import { exportOf, ROWS } from './fixtures/rows.ts'
import { ALL_TABLES } from './owned-tables.ts'

let world: PersonalWorld
beforeEach(async () => {
  world = await openPersonalWorld()
  await bringIn(ANN)
})
afterEach(() => world.close())

const bringIn = (caller: Caller) =>
  consented(world, {
    tool: 'data.import',
    input: { format: 'json', content: exportOf(ROWS), dry_run: false },
    caller,
  })
const forget = (caller: Caller, input = {}) =>
  consented(world, { tool: 'data.delete_all', input, caller })

/** Every row of the tenant that names a person. */
async function tracesOf(name: string): Promise<readonly string[]> {
  const rows: string[] = []
  for (const table of ALL_TABLES)
    for (const row of await world.query(`select * from ${table.name}`))
      rows.push(JSON.stringify(row))
  return rows.filter((row) => row.includes(`"${name}"`))
}

test('nothing of the person is left, and all data of others stays', async () => {
  await bringIn(BOB)
  const withAnn = exportOf({
    project_members: [{ project_id: 'proj_1', principal: 'ann', added_at: Date.UTC(2026, 0, 2) }],
  })
  await consented(world, {
    tool: 'data.import',
    input: { format: 'json', content: withAnn, dry_run: false },
    caller: BOB,
  })
  await world.data(
    'system.config_set',
    { name: 'vault_sync', value: 'off' },
    { ...ADMIN, principal: 'ann' },
  )
  const his = (await tracesOf('bob')).filter((row) => row.includes('"owner":"bob"'))
  await forget(ANN, { shared_projects: 'delete' })
  expect(await tracesOf('ann')).toEqual([])
  expect((await tracesOf('bob')).filter((row) => row.includes('"owner":"bob"'))).toEqual(his)
})

test('a shared project is handed over to its longest-standing member, under a free name', async () => {
  await consented(world, {
    tool: 'data.import',
    input: { format: 'csv', family: 'projects', content: 'name\nGarden\n', dry_run: false },
    caller: BOB,
  })
  expect((await forget(ANN)).data).toMatchObject({ projects_handed_over: 1 })
  expect(
    await world.query("select name, owner from pm_projects where state <> 'deleted' order by name"),
  ).toEqual([
    { name: 'Garden', owner: 'bob' },
    { name: 'Garden (2)', owner: 'bob' },
  ])
  expect(await tracesOf('ann')).toEqual([])
})

test('it waits for the consent of the person, and of no other', async () => {
  const asked = await world.call('data.delete_all', {}, ANN)
  expect([asked.error?.code, asked.metadata.pending?.asks]).toEqual([
    'TOOL_APPROVAL_REQUIRED',
    expect.stringContaining('Delete all of your data'),
  ])
  const id = String(asked.metadata.pending?.approval_id)
  const { digest, shown } = await world.runtime.approvals.get('home', id)
  expect(JSON.parse(shown).consequence).toContain('handed over to')
  for (const other of [BOB, ADMIN, { ...ANN, actor: 'ai_agent' as const }])
    await expect(
      world.runtime.approvals.decide(other, id, { verdict: 'approve', digest }),
    ).rejects.toThrow()
  expect((await tracesOf('ann')).length).toBeGreaterThan(10)
})

test('an agent may not request it without that capability', async () => {
  expect((await world.call('data.delete_all', {}, { ...ANN, actor: 'ai_agent' })).error?.code).toBe(
    'TOOL_CAPABILITY_MISSING',
  )
})

test('the audit records that it happened', async () => {
  await forget(ANN)
  const rows = await world.query(
    "select tool_name, success from audit_records where tool_name = 'data.delete_all' and success = 1",
  )
  expect(rows.length).toBeGreaterThan(0)
})
