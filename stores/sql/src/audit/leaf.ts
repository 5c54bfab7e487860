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
 * A record at its position, as stored in the database; the verifier decides whether it is genuine.
 */
export type SequencedRecord = LeafRecord &
  Placed &
  Payload & {
    readonly leaf: string
    readonly seal: string | null
    /** Where it is stored with others, whose leaves were sealed together. */
    readonly segment?: SealedLeaves
  }

export type SealedLeaves = {
  readonly count: number
  readonly leaves: string
  readonly seal: string | null
}

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
    person_commitment: hash('sha256', `${salt}p${quote(principal)}${quote(error)}`, 'hex'),
  }
}

/**
 * The canonical JSON (RFC 8785) of a leaf, written out: a hundred thousand of them a second go
 * through here. Tenant and place are in it: nothing can be moved between tenants or places.
 */
export function leafText(leaf: LeafRecord, placed: Placed): string {
  return `{"actor":${quote(leaf.actor)},"call_id":${quote(leaf.call_id)},"code":${quote(leaf.code)},"created_at":${leaf.created_at},"definition_hash":${quote(leaf.definition_hash)},"duration_ms":${leaf.duration_ms},"id":${quote(leaf.id)},"input_commitment":${quote(placed.input_commitment)},"number":${leaf.number},"outcome":${quote(leaf.outcome)},"output_commitment":${quote(placed.output_commitment)},"person_commitment":${quote(placed.person_commitment)},"phase":${quote(leaf.phase)},"position":${placed.position},"request_id":${quote(leaf.request_id)},"source":${quote(leaf.source)},"success":${truth(leaf.success)},"surface":${quote(leaf.surface)},"tenant":${quote(leaf.tenant)},"tool_name":${quote(leaf.tool_name)},"tool_version":${quote(leaf.tool_version)}}`
}

/** The canonical JSON of the data beside a leaf. */
export function payloadText(payload: Payload): string {
  const erasure = payload.erasure === null ? 'null' : quote(payload.erasure)
  return `{"erased_at":${payload.erased_at},"erasure":${erasure},"error":${quote(payload.error)},"input_hash":${quote(payload.input_hash)},"output_hash":${quote(payload.output_hash)},"principal":${quote(payload.principal)},"salt":${quote(payload.salt)}}`
}

// A 2, which also reads as false in a comparison with 1, must not hash like a 0.
function truth(success: number): string {
  return success === 1 ? 'true' : success === 0 ? 'false' : String(success)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f]/

export function quote(text: string): string {
  // A person with write access to the database can store a blob where a text was.
  if (typeof text !== 'string') return 'not a text'
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}
