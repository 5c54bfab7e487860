import type { PublicAuditKey } from './audit-key.ts'
import { isSealed } from './erasure-seal.ts'
import { type Flaw, recordFlaw } from './flaw.ts'
import type { Payload } from './leaf.ts'
import type { ShownRecord } from './record-check.ts'
import { type ErasedPlaces, erasedPlaces } from './tombstone.ts'

/** Compares emptied records with the tombstones. */
export type ErasureCheck = {
  readonly isErased: (payload: Payload) => boolean
  /** Adds an emptied record. */
  readonly erased: (shown: ShownRecord, position: number) => Flaw | undefined
  /** Adds a tombstone. */
  readonly note: (text: string, position: number) => Flaw | undefined
  readonly end: () => Flaw | undefined
  readonly count: () => number
}

type Erasure = { readonly places: ErasedPlaces; readonly at: number | null; readonly first: number }
type TombstoneClaim = {
  readonly id: string
  readonly outcome: string
  readonly at: number
  readonly seal: string
}
type Placed = TombstoneClaim & { readonly position: number }

/**
 * A tombstone counts if one of these keys signed it, because anyone with write access to the
 * database can insert one.
 */
export function erasureCheck(
  tenant: string,
  keys: ReadonlyMap<string, PublicAuditKey>,
): ErasureCheck {
  const erasures = new Map<string, Erasure>()
  const tombstones = new Map<string, Placed>()
  return {
    isErased: ({ erasure, erased_at }) => erasure !== null || erased_at !== null,
    erased({ text, payload }, position) {
      const id = payload.erasure
      if (id === null || !isEmpty(payload))
        return recordFlaw(
          position,
          text,
          `Record ${position} is said to be erased and is not empty.`,
        )
      const known = erasures.get(id) ?? {
        places: erasedPlaces(),
        at: payload.erased_at,
        first: position,
      }
      if (known.at !== payload.erased_at)
        return recordFlaw(
          position,
          text,
          `Record ${position} was not erased when its tombstone says.`,
        )
      known.places.add(position)
      erasures.set(id, known)
      return undefined
    },
    note(text, position) {
      const claim = readClaim(text)
      if (claim === undefined)
        return recordFlaw(position, text, `Record ${position} is a tombstone that nobody can read.`)
      if (isSealed({ tenant, ...claim }, claim.seal, keys))
        tombstones.set(claim.id, { ...claim, position })
      return undefined
    },
    end: () =>
      emptyWithoutTombstone(erasures, tombstones) ?? fullDespiteTombstone(erasures, tombstones),
    count: () => tombstones.size,
  }
}

function readClaim(text: string): TombstoneClaim | undefined {
  try {
    const {
      id,
      outcome,
      created_at: at,
      request_id: seal,
    } = JSON.parse(text) as Record<string, unknown>
    if (
      typeof id !== 'string' ||
      typeof outcome !== 'string' ||
      typeof at !== 'number' ||
      typeof seal !== 'string'
    )
      return undefined
    return { id, outcome, at, seal }
  } catch {
    return undefined
  }
}

/** Whether no personal data is left beside a leaf. */
export function isEmpty({ principal, error, input_hash, output_hash, salt }: Payload): boolean {
  return principal === '' && error === '' && input_hash === '' && output_hash === '' && salt === ''
}

function emptyWithoutTombstone(
  erasures: ReadonlyMap<string, Erasure>,
  tombstones: ReadonlyMap<string, Placed>,
): Flaw | undefined {
  for (const [id, { places, at, first }] of erasures) {
    const claim = tombstones.get(id)
    if (claim?.outcome === places.outcome() && claim.at === at) continue
    return {
      position: first,
      what: `Record ${first}, or one emptied with it, is empty without a sealed tombstone that says so.`,
    }
  }
  return undefined
}

// Erased data has reappeared, for example from an old backup.
function fullDespiteTombstone(
  erasures: ReadonlyMap<string, Erasure>,
  tombstones: ReadonlyMap<string, Placed>,
): Flaw | undefined {
  const nothing = erasedPlaces().outcome()
  for (const [id, { outcome, position }] of tombstones) {
    if (erasures.has(id) || outcome === nothing) continue
    return {
      position,
      id,
      what: `Record ${position} is a tombstone of records that are not empty.`,
    }
  }
  return undefined
}
