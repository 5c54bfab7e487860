import type { Final } from '../clients/pursue.ts'
import type { Wish } from '../clients/wish.ts'
import type { LedgerReader } from '../house/ledger-reader.ts'
import type { VendorProcess } from '../house/vendor-process.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'

/** A wish, what its client was told, and what it was told when it came again. */
export type Case = {
  readonly wish: Wish
  readonly final: Final
  readonly repeated: readonly Final[]
}

/** Each is a list of what went wrong, one line a key. */
export type Faults = {
  /** Two effects for one key. */
  readonly duplicated: readonly string[]
  /** Told as done, and nowhere to be seen. */
  readonly missing: readonly string[]
  /** The same key answered otherwise, or otherwise than it was done. */
  readonly different: readonly string[]
  /** Neither ended nor unknown though everybody was up and had time. */
  readonly stuck: readonly string[]
  /** Told as refused, and yet done. */
  readonly contradicted: readonly string[]
  /** Unknown where it can be known: by asking the vendor again, or because nothing had left the house. */
  readonly needlesslyUnknown: readonly string[]
  /** Done without a record. */
  readonly unrecorded: readonly string[]
}

/** By name, whatever a scenario looks for. */
export type AnyFaults = Readonly<Record<string, readonly string[]>>

export type Verdict<F = Faults> = {
  readonly faults: F
  readonly unknowns: number
  readonly effects: number
}

const KNOWABLE: ReadonlySet<RecoveryKind> = new Set(['transaction', 'sameKey'])

/** Holds what clients were told against what was really done: by the vendor's own log and the pack's own table. */
export async function judge(
  cases: readonly Case[],
  ledger: LedgerReader,
  vendor: VendorProcess,
): Promise<Verdict> {
  const done = effectsByItem(vendor, await ledger.entries())
  const left = await ledger.unsettled()
  const unrecorded = await ledger.unrecorded()
  const neverSent = await ledger.neverSent()
  const about = (which: (one: Case, receipts: readonly string[]) => boolean): readonly string[] =>
    cases
      .filter((one) => which(one, done.get(one.wish.item) ?? []))
      .map((one) => lineOf(one, done.get(one.wish.item) ?? []))
  return {
    faults: {
      duplicated: about((_, receipts) => receipts.length > 1),
      missing: about(({ final }, receipts) => final.end === 'done' && receipts.length === 0),
      different: about(isDifferent),
      stuck: [...about(isStuck), ...left.map(({ key, state }) => `${key} is still ${state}`)],
      contradicted: about(
        ({ final }, receipts) =>
          (final.end === 'refused' || final.end === 'denied') && receipts.length > 0,
      ),
      needlesslyUnknown: about(
        ({ wish, final }) =>
          final.end === 'unknown' && (KNOWABLE.has(wish.kind) || neverSent.has(wish.key)),
      ),
      unrecorded: unrecorded === 0 ? [] : [`${unrecorded} calls are done without a record`],
    },
    unknowns: cases.filter(({ final }) => final.end === 'unknown').length,
    effects: [...done.values()].reduce((sum, receipts) => sum + receipts.length, 0),
  }
}

export function isGood({ faults }: Verdict<AnyFaults>): boolean {
  return Object.values(faults).every((lines) => lines.length === 0)
}

function effectsByItem(
  vendor: VendorProcess,
  entries: readonly { readonly item: string; readonly number: number }[],
): ReadonlyMap<string, string[]> {
  const made = [
    ...vendor.made(),
    ...entries.map(({ item, number }) => ({ item, receipt: `entry-${number}` })),
  ]
  return Map.groupBy(made, ({ item }) => item)
    .entries()
    .reduce(
      (all, [item, list]) =>
        all.set(
          item,
          list.map(({ receipt }) => receipt),
        ),
      new Map<string, string[]>(),
    )
}

// who comes again is owed an answer as much as who comes first
function isStuck({ final, repeated }: Case): boolean {
  return [final, ...repeated].some(({ end }) => end === 'nothing')
}

// an answer is one answer: the same whenever it is asked for, and that of the effect which is there
function isDifferent({ final, repeated }: Case, receipts: readonly string[]): boolean {
  // what nobody knew may be found out; what was refused stays refused
  if (final.end === 'unknown') return false
  if (final.end !== 'done')
    return repeated.some(({ end }) => end !== final.end && end !== 'nothing')
  const { receipt } = JSON.parse(final.data) as { readonly receipt: string }
  const isOther = repeated.some(
    (again) => again.end !== 'nothing' && (again.end !== 'done' || again.data !== final.data),
  )
  return isOther || (receipts.length > 0 && !receipts.includes(receipt))
}

function lineOf({ wish, final, repeated }: Case, receipts: readonly string[]): string {
  const told = [final, ...repeated].map((one) =>
    one.end === 'done' ? one.data : one.end === 'nothing' ? `nothing (${one.last})` : one.end,
  )
  return `${wish.key} (${wish.kind}, ${wish.manner}): told ${told.join(', then ')}; effects: ${receipts.join(', ') || 'none'}`
}
