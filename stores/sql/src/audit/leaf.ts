import { hash } from 'node:crypto'
import type { AuditRecord } from '@surehand/core/ports'

/**
 * The data that can be erased later: it is stored beside the leaf, and the leaf holds salted
 * commitments to it.
 */
export type Erasable = Pick<AuditRecord, 'principal' | 'error' | 'input_hash' | 'output_hash'>

export type Commitments = {
  readonly input_commitment: string
  readonly output_commitment: string
  readonly person_commitment: string
}

/** A record as stored in its row, without the data that can be erased. */
export type LeafRecord = Omit<AuditRecord, keyof Erasable | 'success'> & {
  readonly number: number
  readonly success: number
}

/** The fields that the sequencer adds. */
export type Placed = Commitments & { readonly position: number }

/** The data stored beside a leaf. */
export type Payload = Erasable & {
  /** 32 hex digits. Without the salt the committed values could be guessed. */
  readonly salt: string
  readonly erased_at: number | null
  /** The id of the tombstone. */
  readonly erasure: string | null
}

export const SALT_BYTES = 16

/**
 * Salted, each with its own letter, so that one commitment cannot be presented as another. A
 * missing value has no commitment.
 */
export function commitmentsOf(
  salt: string,
  { input_hash, output_hash, principal, error }: Erasable,
): Commitments {
  return {
    input_commitment: input_hash === '' ? '' : hash('sha256', `${salt}i${input_hash}`, 'hex'),
    output_commitment: output_hash === '' ? '' : hash('sha256', `${salt}o${output_hash}`, 'hex'),
    person_commitment: hash('sha256', `${salt}p${quoted(principal)}${quoted(error)}`, 'hex'),
  }
}

/**
 * The canonical JSON (RFC 8785) of a leaf, written out: a hundred thousand of them a second go
 * through here. Tenant and place are in it: nothing can be moved between tenants or places.
 */
export function leafText(leaf: LeafRecord, placed: Placed): string {
  return `{"actor":${quoted(leaf.actor)},"call_id":${quoted(leaf.call_id)},"code":${quoted(leaf.code)},"created_at":${leaf.created_at},"definition_hash":${quoted(leaf.definition_hash)},"duration_ms":${leaf.duration_ms},"id":${quoted(leaf.id)},"input_commitment":${quoted(placed.input_commitment)},"number":${leaf.number},"outcome":${quoted(leaf.outcome)},"output_commitment":${quoted(placed.output_commitment)},"person_commitment":${quoted(placed.person_commitment)},"phase":${quoted(leaf.phase)},"position":${placed.position},"request_id":${quoted(leaf.request_id)},"source":${quoted(leaf.source)},"success":${truth(leaf.success)},"surface":${quoted(leaf.surface)},"tenant":${quoted(leaf.tenant)},"tool_name":${quoted(leaf.tool_name)},"tool_version":${quoted(leaf.tool_version)}}`
}

/** The canonical JSON of the data beside a leaf. */
export function payloadText(payload: Payload): string {
  const erasure = payload.erasure === null ? 'null' : quoted(payload.erasure)
  return `{"erased_at":${payload.erased_at},"erasure":${erasure},"error":${quoted(payload.error)},"input_hash":${quoted(payload.input_hash)},"output_hash":${quoted(payload.output_hash)},"principal":${quoted(payload.principal)},"salt":${quoted(payload.salt)}}`
}

// A 2, which also reads as false in a comparison with 1, must not hash like a 0.
function truth(success: number): string {
  return success === 1 ? 'true' : success === 0 ? 'false' : String(success)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f]/

export function quoted(text: string): string {
  // A person with write access to the database can store a blob where a text was.
  if (typeof text !== 'string') return 'not a text'
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}
