import type { OpenWriter } from './writer.ts'

export type Store = 'sqlite' | 'postgres'

/** One row of a store's table. */
export type Contender = {
  readonly id: string
  readonly store: Store
  readonly label: string
  readonly does: string
  readonly callers: number
} & Work

type Work =
  | { readonly kind: 'writes'; readonly way: Way }
  /** Commits and round trips of a call while there is only one caller: counted, not timed. */
  | { readonly kind: 'counts'; readonly way: Way }
  | { readonly kind: 'audit'; readonly records: number }

export type Way = 'bare' | 'local' | 'outside'

const CALLERS: Record<Store, readonly number[]> = { sqlite: [1, 32, 128], postgres: [1, 32] }
const STORES: readonly Store[] = ['sqlite', 'postgres']
const WAYS: readonly Way[] = ['bare', 'local', 'outside']

const LABELS: Record<Way, string> = {
  bare: 'the same statements, bare',
  local: 'governed, local effect',
  outside: 'governed, outside effect',
}

const DOES: Record<Store, Record<Way, string>> = {
  sqlite: {
    bare: 'node:sqlite in one thread: BEGIN IMMEDIATE, the four statements of every caller of this turn, COMMIT',
    local:
      '`runtime.call`: all stages, replay look-up, claim, effect, record and answer in one group commit',
    outside:
      '`runtime.call`: claim, effect started with its intent, provider in process, answer with its record',
  },
  postgres: {
    bare: '`pg`, pool of 10, prepared: BEGIN, the three statements, COMMIT, each awaited',
    local:
      '`runtime.call`: all stages, replay look-up, claim, effect, record and answer in one transaction',
    outside:
      '`runtime.call`: claim, effect started with its intent, provider in process, answer with its record',
  },
}

/** Bare and governed contenders follow each other in every round, so that they are measured under the same conditions. */
export const contenders: readonly Contender[] = [
  ...STORES.flatMap((store) =>
    CALLERS[store].flatMap((callers) =>
      WAYS.map(
        (way): Contender => ({
          ...describe(store, way, String(callers)),
          callers,
          kind: 'writes',
          way,
        }),
      ),
    ),
  ),
  ...STORES.flatMap((store) =>
    WAYS.map(
      (way): Contender => ({ ...describe(store, way, 'counts'), callers: 1, kind: 'counts', way }),
    ),
  ),
  auditContender('sqlite', 200_000),
  auditContender('postgres', 50_000),
]

function describe(
  store: Store,
  way: Way,
  what: string,
): Pick<Contender, 'id' | 'store' | 'label' | 'does'> {
  return { id: `${store}-${way}-${what}`, store, label: LABELS[way], does: DOES[store][way] }
}

function auditContender(store: Store, records: number): Contender {
  const label = `${records.toLocaleString('en')} records`
  return {
    id: `${store}-audit`,
    store,
    label,
    does: 'sequencing with signed and anchored heads, export, verification',
    callers: 1,
    kind: 'audit',
    records,
  }
}

/** Imports only the modules that this contender needs. */
export async function loadOpener({
  store,
  way,
}: {
  readonly store: Store
  readonly way: Way
}): Promise<OpenWriter> {
  if (way !== 'bare') {
    const { governedPostgres, governedSqlite } = await import('./governed.ts')
    return store === 'sqlite' ? governedSqlite(way) : governedPostgres(way)
  }
  return store === 'sqlite'
    ? (await import('./sqlite-bare.ts')).openBareSqlite
    : (await import('./postgres-bare.ts')).openBarePostgres
}
