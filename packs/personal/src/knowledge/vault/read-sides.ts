import type { Person } from '../../person.ts'
import type { Reader } from '../../personal-data.ts'
import { baseName, isNotePath } from '../file-name.ts'
import { readNote } from '../markdown-note.ts'
import { LONGEST_BODY, noteHash } from '../note.ts'
import type { FileProblem, FoundFile, PersonalVault } from './personal-vault.ts'
import type { Sides, Synced, VaultFile } from './plan.ts'

/** What one round looks at: more comes with the next. */
const MOST_FILES = 100
const MOST_BYTES = 300_000

export type Looked = {
  readonly sides: Sides
  readonly texts: ReadonlyMap<string, string>
  readonly problems: readonly FileProblem[]
  /** Changed files that wait for the next round. */
  readonly waiting: number
}

const NOTES =
  'select id, path, hash from pm_notes where tenant = ? and owner = ? and deleted_at is null order by id'
const SYNCED =
  'select path, note_id, file_hash, note_hash from pm_vault_files where tenant = ? and owner = ? order by path'

type Looking = {
  readonly vault: PersonalVault
  readonly read: Reader
  readonly signal: AbortSignal
  readonly today: string
}

/** Both sides, and how they were when they agreed; of the files that changed, as many as a round can carry are read. */
export async function readSides(
  person: Person,
  { vault, read, signal, today }: Looking,
): Promise<Looked> {
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
  const batch = firstOf(changed)
  const texts = new Map(
    (await vault.read({ person, paths: batch.map(({ path }) => path) }, signal)).map((one) => [
      one.path,
      one,
    ]),
  )
  const looked = files.map((file) =>
    seen(file, { isChanged: before.get(file.path) !== file.hash, text: texts.get(file.path) }),
  )
  const fit = looked.filter((one): one is VaultFile => 'hash' in one)
  const unfit = looked.filter((one): one is FileProblem => 'problem' in one)
  const told = unfit.filter(({ problem }) => problem !== '')
  return {
    sides: {
      notes,
      files: fit,
      synced,
      unreadable: [...problems, ...unfit].map(({ path }) => path),
      copyMark: `conflict ${today}`,
    },
    texts: new Map([...texts].map(([path, { text }]) => [path, text])),
    problems: [...problems, ...told],
    waiting: unfit.length - told.length,
  }
}

function firstOf(changed: readonly FoundFile[]): readonly FoundFile[] {
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

// a problem without words: it waits for the next round
function seen({ path, hash }: FoundFile, { isChanged, text }: Reading): VaultFile | FileProblem {
  if (!isNotePath(path)) return { path, problem: 'has a name that can not be kept everywhere' }
  if (!isChanged) return { path, hash }
  // changed again between being listed and being read
  if (text === undefined || text.hash !== hash) return { path, problem: '' }
  const note = readNote(text.text, baseName(path))
  if (note.body.length > LONGEST_BODY)
    return { path, problem: `is longer than ${LONGEST_BODY} characters` }
  return { path, hash, contentHash: noteHash(note) }
}
