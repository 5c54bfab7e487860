import { type Flaw, fieldOf, recordFlaw } from './flaw.ts'
import { type Commitments, commitmentsOf, type Payload } from './leaf.ts'
import { ERASE_TOOL } from './tombstone.ts'

/** A record as it is presented: its leaf's text, the data beside it, and the stored leaf hash. */
export type ShownRecord = {
  readonly text: string
  readonly payload: Payload
  readonly leaf: string
}

/**
 * Where the checked values start, found in one pass: parsing a record costs more than hashing it.
 */
export type Places = {
  readonly input_commitment: number
  readonly output_commitment: number
  readonly person_commitment: number
  readonly position: number
  readonly tenant: number
  readonly tool: number
}

// A value cannot contain these, because its quotes would be escaped. Without the first quote, which
// is frequent, they are found faster.
const KEYS = [
  'input_commitment":',
  'output_commitment":',
  'person_commitment":',
  'position":',
  'tenant":',
  'tool_name":',
] as const

export function placesOf(text: string): Places | undefined {
  const input_commitment = behind(text, KEYS[0], 0)
  const output_commitment = behind(text, KEYS[1], input_commitment)
  const person_commitment = behind(text, KEYS[2], output_commitment)
  const position = behind(text, KEYS[3], person_commitment)
  const tenant = behind(text, KEYS[4], position)
  const tool = behind(text, KEYS[5], tenant)
  return tool < 0
    ? undefined
    : { input_commitment, output_commitment, person_commitment, position, tenant, tool }
}

function behind(text: string, key: string, from: number): number {
  const at = from < 0 ? -1 : text.indexOf(key, from)
  return at < 0 ? -1 : at + key.length
}

/** Whether a record states the tenant and position at which it is stored. */
export function checkPosition(
  text: string,
  places: Places,
  place: { readonly position: number; readonly quotedTenant: string },
): Flaw | undefined {
  const { position, quotedTenant } = place
  if (text.slice(places.position, text.indexOf(',', places.position)) === String(position)) {
    if (text.startsWith(quotedTenant, places.tenant)) return undefined
    return recordFlaw(position, text, `Record ${position} is of another tenant.`)
  }
  const stated = fieldOf(text, 'position')
  return Number(stated) > position
    ? {
        position,
        what: `Record ${position} is missing: record ${stated} stands in its place.`,
      }
    : recordFlaw(
        position,
        text,
        `Record ${position} is said to stand at ${stated}: it was put in or moved.`,
      )
}

/** Whether the data beside a leaf matches the leaf's commitments. */
export function checkCommitments(
  { text, payload }: ShownRecord,
  places: Places,
  position: number,
): Flaw | undefined {
  const what = brokenCommitment(text, places, commitmentsOf(payload.salt, payload))
  return what === undefined
    ? undefined
    : recordFlaw(
        position,
        text,
        `The ${what} of record ${position}, or its salt, is not what was committed to.`,
      )
}

function brokenCommitment(text: string, places: Places, made: Commitments): string | undefined {
  if (!holds(text, places.input_commitment, made.input_commitment)) return 'input hash'
  if (!holds(text, places.output_commitment, made.output_commitment)) return 'output hash'
  return holds(text, places.person_commitment, made.person_commitment)
    ? undefined
    : 'principal or error'
}

// Cut out and compared: building a string to search for would cost as much as the hash.
function holds(text: string, at: number, commitment: string): boolean {
  const until = at + 1 + commitment.length
  return text.slice(at + 1, until) === commitment && text[until] === '"'
}

const QUOTED_ERASE_TOOL = `"${ERASE_TOOL}"`

/**
 * Whether a record is a tombstone. A tool of that name may be called, but such a call is not a
 * change.
 */
export function isTombstone(text: string, places: Places): boolean {
  return text.startsWith(QUOTED_ERASE_TOOL, places.tool) && text.includes(',"phase":"change",')
}
