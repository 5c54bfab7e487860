import type { FinalAnswer } from '../clients/call-until-answered.ts'
import type { PlannedCall } from '../clients/planned-call.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import type { LedgerReader } from '../processes/ledger-reader.ts'
import type { VendorProcess } from '../processes/vendor-process.ts'

/** A call, the answer its client received, and the answers to repetitions under the same key. */
export type CallCase = {
  readonly call: PlannedCall
  readonly final: FinalAnswer
  readonly repeated: readonly FinalAnswer[]
}

/** Each fault is a list of descriptions, one line per key. */
export type Faults = {
  /** Two effects for one key. */
  readonly duplicated: readonly string[]
  /** Reported as done, but there is no effect. */
  readonly missing: readonly string[]
  /** A repetition was answered differently, or the answer does not match the effect. */
  readonly different: readonly string[]
  /** Neither ended nor unknown, although all nodes were up and had enough time. */
  readonly stuck: readonly string[]
  /** Reported as rejected, but there is an effect. */
  readonly contradicted: readonly string[]
  /**
   * Unknown although it can be known: by asking the vendor again, or because nothing had been sent.
   * A quarantined call is left to a person and is none of these.
   */
  readonly needlesslyUnknown: readonly string[]
  /** Done without an audit record. */
  readonly unrecorded: readonly string[]
}

/** The faults a scenario looks for, by name. */
export type AnyFaults = Readonly<Record<string, readonly string[]>>

export type Verdict<F = Faults> = {
  readonly faults: F
  readonly unknowns: number
  readonly effects: number
}

const KNOWABLE: ReadonlySet<RecoveryKind> = new Set(['transaction', 'sameKey'])

/**
 * Compares the answers the clients received with the effects in the vendor's log and in the pack's
 * table.
 */
export async function judge(
  cases: readonly CallCase[],
  ledger: LedgerReader,
  vendor: VendorProcess,
): Promise<Verdict> {
  const done = effectsByItem(vendor, await ledger.entries())
  const left = await ledger.unsettled()
  const unrecorded = await ledger.unrecorded()
  const neverSent = await ledger.neverSent()
  const about = (
    which: (one: CallCase, receipts: readonly string[]) => boolean,
  ): readonly string[] =>
    cases
      .filter((one) => which(one, done.get(one.call.item) ?? []))
      .map((one) => describeCase(one, done.get(one.call.item) ?? []))
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
        ({ call, final }) =>
          final.end === 'unknown' &&
          final.isQuarantined === undefined &&
          (KNOWABLE.has(call.kind) || neverSent.has(call.key)),
      ),
      unrecorded: unrecorded === 0 ? [] : [`${unrecorded} calls are done without a record`],
    },
    unknowns: cases.filter(({ final }) => final.end === 'unknown').length,
    effects: [...done.values()].reduce((sum, receipts) => sum + receipts.length, 0),
  }
}

export function hasNoFaults({ faults }: Verdict<AnyFaults>): boolean {
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

// A repetition must be answered as well as the first call.
function isStuck({ final, repeated }: CallCase): boolean {
  return [final, ...repeated].some(({ end }) => end === 'no-answer')
}

// A key has one answer: every repetition returns it, and it matches the effect.
function isDifferent({ final, repeated }: CallCase, receipts: readonly string[]): boolean {
  // An unknown outcome may be resolved later; a rejected call stays rejected.
  if (final.end === 'unknown') return false
  if (final.end !== 'done')
    return repeated.some(({ end }) => end !== final.end && end !== 'no-answer')
  const { receipt } = JSON.parse(final.data) as { readonly receipt: string }
  const isOther = repeated.some(
    (again) => again.end !== 'no-answer' && (again.end !== 'done' || again.data !== final.data),
  )
  return isOther || (receipts.length > 0 && !receipts.includes(receipt))
}

function describeCase({ call, final, repeated }: CallCase, receipts: readonly string[]): string {
  const answers = [final, ...repeated].map((one) =>
    one.end === 'done' ? one.data : one.end === 'no-answer' ? `nothing (${one.last})` : one.end,
  )
  return `${call.key} (${call.kind}, ${call.manner}): answered ${answers.join(', then ')}; effects: ${receipts.join(', ') || 'none'}`
}
