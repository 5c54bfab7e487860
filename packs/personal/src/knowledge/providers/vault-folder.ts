import { createHash, randomUUID } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { link, lstat, mkdir, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '@surehand/core'
import { type Row, type SqlValue, sha256 } from '@surehand/core/internal'
import type { Person } from '../../person.ts'
import { baseName, isNotePath } from '../file-name.ts'
import { writeNote } from '../markdown-note.ts'
import { toNote } from '../note.ts'
import type {
  FileProblem,
  FileText,
  FoundFile,
  PersonalVault,
  Written,
} from '../vault/personal-vault.ts'
import type { FileChange } from '../vault/plan-sync.ts'

const MOST_FILES = 20_000
const LARGEST_BYTES = 1_000_000
const DEEPEST = 10
const TRASH = '.trash'

type VaultFolderOptions = {
  /**
   * The folder that contains each person's own folder; undefined when PERSONAL_VAULTS is not set.
   */
  readonly root: string | undefined
  /** Reads notes, so that a file gets the current content of the database. */
  readonly query: (sql: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
}

/**
 * Vaults in a folder of this machine. Links are never followed, and nothing outside a person's own
 * folder is touched.
 */
export function vaultFolder({ root, query }: VaultFolderOptions): PersonalVault {
  const folderOf = (person: Person) => resolveHome(root, person)
  return {
    async list(person, signal) {
      const listing = { files: [] as FoundFile[], problems: [] as FileProblem[] }
      await walk({ home: await folderOf(person), listing, signal }, '')
      return listing
    },
    async read({ person, paths }, signal) {
      const home = await folderOf(person)
      const found: FileText[] = []
      for (const path of paths) {
        signal.throwIfAborted()
        const file = await readText(home, path)
        if (file !== undefined) found.push({ path, ...file })
      }
      return found
    },
    async apply({ person, items }, signal) {
      const home = await folderOf(person)
      const written: Written[] = []
      for (const item of items) {
        signal.throwIfAborted()
        written.push(
          item.kind === 'put'
            ? await writeFile({ home, person, query }, item)
            : await trashFile(home, item),
        )
      }
      return written
    },
    async forget(person) {
      const home = await folderOf(person)
      const files = await readdir(home, { recursive: true, withFileTypes: true }).catch(
        emptyIfMissing,
      )
      await rm(home, { recursive: true, force: true })
      return { files: files.filter((entry) => entry.isFile()).length }
    },
  }
}

async function resolveHome(root: string | undefined, person: Person): Promise<string> {
  if (root === undefined || root === '')
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'No folder for vaults is set. The operator of the server sets PERSONAL_VAULTS.',
    )
  try {
    return join(await realpath(root), ...personFolder(person))
  } catch (cause) {
    throw new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      'The folder for vaults does not exist. Check whether its disk is mounted.',
      {
        cause,
        effect: 'none',
      },
    )
  }
}

type Walk = {
  readonly home: string
  readonly listing: { readonly files: FoundFile[]; readonly problems: FileProblem[] }
  readonly signal: AbortSignal
}

async function walk({ home, listing, signal }: Walk, below: string): Promise<void> {
  signal.throwIfAborted()
  await refuseLinks(home, below)
  const entries = await readdir(join(home, below), { withFileTypes: true }).catch(emptyIfMissing)
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      if (path.split('/').length >= DEEPEST) listing.problems.push({ path, problem: 'is too deep' })
      else await walk({ home, listing, signal }, path)
    } else if (/\.md$/i.test(entry.name)) await addFile(home, { entry, path }, listing)
  }
}

async function addFile(
  home: string,
  { entry, path }: { readonly entry: Dirent; readonly path: string },
  listing: Walk['listing'],
): Promise<void> {
  if (listing.files.length >= MOST_FILES)
    throw new ToolError(
      'TOOL_INPUT_TOO_LARGE',
      `The folder contains more than ${MOST_FILES} notes, which is the limit for syncing.`,
      {
        effect: 'none',
      },
    )
  if (!entry.isFile()) {
    listing.problems.push({
      path,
      problem: entry.isSymbolicLink() ? 'is a link and is skipped' : 'is no plain file',
    })
    return
  }
  const text = await readText(home, path).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  if (text instanceof Error) listing.problems.push({ path, problem: text.message })
  else if (text !== undefined)
    listing.files.push({ path, hash: text.hash, size: Buffer.byteLength(text.text) })
}

/**
 * The text of a file; undefined when it does not exist. Throws an error whose message is shown to
 * the person.
 */
async function readText(
  home: string,
  path: string,
): Promise<{ readonly hash: string; readonly text: string } | undefined> {
  if (!isNotePath(path)) throw new Error('has a name that is not valid on every system')
  await refuseLinks(home, folderIn(path))
  const file = await open(join(home, path), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    ignoreMissing,
  )
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error('is no plain file')
    if (stat.size > LARGEST_BYTES) throw new Error(`is larger than ${LARGEST_BYTES} bytes`)
    const bytes = await file.readFile()
    if (bytes.includes(0)) throw new Error('is no text')
    return { hash: hashOf(bytes), text: decodeText(bytes) }
  } finally {
    await file.close()
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('is not in UTF-8')
  }
}

type WriteContext = {
  readonly home: string
  readonly person: Person
  readonly query: VaultFolderOptions['query']
}
const NOTE =
  'select * from pm_notes where tenant = ? and owner = ? and id = ? and deleted_at is null'

async function writeFile(
  { home, person, query }: WriteContext,
  item: Extract<FileChange, { kind: 'put' }>,
): Promise<Written> {
  const { path } = item
  const [row] = await query(NOTE, [person.tenant, person.owner, item.noteId])
  if (row === undefined || row.hash !== item.noteHash)
    return { path, done: 'skipped', why: 'the note changed meanwhile' }
  const text = writeNote(toNote(row), baseName(path))
  const now = await readText(home, path)
  if (now?.text === text) return { path, done: 'same' }
  if ((now?.hash ?? null) !== item.fileHash)
    return { path, done: 'skipped', why: 'the file changed meanwhile' }
  return replaceFile(home, { path, text, isNew: now === undefined })
}

// Replaces a file atomically: a reader or a crash finds the old text or the new one, never a part.
async function replaceFile(
  home: string,
  { path, text, isNew }: { readonly path: string; readonly text: string; readonly isNew: boolean },
): Promise<Written> {
  const folder = join(home, folderIn(path))
  await makeFolder(home, folderIn(path))
  const draft = join(folder, `.surehand-${randomUUID()}.tmp`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (!isNew) await rename(draft, join(home, path))
    else if (!(await tryLink(draft, join(home, path))))
      return { path, done: 'skipped', why: 'a file appeared meanwhile' }
    return { path, done: 'written' }
  } finally {
    await unlink(draft).catch(ignoreMissing)
  }
}

// Unlike a rename, a hard link never overwrites an existing file.
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function trashFile(
  home: string,
  { path, fileHash }: Extract<FileChange, { kind: 'remove' }>,
): Promise<Written> {
  const now = await readText(home, path)
  if (now === undefined) return { path, done: 'same' }
  if (now.hash !== fileHash) return { path, done: 'skipped', why: 'the file changed meanwhile' }
  const trash = `${TRASH}/${fileHash.slice(0, 12)}`
  await makeFolder(home, trash)
  await rename(join(home, path), join(home, trash, `${baseName(path)}.md`))
  return { path, done: 'removed' }
}

async function makeFolder(home: string, below: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  await refuseLinks(home, below)
  await mkdir(join(home, below), { recursive: true, mode: 0o700 })
  await refuseLinks(home, below)
}

/** Refuses a folder that is a link, because it could lead out of the person's folder. */
async function refuseLinks(home: string, below: string): Promise<void> {
  const parts = below === '' ? [] : below.split('/')
  for (let depth = 0; depth <= parts.length; depth++) {
    const stat = await lstat(join(home, ...parts.slice(0, depth))).catch(ignoreMissing)
    if (stat !== undefined && !stat.isDirectory())
      throw new ToolError(
        'TOOL_RESOURCE_ACCESS_DENIED',
        'A folder of the vault is a link or not a folder, and is not followed.',
        {
          effect: 'none',
        },
      )
  }
}

function folderIn(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  if (codeOf(error) === 'ELOOP') throw new Error('is a link and is skipped')
  throw error
}

function emptyIfMissing(error: unknown): Dirent[] {
  ignoreMissing(error)
  return []
}

const PLAIN = /^[a-z0-9][a-z0-9_-]{0,62}$/
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The folder names of a person. They are unique, whatever the names contain and however a disk
 * compares names.
 */
function personFolder({ tenant, owner }: Person): readonly [string, string] {
  return [folderName(tenant), folderName(owner)]
}

// A plain name never contains "~", so a changed name cannot equal the plain name of another person.
function folderName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.test(name)) return name
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${readable}~${sha256(name).slice(0, 16)}`
}
