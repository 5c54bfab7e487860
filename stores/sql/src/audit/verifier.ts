import type { PublicAuditKey } from './audit-key.ts'
import { erasureCheck } from './erasure-check.ts'
import { type Flaw, recordFlaw } from './flaw.ts'
import { quote } from './leaf.ts'
import { growingTree, leafHash } from './merkle.ts'
import {
  checkCommitments,
  checkPosition,
  isTombstone,
  placesOf,
  type ShownRecord,
} from './record-check.ts'
import { isSigned, type SignedHead } from './signed-head.ts'

export type Verdict =
  | {
      readonly kind: 'intact'
      readonly tenant: string
      readonly size: number
      /**
       * How many records are covered by a head that a trusted key signed, and how many by an
       * anchored head: only these are proven.
       */
      readonly signedSize: number
      readonly anchoredSize: number
      readonly erasures: number
      /**
       * How many stored records have no place in the tree yet, so that nothing is proven about them.
       * An export contains none of them.
       */
      readonly unsequenced?: number
      /**
       * How many records are older than the seals of this installation. Nothing proves who wrote
       * them; that they were not changed since, the tree does.
       */
      readonly unsealed?: number
    }
  | { readonly kind: 'broken'; readonly tenant: string; readonly flaw: Flaw }

export type Trust = {
  /** The trusted keys. They are never read from the data that is verified. */
  readonly publicKeys: readonly PublicAuditKey[]
  /** Anchored heads, of any tenant. */
  readonly anchors: readonly SignedHead[]
  /**
   * Set where the anchors hold a head of every tenant that has signed heads: a tenant without one
   * is then broken, because an intruder who deletes records may delete the anchors too. The text
   * says where the anchors are expected.
   */
  readonly anchorsExpectedIn?: string
  /** The key of the stores (`SqlOptions.sealKey`); an export holds no seals and needs none. */
  readonly sealKey?: Uint8Array
}

export type Verifier = {
  /** Adds the next record in order; returns a flaw if there is one. */
  readonly record: (shown: ShownRecord) => Flaw | undefined
  /** Adds a head over all records so far. */
  readonly head: (head: SignedHead) => Flaw | undefined
  readonly end: () => Verdict
}

/**
 * Verifies one tenant's records as a stream, in constant memory. `newest` is the newest head that
 * the verified data claims to have.
 */
export function auditVerifier(
  tenant: string,
  { publicKeys, anchors, anchorsExpectedIn }: Trust,
  newest: SignedHead | undefined,
): Verifier {
  const keys = new Map(publicKeys.map((key) => [key.id, key]))
  const ours = anchors.filter((anchor) => anchor.tenant === tenant && anchor.size > 0)
  const expected = [...ours, ...(newest === undefined ? [] : [newest])].toSorted(
    (left, right) => left.size - right.size,
  )
  const quotedTenant = quote(tenant)
  const tree = growingTree()
  const erasures = erasureCheck(tenant, keys)
  let met = 0
  let provenSize = 0
  let signedSize = 0
  let proven: SignedHead | undefined

  function headFlaw(head: SignedHead): Flaw | undefined {
    const size = tree.size()
    if (head.tenant !== tenant || head.size !== size)
      return flawAt(
        size,
        `A head over ${head.size} records of "${head.tenant}" stands behind ${size} records.`,
      )
    if (proven !== undefined && isSame(head, proven)) return undefined
    if (!isSigned(head, keys))
      return flawAt(size, `The head over ${size} records is not signed by a known key.`)
    if (head.root !== tree.root()) return flawAt(provenSize, changedFlaw(provenSize, size))
    proven = head
    provenSize = size
    return undefined
  }

  function expectedFlaw(): Flaw | undefined {
    for (let head = expected[met]; head?.size === tree.size(); head = expected[++met]) {
      const flaw = headFlaw(head)
      if (flaw !== undefined) return flaw
    }
    return undefined
  }

  function endFlaw(): Flaw | undefined {
    const [position, unmet] = [tree.size(), expected[met]]
    if (unmet === undefined)
      return unanchoredFlaw(ours, newest, anchorsExpectedIn) ?? erasures.end()
    const what = `The records from ${position} on are missing: a head was signed over ${unmet.size}.`
    return flawAt(position, what)
  }

  return {
    record(shown) {
      const position = tree.size()
      const leaf = leafHash(shown.text)
      const flaw = checkRecord(shown, { leaf, position, quotedTenant, erasures })
      if (flaw !== undefined) return flaw
      tree.append(leaf)
      return expectedFlaw()
    },
    head(head) {
      const flaw = headFlaw(head)
      if (flaw === undefined) signedSize = head.size
      return flaw
    },
    end() {
      const flaw = endFlaw()
      if (flaw !== undefined) return { kind: 'broken', tenant, flaw }
      const anchoredSize = ours.reduce((most, { size }) => Math.max(most, size), 0)
      return {
        kind: 'intact',
        tenant,
        size: tree.size(),
        signedSize,
        anchoredSize,
        erasures: erasures.count(),
      }
    },
  }
}

function unanchoredFlaw(
  anchors: readonly SignedHead[],
  newest: SignedHead | undefined,
  expectedIn: string | undefined,
): Flaw | undefined {
  if (anchors.length > 0 || newest === undefined || expectedIn === undefined) return undefined
  const what = `No head of "${newest.tenant}" is in ${expectedIn}, although heads over ${newest.size} records were signed: without it, deleted records would go unnoticed.`
  return flawAt(0, what)
}

function flawAt(position: number, what: string): Flaw {
  return { position, what }
}

type RecordContext = {
  readonly leaf: string
  readonly position: number
  readonly quotedTenant: string
  readonly erasures: ReturnType<typeof erasureCheck>
}

function checkRecord(
  shown: ShownRecord,
  { leaf, position, quotedTenant, erasures }: RecordContext,
): Flaw | undefined {
  const { text, payload } = shown
  const places = placesOf(text)
  if (places === undefined)
    return recordFlaw(position, text, `Record ${position} lacks a field that every record has.`)
  const flaw = checkPosition(text, places, { position, quotedTenant })
  if (flaw !== undefined) return flaw
  if (leaf !== shown.leaf)
    return recordFlaw(position, text, `Record ${position} was changed after it was written.`)
  const unread = isTombstone(text, places) ? erasures.note(text, position) : undefined
  return (
    unread ??
    (erasures.isErased(payload)
      ? erasures.erased(shown, position)
      : checkCommitments(shown, places, position))
  )
}

function isSame(one: SignedHead, other: SignedHead): boolean {
  return (
    one.size === other.size &&
    one.root === other.root &&
    one.signed_at === other.signed_at &&
    one.key_id === other.key_id &&
    one.signature === other.signature
  )
}

// A record that was changed with all later hashes recomputed is only located as precisely as heads
// exist.
function changedFlaw(from: number, to: number): string {
  const which = to - from === 1 ? `Record ${from} is` : `One of the records ${from} to ${to - 1} is`
  return `${which} not what the head over ${to} records was signed for.`
}
