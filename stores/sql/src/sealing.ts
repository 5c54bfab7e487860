import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
} from 'node:crypto'
import type { CallRow, Ending, NewCall, StoredAnswer } from '@surehand/core/ports'
import { ToolError } from '@surehand/core/worker-entry'
import { type RecordSealer, recordSealer } from './audit/record-seal.ts'

/**
 * Encrypts secret values before they are stored: AES-256-GCM, bound to the call they belong to, so
 * that a value moved to another row cannot be decrypted. The first key encrypts; every key
 * decrypts, so that keys can be rotated.
 */
export type Sealing = {
  readonly hasKey: boolean
  readonly seal: (text: string, bound: readonly string[]) => string
  readonly open: (text: string, bound: readonly string[]) => string
  readonly call: (call: NewCall) => NewCall
  readonly ending: (ending: Ending, call: Bound) => Ending
  readonly answer: (answer: StoredAnswer, call: Bound) => StoredAnswer
  readonly row: <R extends CallRow | undefined>(row: R) => R
  /** Audit records are not encrypted, but carry a seal of this installation. */
  readonly record: RecordSealer['record']
}

type Bound = Pick<NewCall, 'tenant' | 'callId'>

const MARK = 'sealed:'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function sealing(keys: readonly Uint8Array[], sealKey?: Uint8Array): Sealing {
  // A key object, because Node makes one of raw bytes each time, which takes 30 µs.
  const byName = new Map(keys.map((key) => [nameOf(key), createSecretKey(key)]))
  const [first] = byName

  const seal = (text: string, bound: readonly string[]): string => {
    if (first === undefined) throw noKey()
    const nonce = randomBytes(NONCE_BYTES)
    const [name, key] = first
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(
      Buffer.from(JSON.stringify(bound)),
    )
    const sealed = Buffer.concat([
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    return `${MARK}${name}:${sealed.toString('base64')}`
  }

  const open = (text: string, bound: readonly string[]): string => {
    if (!text.startsWith(MARK)) return text
    const [name = '', data = ''] = text.slice(MARK.length).split(':')
    const key = byName.get(name)
    if (key === undefined) throw lostKey()
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw damagedError(undefined)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(
      Buffer.from(JSON.stringify(bound)),
    )
    try {
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return (
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') +
        decipher.final('utf8')
      )
    } catch (cause) {
      throw damagedError(cause)
    }
  }

  const answer = (given: StoredAnswer, call: Bound) =>
    mapSecrets(given, (text) => seal(text, boundTo(call)))
  return {
    hasKey: first !== undefined,
    record: recordSealer(sealKey).record,
    seal,
    open,
    call: (call) => (call.isSecret ? { ...call, input: seal(call.input, boundTo(call)) } : call),
    answer,
    ending: (ending, call) =>
      'answer' in ending && ending.isSecret
        ? { ...ending, answer: answer(ending.answer, call) }
        : ending,
    row: (row) => {
      if (row === undefined || !row.isSecret) return row
      const decrypt = (text: string) => open(text, boundTo(row))
      return {
        ...row,
        input: decrypt(row.input),
        answer: row.answer && mapSecrets(row.answer, decrypt),
      }
    },
  }
}

/** The associated data: a value moved to another call cannot be decrypted. */
export function boundTo({ tenant, callId }: Bound): readonly string[] {
  return [tenant, callId]
}

// Codes and warnings are defined by us; texts from the tool may contain its secret input.
function mapSecrets(answer: StoredAnswer, map: (text: string) => string): StoredAnswer {
  switch (answer.kind) {
    case 'output':
      return { ...answer, json: map(answer.json) }
    case 'invalid_output':
      return { ...answer, json: map(answer.json), problem: map(answer.problem) }
    case 'error':
      return {
        ...answer,
        message: map(answer.message),
        details: map(answer.details),
        data: map(answer.data),
      }
  }
}

function nameOf(key: Uint8Array): string {
  if (key.byteLength !== KEY_BYTES)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', `A key of the stores has ${KEY_BYTES} bytes.`)
  return createHash('sha256').update('surehand stores').update(key).digest('hex').slice(0, 8)
}

function noKey(): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'This call holds fields marked sensitive, and the stores have no key to keep them with.',
    {
      suggestions: [
        'Open the stores with `secretKeys`: 32 random bytes from a file or the environment, not from the database.',
      ],
      effect: 'none',
    },
  )
}

function lostKey(): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'What is kept here was sealed with a key that these stores were not given.',
    {
      details: { source_code: 'key_lost' },
      suggestions: ['Put the old key back behind the newest in the file of keys.'],
      effect: 'none',
    },
  )
}

function damagedError(cause: unknown): ToolError {
  return new ToolError(
    'TOOL_DATA_CORRUPTION',
    'What is kept here is not what was sealed for this place: it was damaged, changed or moved.',
    {
      details: { source_code: 'damaged' },
      effect: 'none',
      cause,
    },
  )
}
