import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { type Person, requireSelfScope, type WriteExecution } from '../../person.ts'

import { baseName, pathKey } from '../file-name.ts'
import { readNote } from '../markdown-note.ts'
import { type Note, toNote } from '../note.ts'
import { markDeleted, storeNote } from '../store-note.ts'
import type { NoteChange } from './plan-sync.ts'
import { MOST_STEPS, Problem, TakeItem } from './shapes.ts'

/** A change with the note that was read from its file, if there is one. */
type ReadChange = NoteChange & { readonly note?: Note; readonly newId: string }

type TakeArgs = Person & { readonly now: number; readonly items: readonly ReadChange[] }

type ItemResult = 'done' | 'changed meanwhile' | 'another note has its name'

type Work = { readonly tx: Tx; readonly args: TakeArgs }

const BY_ID =
  'select * from pm_notes where tenant = ? and owner = ? and id = ? and deleted_at is null'

const AT_PATH =
  'select id from pm_notes where tenant = ? and owner = ? and path_key = ? and deleted_at is null'

const AGREE = `insert into pm_vault_files (tenant, owner, path, note_id, file_hash, note_hash, synced_at) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant, owner, path) do update set note_id = excluded.note_id, file_hash = excluded.file_hash, note_hash = excluded.note_hash,
    synced_at = excluded.synced_at`

const FORGET = 'delete from pm_vault_files where tenant = ? and owner = ? and path = ?'

const FORGET_OTHERS =
  'delete from pm_vault_files where tenant = ? and owner = ? and note_id = ? and path <> ?'

/**
 * Writes the content of files into the notes. A note that was changed since the plan was made is
 * left for the next round.
 */
const takeFromVault = defineTransaction('data.vault_take', async (tx, args: TakeArgs) => {
  const done: Record<string, number> = {}
  const skipped: { path: string; problem: string }[] = []
  for (const item of args.items) {
    const fate = await applyItem({ tx, args }, item)
    if (fate === 'done') done[item.kind] = (done[item.kind] ?? 0) + 1
    else skipped.push({ path: item.path, problem: fate })
  }
  return { done, skipped }
})

async function applyItem(work: Work, item: ReadChange): Promise<ItemResult> {
  const { tx, args } = work
  const { tenant, owner, now } = args
  switch (item.kind) {
    case 'create':
      return createNote(work, {
        id: item.newId,
        path: item.path,
        note: item.note,
        agrees: item.fileHash,
      })
    case 'copy': {
      const fate = await createNote(work, {
        id: item.newId,
        path: item.copyPath,
        note: item.note,
        agrees: undefined,
      })
      // The content of the file is stored as a copy by now, so the note may overwrite the file.
      if (fate === 'done')
        await tx.run(AGREE, tenant, owner, item.path, item.noteId, item.fileHash, '', now)
      return fate
    }
    case 'forget':
      await tx.run(FORGET, tenant, owner, item.path)
      return 'done'
    default:
      return changeNote(work, item)
  }
}

type Creating = {
  readonly id: string
  readonly path: string
  readonly note: Note | undefined
  readonly agrees: string | undefined
}

async function createNote(
  { tx, args }: Work,
  { id, path, note, agrees }: Creating,
): Promise<ItemResult> {
  const { tenant, owner, now } = args
  if (note === undefined) return 'changed meanwhile'
  if ((await tx.get(AT_PATH, tenant, owner, pathKey(path))) !== undefined)
    return 'another note has its name'
  const hash = await storeNote(tx, args, { id, path, note, now })
  if (agrees !== undefined) await tx.run(AGREE, tenant, owner, path, id, agrees, hash, now)
  return 'done'
}

type OfNote = Extract<ReadChange, { readonly kind: 'update' | 'move' | 'delete' | 'settle' }>

async function changeNote({ tx, args }: Work, item: OfNote): Promise<ItemResult> {
  const { tenant, owner, now } = args
  const row = await tx.get(BY_ID, tenant, owner, item.noteId)
  if (row === undefined || row.hash !== item.noteHash) return 'changed meanwhile'
  if (item.kind === 'delete') {
    await markDeleted(tx, args, { id: item.noteId, now })
    await tx.run(FORGET, tenant, owner, item.path)
    return 'done'
  }
  const other =
    item.kind === 'move' ? await tx.get(AT_PATH, tenant, owner, pathKey(item.path)) : undefined
  if (other !== undefined && other.id !== item.noteId) return 'another note has its name'
  // A renamed file changes the title of its note.
  const note = item.kind === 'settle' ? toNote(row) : item.note
  if (note === undefined) return 'changed meanwhile'
  const path = item.kind === 'settle' ? String(row.path) : item.path
  const createdAt = Number(row.created_at)
  const hash =
    item.kind === 'settle'
      ? item.noteHash
      : await storeNote(tx, args, { id: item.noteId, path, note, now, createdAt })
  await tx.run(AGREE, tenant, owner, item.path, item.noteId, item.fileHash, hash, now)
  await tx.run(FORGET_OTHERS, tenant, owner, item.noteId, item.path)
  return 'done'
}

const Input = z.object({ items: z.array(TakeItem).min(1).max(MOST_STEPS) })

export const vaultTake = defineTool({
  id: 'data.vault_take',
  title: 'Take changes from files into notes',
  category: 'integration',
  description:
    'A step of data.sync_vault; call that tool instead. Writes the content of Markdown files into the notes of a person. A note that was changed since the plan was made is skipped.',
  version: '2.0.0',
  aliases: ['tools.data.vault_take'],
  input: Input,
  output: z.object({ done: z.record(z.string(), z.int()), skipped: z.array(Problem) }),
  contract: {
    audience: 'steps',
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'data.import', scope: 'self_only' },
        { name: 'knowledge.write', scope: 'self_only' },
      ],
    },
    securityLevel: 'confidential',
    maxInputBytes: 4 * 1024 * 1024,
    timeout: '60s',
    limits: [{ calls: 600, per: '1m' }],
  },
  examples: [
    {
      name: 'new_file',
      description: 'A file becomes a note',
      input: {
        items: [
          {
            kind: 'create',
            path: 'Inbox/From the phone.md',
            fileHash: 'a1',
            text: '---\ntags: [phone]\n---\nHello\n',
          },
        ],
      },
    },
    {
      name: 'another_file',
      input: {
        items: [{ kind: 'create', path: 'Another.md', fileHash: 'b2', text: 'Hello again\n' }],
      },
    },
  ],
  transaction: transact(takeFromVault, (execution: WriteExecution<z.output<typeof Input>>) => ({
    ...requireSelfScope(execution, 'knowledge.write'),
    now: execution.now(),
    items: execution.input.items.map((item) => parseItem(item, execution.newId('note'))),
  })),
})

// The file name is the title, also that of a conflict copy.
function parseItem(item: TakeItem, newId: string) {
  if (!('text' in item)) return { ...item, newId }
  const { text, ...take } = item
  return {
    ...take,
    newId,
    note: readNote(text, baseName(take.kind === 'copy' ? take.copyPath : take.path)),
  }
}
