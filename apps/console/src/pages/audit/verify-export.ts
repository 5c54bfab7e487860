import type { AuditProof } from '../../api/types.ts'
import {
  appendLeaf,
  EMPTY_TREE,
  leafHash,
  rootOf,
  rootOfPath,
  sha256Text,
  type Tree,
} from './merkle-tree.ts'

export type PublicKey = { readonly key_id: string; readonly public_key: string }

export type ExportVerdict =
  | {
      readonly kind: 'intact'
      readonly tenant: string
      readonly size: number
      /** How many records a signed head covers: only these are proven. */
      readonly signedSize: number
      /** Records whose personal data was erased; whether legitimately, only the server checks. */
      readonly erased: number
    }
  | {
      readonly kind: 'broken'
      readonly position: number
      readonly what: string
      /** The text of the first bad record, where there is one. */
      readonly record: string | undefined
    }

type Head = {
  readonly tenant: string
  readonly size: number
  readonly root: string
  readonly signed_at: number
  readonly key_id: string
  readonly signature: string
}

class Flaw extends Error {
  readonly record: string | undefined

  constructor(what: string, record?: string) {
    super(what)
    this.record = record
  }
}

type State = {
  readonly tenant: string | undefined
  readonly newest: Head | undefined
  readonly tree: Tree
  readonly signedSize: number
  readonly erased: number
  readonly isWhole: boolean
}

const START: State = {
  tenant: undefined,
  newest: undefined,
  tree: EMPTY_TREE,
  signedSize: 0,
  erased: 0,
  isWhole: false,
}

type VerifyOptions = {
  readonly keys: readonly PublicKey[]
  readonly onProgress?: (records: number) => void
}

const REPORT_EVERY = 250

/**
 * Verifies an export line by line: the hash and the place of every record, the data beside it, the
 * root of the tree at every signed head, and the signatures. It ends at the first flaw.
 */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  { keys, onProgress }: VerifyOptions,
): Promise<ExportVerdict> {
  let state = START
  try {
    for await (const line of lines) {
      if (line === '') continue
      state = await readLine(line, state, keys)
      if (state.tree.size % REPORT_EVERY === 0) onProgress?.(state.tree.size)
    }
    return finish(state)
  } catch (thrown) {
    if (!(thrown instanceof Flaw)) throw thrown
    const { message: what, record } = thrown
    return { kind: 'broken', position: state.tree.size, what, record }
  }
}

async function readLine(line: string, state: State, keys: readonly PublicKey[]): Promise<State> {
  if (state.tenant === undefined) return readHeader(line, state)
  if (state.isWhole) throw new Flaw('Something stands behind the end of the export.')
  if (line.startsWith('{"leaf":"')) return readRecord(line, state)
  const { head, end } = parse(line) as { readonly head?: Head; readonly end?: { size: number } }
  if (head !== undefined) return readHead(head, state, keys)
  if (end?.size === state.tree.size) return { ...state, isWhole: true }
  throw new Flaw(
    end === undefined
      ? 'A line is neither a record nor a signed head.'
      : `The end speaks of ${end.size} records, and ${state.tree.size} are here.`,
  )
}

function readHeader(line: string, state: State): State {
  const header = parse(line) as { format?: string; tenant?: string; head?: Head | null }
  if (header.format !== 'surehand-audit-1' || header.tenant === undefined)
    throw new Flaw('The first line is no header of an audit export.')
  return { ...state, tenant: header.tenant, newest: header.head ?? undefined }
}

const RECORD = /^\{"leaf":"([0-9a-f]{64})","payload":(\{.*?\}),"record":(\{.*\})\}$/s

type Stated = {
  readonly position: number
  readonly tenant: string
  readonly input_commitment: string
  readonly output_commitment: string
  readonly person_commitment: string
}

async function readRecord(line: string, state: State): Promise<State> {
  const [, leaf = '', payloadText = '', text = ''] = RECORD.exec(line) ?? []
  const position = state.tree.size
  if (text === '') throw new Flaw(`Record ${position} cannot be read.`, line)
  if ((await leafHash(text)) !== leaf)
    throw new Flaw(`Record ${position} was changed after it was written.`, text)
  const stated = parse(text) as Stated
  if (stated.position !== position || stated.tenant !== state.tenant)
    throw new Flaw(
      `Record ${position} is missing, or was moved: the record here says ${stated.position}.`,
      text,
    )
  const payload = parse(payloadText) as Payload
  const isErased = payload.erasure !== null
  if (!isErased) await checkCommitments(payload, stated, text)
  return {
    ...state,
    tree: await appendLeaf(state.tree, leaf),
    erased: state.erased + Number(isErased),
  }
}

type Payload = {
  readonly erasure: string | null
  readonly error: string
  readonly input_hash: string
  readonly output_hash: string
  readonly principal: string
  readonly salt: string
}

/** The data beside a record is what the record committed to, salted, when it was written. */
async function checkCommitments(payload: Payload, stated: Stated, text: string): Promise<void> {
  const { salt, input_hash, output_hash, principal, error } = payload
  const [input, output, person] = await Promise.all([
    input_hash === '' ? '' : sha256Text(`${salt}i${input_hash}`),
    output_hash === '' ? '' : sha256Text(`${salt}o${output_hash}`),
    sha256Text(`${salt}p${JSON.stringify(principal)}${JSON.stringify(error)}`),
  ])
  const { input_commitment, output_commitment, person_commitment, position } = stated
  if (input !== input_commitment || output !== output_commitment || person !== person_commitment)
    throw new Flaw(
      `The person, the error or a hash beside record ${position} is not what was committed to.`,
      text,
    )
}

async function readHead(head: Head, state: State, keys: readonly PublicKey[]): Promise<State> {
  const { size } = state.tree
  if (head.tenant !== state.tenant || head.size !== size)
    throw new Flaw(`A head over ${head.size} records stands behind ${size} records.`)
  if (!(await isSigned(head, keys)))
    throw new Flaw(`The head over ${size} records is not signed by a known key.`)
  if (head.root !== (await rootOf(state.tree)))
    throw new Flaw(
      `One of the records ${state.signedSize} to ${size - 1} is not what the head over ${size} records was signed for.`,
    )
  return { ...state, signedSize: size }
}

export type ProofVerdict =
  | { readonly kind: 'proven'; readonly position: number; readonly size: number }
  | { readonly kind: 'broken'; readonly what: string }

/** Checks that the record of this id is in the tree that was signed. */
export async function verifyProof(
  recordId: string,
  { record, position, path, head }: AuditProof,
  keys: readonly PublicKey[],
): Promise<ProofVerdict> {
  try {
    if ((await leafHash(record.text)) !== record.leaf)
      throw new Flaw('The record was changed after it was written.')
    const stated = parse(record.text) as Stated & { readonly id: string }
    if (stated.id !== recordId || stated.position !== position || stated.tenant !== head.tenant)
      throw new Flaw('The proof is that of another record.')
    // The server publishes the form of a payload as open: the hashes below check what is in it.
    const payload = record.payload as unknown as Payload
    if (payload.erasure === null) await checkCommitments(payload, stated, record.text)
    if (!(await isSigned(head, keys))) throw new Flaw('The head is not signed by a known key.')
    if ((await rootOfPath(record.leaf, { position, size: head.size, path })) !== head.root)
      throw new Flaw('The record is not in the tree that was signed.')
    return { kind: 'proven', position, size: head.size }
  } catch (thrown) {
    if (!(thrown instanceof Flaw)) throw thrown
    return { kind: 'broken', what: thrown.message }
  }
}

async function isSigned(head: Head, keys: readonly PublicKey[]): Promise<boolean> {
  const known = keys.find(({ key_id }) => key_id === head.key_id)
  if (known === undefined) return false
  const key = await crypto.subtle.importKey(
    'spki',
    fromBase64(known.public_key),
    'Ed25519',
    false,
    ['verify'],
  )
  // The canonical form: the names in their order, no spaces.
  const { key_id, root, signed_at, size, tenant } = head
  const signed = JSON.stringify({ key_id, root, signed_at, size, tenant })
  return crypto.subtle.verify(
    'Ed25519',
    key,
    fromBase64(head.signature.replaceAll('-', '+').replaceAll('_', '/')),
    new TextEncoder().encode(signed),
  )
}

function finish(state: State): ExportVerdict {
  const { tenant, tree, newest, signedSize, erased, isWhole } = state
  if (tenant === undefined) throw new Flaw('There is nothing in this export.')
  if (!isWhole) throw new Flaw('The export is cut short: its end is missing.')
  if (newest !== undefined && newest.size > signedSize)
    throw new Flaw(`Records are missing: a head was signed over ${newest.size}.`)
  return { kind: 'intact', tenant, size: tree.size, signedSize, erased }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Flaw('A line of the export is not JSON.', text)
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}
