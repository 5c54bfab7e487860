import { isEmpty } from './erasure-check.ts'
import { headFlaw } from './head-check.ts'
import { quote } from './leaf.ts'
import { isIncluded, leafHash } from './merkle.ts'
import type { RecordProof } from './prove-record.ts'
import { checkCommitments, checkPosition, placesOf } from './record-check.ts'
import type { Trust } from './verifier.ts'

export type ProofVerdict =
  | {
      readonly kind: 'proven'
      readonly tenant: string
      readonly position: number
      /** Whether the head is anchored. */
      readonly isAnchored: boolean
      /**
       * The personal data was erased. Whether this was legitimate can only be verified with the
       * whole audit.
       */
      readonly isErased: boolean
    }
  | { readonly kind: 'broken'; readonly what: string }

/** Verifies a record's proof with nothing but the given keys and anchors. */
export function verifyProof(proof: RecordProof, trust: Trust): ProofVerdict {
  const { record, position, head } = proof
  const { tenant } = head
  const isErased = record.payload.erasure !== null
  const what = headFlaw(head, trust) ?? recordFlawOf(proof) ?? payloadFlaw(proof)
  if (what !== undefined) return { kind: 'broken', what }
  return {
    kind: 'proven',
    tenant,
    position,
    isAnchored: trust.anchors.some((anchor) => anchor.signature === head.signature),
    isErased,
  }
}

function recordFlawOf({ record: { text }, position, path, head }: RecordProof): string | undefined {
  const places = placesOf(text)
  if (places === undefined) return 'The record lacks a field that every record has.'
  const flaw = checkPosition(text, places, { position, quotedTenant: quote(head.tenant) })
  if (flaw !== undefined) return flaw.what
  const included = isIncluded(
    { leaf: leafHash(text), index: position, size: head.size, root: head.root },
    path,
  )
  return included
    ? undefined
    : `The record is not what the head over ${head.size} records was signed for.`
}

function payloadFlaw({ record, position }: RecordProof): string | undefined {
  if (record.payload.erasure !== null)
    return isEmpty(record.payload) ? undefined : 'The record is said to be erased and is not empty.'
  const places = placesOf(record.text)
  return places && checkCommitments(record, places, position)?.what
}
