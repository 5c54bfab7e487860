import { type Flaw, fieldOf, recordFlaw } from './flaw.ts'
import type { Payload } from './leaf.ts'
import type { ShownRecord } from './record-check.ts'
import { type ErasedPlaces, erasedPlaces } from './tombstone.ts'

/** Holds what is empty against the tombstones. */
export type ErasureCheck = {
  readonly isErased: (payload: Payload) => boolean
  /** An empty record. */
  readonly erased: (shown: ShownRecord, position: number) => Flaw | undefined
  /** A tombstone. */
  readonly note: (text: string, position: number) => Flaw | undefined
  readonly end: () => Flaw | undefined
  readonly count: () => number
}

type Erasure = { readonly places: ErasedPlaces; readonly at: number | null; readonly first: number }
type Told = { readonly outcome: string; readonly at: number; readonly position: number }

export function erasureCheck(): ErasureCheck {
  const erasures = new Map<string, Erasure>()
  const tombstones = new Map<string, Told>()
  return {
    isErased: ({ erasure, erased_at }) => erasure !== null || erased_at !== null,
    erased({ text, payload }, position) {
      const id = payload.erasure
      if (id === null || !isEmpty(payload)) return recordFlaw(position, text, `Record ${position} is said to be erased and is not empty.`)
      const known = erasures.get(id) ?? { places: erasedPlaces(), at: payload.erased_at, first: position }
      if (known.at !== payload.erased_at) return recordFlaw(position, text, `Record ${position} was not erased when its tombstone says.`)
      known.places.add(position)
      erasures.set(id, known)
      return undefined
    },
    note(text, position) {
      const [id, outcome, at] = [fieldOf(text, 'id'), fieldOf(text, 'outcome'), fieldOf(text, 'created_at')]
      if (id === undefined || outcome === undefined)
        return recordFlaw(position, text, `Record ${position} is a tombstone that nobody can read.`)
      tombstones.set(id, { outcome, at: Number(at), position })
      return undefined
    },
    end: () => emptyWithoutTombstone(erasures, tombstones) ?? fullDespiteTombstone(erasures, tombstones),
    count: () => tombstones.size,
  }
}

function isEmpty({ principal, error, input_hash, output_hash, salt }: Payload): boolean {
  return principal === '' && error === '' && input_hash === '' && output_hash === '' && salt === ''
}

function emptyWithoutTombstone(erasures: ReadonlyMap<string, Erasure>, tombstones: ReadonlyMap<string, Told>): Flaw | undefined {
  for (const [id, { places, at, first }] of erasures) {
    const told = tombstones.get(id)
    if (told?.outcome === places.outcome() && told.at === at) continue
    return { position: first, id: undefined, what: `Record ${first}, or one emptied with it, is empty without a tombstone that says so.` }
  }
  return undefined
}

// who was erased came back, as out of an old backup
function fullDespiteTombstone(erasures: ReadonlyMap<string, Erasure>, tombstones: ReadonlyMap<string, Told>): Flaw | undefined {
  const nothing = erasedPlaces().outcome()
  for (const [id, { outcome, position }] of tombstones) {
    if (erasures.has(id) || outcome === nothing) continue
    return { position, id, what: `Record ${position} is a tombstone of records that are not empty.` }
  }
  return undefined
}
