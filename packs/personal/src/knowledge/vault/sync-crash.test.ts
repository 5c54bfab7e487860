import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bothSides, openVaultNode } from '../fixtures/vault-node.ts'

const MAIN = join(import.meta.dirname, '..', 'fixtures', 'vault-node-main.ts')

const root = mkdtempSync(join(tmpdir(), 'surehand-vault-crash-'))
const changed = join(root, 'changed')
let wanted: unknown

/** Every kind of change: new, changed, moved and deleted on either side, and changed on both. */
async function makeChanges(): Promise<void> {
  const home = join(changed, 'vaults', 'home', 'ann')
  mkdirSync(join(home, 'Inbox'), { recursive: true })
  const node = await openVaultNode(changed)
  const add = (title: string, body: string) => node.data('knowledge.note_add', { title, body })
  for (const title of [
    'Edited note',
    'Edited file',
    'Both',
    'Moved',
    'Deleted file',
    'Deleted note',
    'Other',
  ])
    await add(title, title)
  await node.data('data.sync_vault', {})
  await node.data('knowledge.note_link', { from: 'Edited note', to: 'Other' })
  await node.data('knowledge.note_link', { from: 'Both', to: 'Other' })
  await add('New note', 'of the database')
  await add('Another new note', 'of the database too')
  await node.close()
  // No tool deletes a note by itself yet; this is the state that one would leave.
  const database = new DatabaseSync(join(changed, 'personal.db'))
  database.exec("update pm_notes set deleted_at = 1 where title = 'Deleted note'")
  database.close()
  writeFileSync(join(home, 'Edited file.md'), 'words of a file')
  writeFileSync(join(home, 'Both.md'), 'other words of a file')
  writeFileSync(join(home, 'Inbox', 'New file.md'), 'from the phone')
  renameSync(join(home, 'Moved.md'), join(home, 'Inbox', 'Moved there.md'))
  rmSync(join(home, 'Deleted file.md'))
}

async function syncAfterCrash(folder: string): Promise<unknown> {
  const node = await openVaultNode(folder)
  await node.data('data.sync_vault', {})
  await node.settle()
  const sides = await bothSides(folder, node)
  // The calls that the killed process left have ended, so there is nothing left to do.
  expect(await node.data('data.sync_vault', {})).toMatchObject({
    taken: 0,
    written: 0,
    copies: 0,
    deleted: 0,
    removed: 0,
    more: false,
  })
  expect(await bothSides(folder, node)).toEqual(sides)
  expect(
    await node.stores.database.query(
      "select tool_id, state from calls where state <> 'succeeded'",
      [],
    ),
  ).toEqual([])
  await node.close()
  return sides
}

beforeAll(async () => {
  await makeChanges()
  cpSync(changed, join(root, 'whole'), { recursive: true })
  wanted = await syncAfterCrash(join(root, 'whole'))
})
afterAll(() => rmSync(root, { recursive: true }))

test('the expected result contains everything of both sides', () => {
  const { files, notes } = wanted as {
    files: Record<string, string>
    notes: readonly { title: string; lives: number }[]
  }
  expect(Object.values(files)).toEqual(
    expect.arrayContaining([
      'words of a file',
      'other words of a file',
      'of the database',
      'from the phone',
    ]),
  )
  expect(notes.filter(({ lives }) => lives === 1)).toHaveLength(9)
})

test.concurrent.each([
  ['before it has looked', 'readdir', 1, 'before'],
  ['when a round is done and the next one begins', 'readdir', 3, 'before'],
  ['before it writes down what it is about to do', 'calls', 4, 'before'],
  ['in its journal', 'runs', 3, 'after'],
  ['with a draft that is no file yet', 'link', 1, 'before'],
  ['between two files, with a draft of the first', 'link', 1, 'after'],
  ['before a file takes the place of another', 'rename', 2, 'before'],
  ['when one went to the trash', 'rename', 1, 'after'],
] as const)(
  'killed %s, the next sync ends with the same result: nothing is lost or doubled',
  async (_, where, count, side) => {
    const folder = join(root, `${where}-${count}-${side}`)
    cpSync(changed, folder, { recursive: true })
    const dead = spawn(
      process.execPath,
      ['--no-warnings', MAIN, folder, where, String(count), side],
      { stdio: 'inherit' },
    )
    expect(await once(dead, 'exit')).toEqual([null, 'SIGKILL'])
    expect(await syncAfterCrash(folder)).toEqual(wanted)
  },
)
