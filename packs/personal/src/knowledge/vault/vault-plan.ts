import { defineTool, ToolError } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { readTimeZone } from '../../local-time.ts'
import { type Person, requireSelfScope } from '../../person.ts'

import { bindReader, personalData, type Reader } from '../../personal-data.ts'
import { systemSettings } from '../../system/system-settings.ts'
import { baseName, isNotePath } from '../file-name.ts'
import { readNote } from '../markdown-note.ts'
import { LONGEST_BODY, noteHash } from '../note.ts'
import {
  type FileProblem,
  type FoundFile,
  type PersonalVault,
  personalVault,
} from './personal-vault.ts'
import { type NoteChange, planSync, type Sides, type Synced, type VaultFile } from './plan-sync.ts'
import { MOST_STEPS, Problem, TakeItem, WriteItem } from './shapes.ts'

export const vaultPlan = defineTool({
  id: 'data.vault_plan',
  title: 'Preview a sync',
  category: 'integration',
  description:
    "Show what data.sync_vault would do next with a person's notes and their folder of Markdown files: changes from files, changes to files, and problems. Changes nothing.",
  version: '2.0.0',
  aliases: ['tools.data.vault_plan'],
  input: z.object({}),
  output: z.object({
    takes: z.array(TakeItem),
    writes: z.array(WriteItem),
    problems: z.array(Problem),
    more: z.boolean().describe('There is more than one round can process.'),
    notes: z.int(),
    deletions: z.int().describe('Notes whose files are missing.'),
  }),
  contract: {
    audience: 'steps',
    effect: 'read',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'data.import', scope: 'self_only' },
        { name: 'knowledge.read', scope: 'self_only' },
      ],
    },
    securityLevel: 'confidential',
    timeout: '60s',
    limits: [{ calls: 600, per: '1m' }],
  },
  ports: { data: personalData, vault: personalVault },
  examples: [{ name: 'now', input: {} }],
  execute: async (execution) => {
    const person = requireSelfScope(execution, 'data.import')
    const read = bindReader(execution)
    if ((await systemSettings(person, read)).vault_sync === 'off')
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        'An administrator has switched the syncing of vaults off (setting vault_sync).',
      )
    const today = dayOf(execution.now(), await readTimeZone(execution.caller, read))
    const { sides, texts, problems, waiting } = await readSides(person, {
      vault: execution.ports.vault,
      read,
      signal: execution.signal,
      today,
    })
    const plan = planSync(sides)
    // A file that is not read yet may be one of the missing files under a new name.
    const takes = plan.takes
      .filter(({ kind }) => kind !== 'delete' || waiting === 0)
      .flatMap((take) => withText(take, texts))
    return {
      takes: takes.slice(0, MOST_STEPS),
      writes: plan.writes.slice(0, MOST_STEPS),
      problems: [...problems, ...plan.twins.map(twinProblem)]
        .slice(0, MOST_STEPS)
        .map(({ path, problem }) => ({ path, problem })),
      more: waiting > 0 || takes.length > MOST_STEPS || plan.writes.length > MOST_STEPS,
      notes: sides.notes.length,
      deletions: plan.takes.filter(({ kind }) => kind === 'delete').length,
    }
  },
})

function twinProblem(path: string): { readonly path: string; readonly problem: string } {
  return { path, problem: 'differs from another file only by case: rename one of them' }
}

function withText(take: NoteChange, texts: ReadonlyMap<string, string>): readonly TakeItem[] {
  switch (take.kind) {
    case 'create':
    case 'update':
    case 'copy':
    case 'move': {
      const text = texts.get(take.path)
      return text === undefined ? [] : [{ ...take, text }]
    }
    default:
      return [take]
  }
}

/** The limits of one round; the rest follows in the next round. */
const MOST_FILES = 100

const MOST_BYTES = 300_000

type BothSides = {
  readonly sides: Sides
  readonly texts: ReadonlyMap<string, string>
  readonly problems: readonly FileProblem[]
  /** The number of changed files that are left for the next round. */
  readonly waiting: number
}

const NOTES =
  'select id, path, hash from pm_notes where tenant = ? and owner = ? and deleted_at is null order by id'

const SYNCED =
  'select path, note_id, file_hash, note_hash from pm_vault_files where tenant = ? and owner = ? order by path'

type ReadOptions = {
  readonly vault: PersonalVault
  readonly read: Reader
  readonly signal: AbortSignal
  readonly today: string
}

/** Reads both sides and the sync state; of the changed files, as many as one round can process. */
async function readSides(
  person: Person,
  { vault, read, signal, today }: ReadOptions,
): Promise<BothSides> {
  const { files, problems } = await vault.list(person, signal)
  const notes = (await read(NOTES, person.tenant, person.owner)).map(({ id, path, hash }) => ({
    id: String(id),
    path: String(path),
    hash: String(hash),
  }))
  const synced: readonly Synced[] = (await read(SYNCED, person.tenant, person.owner)).map(
    (row) => ({
      path: String(row.path),
      noteId: String(row.note_id),
      fileHash: String(row.file_hash),
      noteHash: String(row.note_hash),
    }),
  )
  const before = new Map(synced.map(({ path, fileHash }) => [path, fileHash]))
  const changed = files.filter(({ path, hash }) => before.get(path) !== hash)
  const batch = takeBatch(changed)
  const texts = new Map(
    (await vault.read({ person, paths: batch.map(({ path }) => path) }, signal)).map((one) => [
      one.path,
      one,
    ]),
  )
  const looked = files.map((file) =>
    checkFile(file, { isChanged: before.get(file.path) !== file.hash, text: texts.get(file.path) }),
  )
  const fit = looked.filter((one): one is VaultFile => 'hash' in one)
  const unfit = looked.filter((one): one is FileProblem => 'problem' in one)
  const reported = unfit.filter(({ problem }) => problem !== '')
  return {
    sides: {
      notes,
      files: fit,
      synced,
      unreadable: [...problems, ...unfit].map(({ path }) => path),
      copyMark: `conflict ${today}`,
    },
    texts: new Map([...texts].map(([path, { text }]) => [path, text])),
    problems: [...problems, ...reported],
    waiting: unfit.length - reported.length,
  }
}

function takeBatch(changed: readonly FoundFile[]): readonly FoundFile[] {
  let bytes = 0
  return changed.slice(0, MOST_FILES).filter(({ size }, index) => {
    bytes += size
    return index === 0 || bytes <= MOST_BYTES
  })
}

type Reading = {
  readonly isChanged: boolean
  readonly text: { readonly hash: string; readonly text: string } | undefined
}

// An empty problem means that the file is left for the next round.
function checkFile(
  { path, hash }: FoundFile,
  { isChanged, text }: Reading,
): VaultFile | FileProblem {
  if (!isNotePath(path)) return { path, problem: 'has a name that is not valid on every system' }
  if (!isChanged) return { path, hash }
  // The file changed between being listed and being read.
  if (text === undefined || text.hash !== hash) return { path, problem: '' }
  const note = readNote(text.text, baseName(path))
  if (note.body.length > LONGEST_BODY)
    return { path, problem: `is longer than ${LONGEST_BODY} characters` }
  return { path, hash, contentHash: noteHash(note) }
}
