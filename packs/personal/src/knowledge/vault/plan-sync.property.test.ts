import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FileChange, type NoteChange, planSync, type Synced } from './plan-sync.ts'

// In this test the text is its own hash: the same text is the same note.
type Sides = {
  notes: Map<string, { path: string; text: string }>
  files: Map<string, string>
  synced: Map<string, Synced>
  trash: string[]
  dropped: string[]
}

const fresh = (): Sides => ({
  notes: new Map(),
  files: new Map(),
  synced: new Map(),
  trash: [],
  dropped: [],
})
let counter = 0

function planOf({ notes, files, synced }: Sides) {
  return planSync({
    notes: [...notes].map(([id, { path, text }]) => ({ id, path, hash: text })),
    files: [...files].map(([path, text]) => ({ path, hash: text, contentHash: text })),
    synced: [...synced.values()],
    unreadable: [],
    copyMark: 'copy',
  })
}

function applyTake(sides: Sides, take: NoteChange): void {
  const agree = (path: string, noteId: string, fileHash: string, noteHash: string) =>
    sides.synced.set(path, { path, noteId, fileHash, noteHash })
  const others = (noteId: string, path: string) => {
    for (const one of [...sides.synced.values()])
      if (one.noteId === noteId && one.path !== path) sides.synced.delete(one.path)
  }
  switch (take.kind) {
    case 'create': {
      const id = `n${++counter}`
      sides.notes.set(id, { path: take.path, text: take.fileHash })
      agree(take.path, id, take.fileHash, take.fileHash)
      return
    }
    case 'copy':
      sides.notes.set(`n${++counter}`, { path: take.copyPath, text: take.fileHash })
      agree(take.path, take.noteId, take.fileHash, '')
      return
    case 'update':
    case 'move':
      sides.notes.set(take.noteId, { path: take.path, text: take.fileHash })
      agree(take.path, take.noteId, take.fileHash, take.fileHash)
      others(take.noteId, take.path)
      return
    case 'settle':
      agree(take.path, take.noteId, take.fileHash, take.noteHash)
      others(take.noteId, take.path)
      return
    case 'delete':
      sides.dropped.push(take.noteHash)
      sides.notes.delete(take.noteId)
      sides.synced.delete(take.path)
      return
    case 'forget':
      sides.synced.delete(take.path)
  }
}

function applyWrite(sides: Sides, write: FileChange): void {
  const now = sides.files.get(write.path)
  if ((now ?? null) !== write.fileHash) return
  if (write.kind === 'remove') {
    sides.trash.push(now ?? '')
    sides.files.delete(write.path)
  } else sides.files.set(write.path, write.noteHash)
}

/**
 * Runs rounds until nothing is left to do; `stopAt` crashes after that many actions of the first
 * round.
 */
function sync(sides: Sides, stopAt = Number.POSITIVE_INFINITY): number {
  let actions = 0
  for (let round = 1; round <= 12; round++) {
    const { takes, writes } = planOf(sides)
    if (takes.length + writes.length === 0) return round
    for (const take of takes) if (actions++ < stopAt) applyTake(sides, take)
    for (const write of writes) if (actions++ < stopAt) applyWrite(sides, write)
    if (actions > stopAt) return round
  }
  throw new Error('it never comes to rest')
}

const name = fc.constantFrom('a.md', 'b.md', 'c.md', 'A.md', 'x/a.md')
const edit = fc.oneof(
  fc.record({ kind: fc.constantFrom('file', 'note'), path: name, text: fc.nat({ max: 8 }) }),
  fc.record({ kind: fc.constantFrom('drop file', 'drop note'), path: name, text: fc.constant(0) }),
  fc.record({ kind: fc.constantFrom('sync', 'crash'), path: name, text: fc.nat({ max: 6 }) }),
)

function doEdit(
  sides: Sides,
  { kind, path, text }: { kind: string; path: string; text: number },
): string | undefined {
  const words = `text ${text}`
  const id = [...sides.notes].find(
    ([, note]) => note.path.toLowerCase() === path.toLowerCase(),
  )?.[0]
  switch (kind) {
    case 'file':
      sides.files.set(path, words)
      return words
    case 'note':
      sides.notes.set(id ?? `n${++counter}`, {
        path: sides.notes.get(id ?? '')?.path ?? path,
        text: words,
      })
      return words
    case 'drop file':
      sides.files.delete(path)
      return undefined
    case 'drop note':
      if (id !== undefined) sides.notes.delete(id)
      return undefined
    case 'sync':
      sync(sides)
      return undefined
    default:
      sync(sides, text)
      return undefined
  }
}

test('after any edits on both sides and a crash at any point, both sides end in sync', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 25 }), (edits) => {
      const sides = fresh()
      for (const one of edits) doEdit(sides, one)
      sync(sides)
      const notes = [...sides.notes.values()]
        .map(({ path, text }) => [path.toLowerCase(), text])
        .toSorted()
      const { twins } = planOf(sides)
      const files = [...sides.files]
        .filter(([path]) => !twins.includes(path))
        .map(([path, text]) => [path.toLowerCase(), text])
      expect(files.toSorted()).toEqual(notes)
    }),
    { numRuns: 2_000 },
  )
})

test('content that was written and not deleted exists afterwards on both sides', () => {
  const buildWriteRequest = fc.record({
    kind: fc.constantFrom('file', 'note'),
    path: name,
    text: fc.nat({ max: 50 }),
  })
  const dropping = fc.record({
    kind: fc.constantFrom('drop file', 'drop note'),
    path: name,
    text: fc.constant(0),
  })
  fc.assert(
    fc.property(
      fc.array(buildWriteRequest, { maxLength: 6 }),
      fc.array(fc.oneof(buildWriteRequest, dropping), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 10 }),
      (before, after, stopAt) => {
        const sides = fresh()
        for (const one of before) doEdit(sides, one)
        sync(sides)
        for (const one of after) doEdit(sides, one)
        // The last content of each path on both sides before the sync.
        const { twins } = planOf(sides)
        const standing = [
          ...[...sides.files].flatMap(([path, text]) => (twins.includes(path) ? [] : [text])),
          ...[...sides.notes.values()].map(({ text }) => text),
        ]
        const agreed = new Set(
          [...sides.synced.values()].flatMap(({ fileHash, noteHash }) => [fileHash, noteHash]),
        )
        sync(sides, stopAt)
        sync(sides)
        const there = new Set([...sides.notes.values()].map(({ text }) => text))
        for (const words of standing) if (!agreed.has(words)) expect(there).toContain(words)
      },
    ),
    { numRuns: 2_000 },
  )
})
