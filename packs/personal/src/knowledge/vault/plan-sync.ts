import { addNumber, pathKey } from '../file-name.ts'

/** A note in the database. */
type VaultNote = { readonly id: string; readonly path: string; readonly hash: string }
/**
 * A file in the folder; `contentHash` is the hash of the note that it contains, when it was read.
 */
export type VaultFile = {
  readonly path: string
  readonly hash: string
  readonly contentHash?: string
}
/** The state of a file and its note when they were last in sync. */
export type Synced = {
  readonly path: string
  readonly noteId: string
  readonly fileHash: string
  readonly noteHash: string
}

/**
 * A change of the database. It contains the hashes that were seen, so that a concurrent change is
 * never overwritten.
 */
export type NoteChange =
  | { readonly kind: 'create'; readonly path: string; readonly fileHash: string }
  | {
      readonly kind: 'update'
      readonly noteId: string
      readonly noteHash: string
      readonly path: string
      readonly fileHash: string
    }
  /** Both were changed: the content of the file becomes a note of its own. */
  | {
      readonly kind: 'copy'
      readonly noteId: string
      readonly path: string
      readonly fileHash: string
      readonly copyPath: string
    }
  | {
      readonly kind: 'move'
      readonly noteId: string
      readonly noteHash: string
      readonly from: string
      readonly path: string
      readonly fileHash: string
    }
  | {
      readonly kind: 'delete'
      readonly noteId: string
      readonly noteHash: string
      readonly path: string
    }
  | {
      readonly kind: 'settle'
      readonly noteId: string
      readonly noteHash: string
      readonly path: string
      readonly fileHash: string
    }
  | { readonly kind: 'forget'; readonly path: string }

/** A change of the folder. */
export type FileChange =
  | {
      readonly kind: 'put'
      readonly noteId: string
      readonly noteHash: string
      readonly path: string /** The current content; null when there is no file. */
      readonly fileHash: string | null
    }
  | { readonly kind: 'remove'; readonly path: string; readonly fileHash: string }

type Plan = { readonly takes: readonly NoteChange[]; readonly writes: readonly FileChange[] }
/**
 * Twins are files whose paths differ only by case. They are not synced, because not every disk can
 * tell them apart.
 */
type WholePlan = Plan & { readonly twins: readonly string[] }

export type Sides = {
  readonly notes: readonly VaultNote[]
  readonly files: readonly VaultFile[]
  readonly synced: readonly Synced[]
  /** Files that cannot be read: they and their notes are left unchanged. */
  readonly unreadable: readonly string[]
  /** The suffix of a conflict copy. */
  readonly copyMark: string
}

type View = {
  readonly notesByKey: ReadonlyMap<string, VaultNote>
  readonly notesById: ReadonlyMap<string, VaultNote>
  readonly filesByPath: ReadonlyMap<string, VaultFile>
  readonly taken: Set<string>
  readonly copyMark: string
}

/**
 * Plans a three-way sync of a folder and the database, by the changes since they were last in sync.
 * When one side changed, the other follows. When both changed, both versions are kept. A change on
 * one side wins over a deletion on the other.
 */
export function planSync({
  notes,
  files: found,
  synced: agreed,
  unreadable,
  copyMark,
}: Sides): WholePlan {
  const ids = new Set(notes.map(({ id }) => id))
  const named = new Set(notes.map(({ path }) => pathKey(path)))
  // The note was deleted and another one has its path: the sync state says nothing about that one.
  const synced = agreed.filter(({ noteId, path }) => ids.has(noteId) || !named.has(pathKey(path)))
  const syncedPaths = new Set(synced.map(({ path }) => path))
  const twins = findTwins(found, syncedPaths)
  const files = found.filter(({ path }) => !twins.has(path))
  const left = new Set([...unreadable, ...twins])
  const isLeft = (path: string) => left.has(path)
  const view: View = {
    notesById: new Map(notes.map((note) => [note.id, note])),
    notesByKey: new Map(notes.map((note) => [pathKey(note.path), note])),
    filesByPath: new Map(files.map((file) => [file.path, file])),
    taken: new Set([...notes, ...files].map(({ path }) => pathKey(path))),
    copyMark,
  }
  const known = synced.filter(
    ({ path, noteId }) => !isLeft(path) && !isLeft(currentPath(view.notesById.get(noteId), path)),
  )
  const moves = findMoves(known, files, view)
  const moved = new Set(moves.flatMap(({ from, path }) => [from, path]))
  const ofKnown = known.filter(({ path }) => !moved.has(path)).map((one) => planSynced(one, view))
  const syncedNotes = new Set(synced.map(({ noteId }) => noteId))
  const newFiles = files.filter(
    ({ path }) => !syncedPaths.has(path) && !moved.has(path) && !isLeft(path),
  )
  const newNotes = notes.filter(({ id, path }) => !syncedNotes.has(id) && !isLeft(path))
  const waiting = new Set(newFiles.map(({ path }) => pathKey(path)))
  const ofNew = [
    ...newFiles.map((file) => adoptFile(file, view)),
    ...newNotes.map((note) => publishNote(note, waiting)),
  ]
  return { ...joinPlans([...ofKnown, { takes: moves, writes: [] }, ...ofNew]), twins: [...twins] }
}

// Of several twins, the one that was synced before stays in sync.
function findTwins(
  files: readonly VaultFile[],
  syncedPaths: ReadonlySet<string>,
): ReadonlySet<string> {
  const groups = Map.groupBy(files, ({ path }) => pathKey(path))
  const others = [...groups.values()]
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const [kept] = group.toSorted(
        (one, other) => Number(syncedPaths.has(other.path)) - Number(syncedPaths.has(one.path)),
      )
      return group.filter((file) => file !== kept)
    })
  return new Set(others.map(({ path }) => path))
}

const NOTHING: Plan = { takes: [], writes: [] }
const take = (one: NoteChange): Plan => ({ takes: [one], writes: [] })
const write = (...some: readonly FileChange[]): Plan => ({ takes: [], writes: some })

function joinPlans(plans: readonly Plan[]): Plan {
  return {
    takes: plans.flatMap(({ takes }) => takes),
    writes: plans.flatMap(({ writes }) => writes),
  }
}

/** A file that disappeared while the same text appeared under another name was renamed. */
function findMoves(
  known: readonly Synced[],
  files: readonly VaultFile[],
  { notesById, filesByPath }: View,
): readonly Extract<NoteChange, { kind: 'move' }>[] {
  const syncedPaths = new Set(known.map(({ path }) => path))
  const fresh = files.filter(({ path }) => !syncedPaths.has(path))
  const used = new Set<string>()
  return known.flatMap(({ path: from, noteId, fileHash, noteHash }) => {
    const note = notesById.get(noteId)
    if (filesByPath.has(from) || note === undefined || note.hash !== noteHash || note.path !== from)
      return []
    const to = fresh.find((file) => file.hash === fileHash && !used.has(file.path))
    if (to === undefined) return []
    used.add(to.path)
    return [{ kind: 'move' as const, noteId, noteHash, from, path: to.path, fileHash }]
  })
}

function planSynced(one: Synced, view: View): Plan {
  const note = view.notesById.get(one.noteId)
  const file = view.filesByPath.get(one.path)
  if (note === undefined) return planWithoutNote(one, file)
  const path = currentPath(note, one.path)
  const isNoteChanged = note.hash !== one.noteHash || path !== one.path
  if (file === undefined) {
    if (isNoteChanged)
      return write({ kind: 'put', noteId: note.id, noteHash: note.hash, path, fileHash: null })
    return take({ kind: 'delete', noteId: note.id, noteHash: note.hash, path: one.path })
  }
  const isFileChanged = file.hash !== one.fileHash
  if (isNoteChanged && isFileChanged) return resolveConflict({ note, file }, view)
  if (isFileChanged)
    return take({
      kind: 'update',
      noteId: note.id,
      noteHash: note.hash,
      path: file.path,
      fileHash: file.hash,
    })
  return isNoteChanged ? rewriteFile({ ...note, path }, file, view) : NOTHING
}

function planWithoutNote({ path, fileHash }: Synced, file: VaultFile | undefined): Plan {
  if (file === undefined) return take({ kind: 'forget', path })
  // The file was changed after the note was deleted, so its content is kept as a new note.
  return file.hash === fileHash
    ? write({ kind: 'remove', path, fileHash })
    : take({ kind: 'create', path, fileHash: file.hash })
}

function rewriteFile(note: VaultNote, file: VaultFile, { filesByPath }: View): Plan {
  const put = { kind: 'put' as const, noteId: note.id, noteHash: note.hash, path: note.path }
  if (note.path === file.path) return write({ ...put, fileHash: file.hash })
  // Another file is at the new path: it is adopted first, and this one follows in the next round.
  if (filesByPath.has(note.path)) return NOTHING
  return write({ ...put, fileHash: null }, { kind: 'remove', path: file.path, fileHash: file.hash })
}

function resolveConflict(
  { note, file }: { readonly note: VaultNote; readonly file: VaultFile },
  { taken, copyMark }: View,
): Plan {
  if (file.contentHash === note.hash && isSame(file.path, note.path))
    return take({
      kind: 'settle',
      noteId: note.id,
      noteHash: note.hash,
      path: file.path,
      fileHash: file.hash,
    })
  const wanted = file.path.replace(/\.md$/i, ` (${copyMark}).md`)
  let copyPath = wanted
  for (let number = 2; taken.has(pathKey(copyPath)); number++) copyPath = addNumber(wanted, number)
  taken.add(pathKey(copyPath))
  return take({ kind: 'copy', noteId: note.id, path: file.path, fileHash: file.hash, copyPath })
}

/** A new file becomes a new note, unless a note has its path already. */
function adoptFile(file: VaultFile, view: View): Plan {
  const note = view.notesByKey.get(pathKey(file.path))
  if (note === undefined) return take({ kind: 'create', path: file.path, fileHash: file.hash })
  return resolveConflict({ note, file }, view)
}

/** A note that was never in the folder. */
function publishNote({ id, path, hash }: VaultNote, waiting: ReadonlySet<string>): Plan {
  return waiting.has(pathKey(path))
    ? NOTHING
    : write({ kind: 'put', noteId: id, noteHash: hash, path, fileHash: null })
}

function isSame(one: string, other: string): boolean {
  return pathKey(one) === pathKey(other)
}

// A path that differs only by case is the same file on many disks, so the path of the file is used.
function currentPath(note: VaultNote | undefined, path: string): string {
  return note === undefined || isSame(note.path, path) ? path : note.path
}
