import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BOB } from '../../../testing/personal-world.ts'
import { openVaultWorld, type VaultWorld } from '../fixtures/vault-world.ts'

let world: VaultWorld
beforeEach(async () => {
  world = await openVaultWorld()
})
afterEach(() => world.close())

const sync = (input = {}) => world.data('data.sync_vault', input)
const add = (title: string, body: string) => world.data('knowledge.note_add', { title, body })
const titles = async (owner = 'ann') =>
  (
    await world.query(
      'select title from pm_notes where owner = ? and deleted_at is null order by title',
      owner,
    )
  ).map(({ title }) => title)
const bodyOf = async (title: string) =>
  (await world.query('select body from pm_notes where title = ? and deleted_at is null', title))[0]
    ?.body

describe('when one side changed', () => {
  test('the other follows, in both directions, and a second sync does nothing', async () => {
    await add('Plan', 'in the database')
    world.put('Inbox/Phone.md', '---\ntags: [phone]\n---\nfrom a file\n')
    expect(await sync()).toMatchObject({
      taken: 1,
      written: 1,
      copies: 0,
      deleted: 0,
      removed: 0,
      problems: [],
      more: false,
    })
    expect(world.files()).toEqual({
      'Inbox/Phone.md': '---\ntags: [phone]\n---\nfrom a file\n',
      'Plan.md': 'in the database',
    })
    expect(await titles()).toEqual(['Phone', 'Plan'])
    world.put('Plan.md', 'edited in Obsidian')
    await world.data('knowledge.note_link', { from: 'Phone', to: 'Plan' })
    expect(await sync()).toMatchObject({ taken: 1, written: 1, copies: 0 })
    expect(await bodyOf('Plan')).toBe('edited in Obsidian')
    expect(world.files()['Inbox/Phone.md']).toContain("relates_to:\n  - '[[Plan]]'")
    expect(await sync()).toMatchObject({
      taken: 0,
      written: 0,
      copies: 0,
      deleted: 0,
      removed: 0,
      more: false,
    })
  })

  test('a deleted file deletes its note', async () => {
    await add('Kept', 'a')
    await add('Gone', 'b')
    await sync()
    world.drop('Gone.md')
    expect(await sync()).toMatchObject({ deleted: 1 })
    expect(await titles()).toEqual(['Kept'])
  })

  test('a renamed file is the same note under its new title', async () => {
    await add('Before', 'the very same words')
    await sync()
    const [{ id } = {}] = await world.query('select id from pm_notes')
    world.put('Sub/After.md', 'the very same words')
    world.drop('Before.md')
    expect(await sync()).toMatchObject({ taken: 1, deleted: 0 })
    expect(
      await world.query('select id, title, path from pm_notes where deleted_at is null'),
    ).toEqual([{ id, title: 'After', path: 'Sub/After.md' }])
  })
})

test('when both changed, both versions are kept, once, also when repeated', async () => {
  await add('Plan', 'first')
  await sync()
  world.put('Plan.md', 'words of the file')
  await world.data('knowledge.note_add', { title: 'Other', body: '' })
  await world.data('knowledge.note_link', { from: 'Plan', to: 'Other' })
  expect(await sync()).toMatchObject({ copies: 1 })
  await sync()
  expect(await titles()).toEqual(['Other', 'Plan', 'Plan (conflict 2026-01-15)'])
  expect(await bodyOf('Plan (conflict 2026-01-15)')).toBe('words of the file')
  expect(world.files()['Plan (conflict 2026-01-15).md']).toBe('words of the file')
  expect(world.files()['Plan.md']).toContain('first')
})

test('a change wins over a deletion on the other side', async () => {
  await add('A', 'a')
  await add('B', 'b')
  await sync()
  world.drop('A.md')
  await world.data('knowledge.note_link', { from: 'A', to: 'B' })
  expect(await sync()).toMatchObject({ deleted: 0, written: 1 })
  expect(await titles()).toEqual(['A', 'B'])
})

describe('a folder', () => {
  test('that is missing does not delete everything', async () => {
    for (const title of ['1', '2', '3', '4', '5', '6', '7']) await add(title, title)
    await sync()
    for (const title of ['1', '2', '3', '4', '5', '6', '7']) world.drop(`${title}.md`)
    const refused = await world.call('data.sync_vault', {})
    expect(refused.error?.code).toBe('TOOL_GATE_CLOSED')
    expect(await titles()).toHaveLength(7)
    expect(await sync({ deletions: 'accepted' })).toMatchObject({ deleted: 7 })
  })

  test('is never left by a link, of a file or of a folder', async () => {
    mkdirSync(join(world.home(), '..', 'outside'), { recursive: true })
    writeFileSync(join(world.home(), '..', 'outside', 'secret.md'), 'of somebody else')
    world.put('Mine.md', 'mine')
    symlinkSync(join(world.home(), '..', 'outside', 'secret.md'), join(world.home(), 'link.md'))
    symlinkSync(join(world.home(), '..', 'outside'), join(world.home(), 'folder'))
    expect(await sync()).toMatchObject({
      taken: 1,
      problems: [{ path: 'link.md', problem: 'is a link and is skipped' }],
    })
    expect(await titles()).toEqual(['Mine'])
    const written = await world.call('data.vault_write', {
      items: [{ kind: 'remove', path: 'folder/secret.md', fileHash: 'x' }],
    })
    expect(written.error?.code).toBe('TOOL_RESOURCE_ACCESS_DENIED')
  })

  test('is never left by a path', async () => {
    for (const path of [
      '../bob/x.md',
      '/etc/x.md',
      'a/../../x.md',
      '.obsidian/x.md',
      'a\\..\\x.md',
      'x.txt',
      '',
      `${'a/'.repeat(20)}x.md`,
    ]) {
      const refused = await world.call('data.vault_write', {
        items: [{ kind: 'put', noteId: 'n', noteHash: 'h', path, fileHash: null }],
      })
      expect([path, refused.error?.code]).toEqual([path, 'TOOL_INVALID_FIELD_VALUE'])
    }
  })

  test('belongs to one person: its content never reaches another', async () => {
    world.put('Ann only.md', 'a')
    world.put('Bob only.md', 'b', 'bob')
    await sync()
    await world.data('data.sync_vault', {}, BOB)
    expect([await titles('ann'), await titles('bob')]).toEqual([['Ann only'], ['Bob only']])
    const [{ id, hash } = {}] = await world.query(
      "select id, hash from pm_notes where owner = 'bob'",
    )
    const stolen = await world.data('data.vault_write', {
      items: [{ kind: 'put', noteId: id, noteHash: hash, path: 'Stolen.md', fileHash: null }],
    })
    expect(stolen).toEqual({
      written: [{ path: 'Stolen.md', done: 'skipped', why: 'the note changed meanwhile' }],
    })
    expect(Object.keys(world.files())).toEqual(['Ann only.md'])
  })

  test('keeps unreadable files and their notes', async () => {
    await add('Plan', 'first')
    await sync()
    writeFileSync(join(world.home(), 'Plan.md'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(await sync()).toMatchObject({
      deleted: 0,
      taken: 0,
      problems: [{ path: 'Plan.md', problem: 'is no text' }],
    })
    expect(await bodyOf('Plan')).toBe('first')
  })
})

test('a file that changed after the plan was made is not overwritten', async () => {
  await add('Plan', 'first')
  const plan = (await world.data('data.vault_plan', {})) as { writes: readonly unknown[] }
  world.put('Plan.md', 'somebody was quicker')
  expect(await world.data('data.vault_write', { items: plan.writes })).toMatchObject({
    written: [{ done: 'skipped' }],
  })
  expect(world.files()['Plan.md']).toBe('somebody was quicker')
  await sync()
  expect(await titles()).toEqual(['Plan', 'Plan (conflict 2026-01-15)'])
})

test('files written before a crash are not written again and not taken for edits', async () => {
  await add('Plan', 'first')
  const plan = (await world.data('data.vault_plan', {})) as { writes: readonly unknown[] }
  expect(await world.data('data.vault_write', { items: plan.writes })).toEqual({
    written: [{ path: 'Plan.md', done: 'written' }],
  })
  expect(await world.data('data.vault_write', { items: plan.writes })).toEqual({
    written: [{ path: 'Plan.md', done: 'same' }],
  })
  expect(await sync()).toMatchObject({ taken: 0, written: 0, copies: 0, problems: [] })
  expect(await world.query('select path from pm_vault_files')).toEqual([{ path: 'Plan.md' }])
})

test('an administrator can switch it off', async () => {
  await world.data(
    'system.config_set',
    { name: 'vault_sync', value: 'off' },
    { ...BOB, principal: 'root', roles: ['admin'] },
  )
  expect((await world.call('data.sync_vault', {})).error?.code).toBe('TOOL_GATE_CLOSED')
})
