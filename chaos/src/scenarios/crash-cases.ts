import type { FaultForm } from '@surehand/testing'
import type { Errand } from '../clients/errand.ts'
import type { FailpointName, Side } from '../node/failpoint.ts'
import type { Manner, RecoveryKind } from '../pack/recovery-kind.ts'

/** Where a process dies: at a failpoint, or in the middle of the pack's own transaction. */
export type Crash = { readonly at: FailpointName | 'inside the transaction'; readonly side: Side }

/** One call whose node dies, and perhaps the node after it. */
export type CrashCase = {
  readonly kind: RecoveryKind
  readonly manner: Manner
  readonly crashes: readonly [Crash, ...Crash[]]
  readonly faults: readonly FaultForm[]
  /** What somebody does about the call while the node dies; without one it is called and called again. */
  readonly errand?: Errand
  /** Its run asks, and goes on when nobody has answered. */
  readonly unanswered?: true
  /** What the database says when the last of them is dead, where that tells the two sides apart. */
  readonly found?: string
  /** The failpoint lies beside the answer, not before it: the client may hear first. */
  readonly mayTell?: true
  /** What is true in the end: done once, or, where nobody can know, unknown. */
  readonly end: 'done' | 'unknown'
  /** Has anything durable been left behind? Else only the client's coming again can bring it to an end. */
  readonly leaves: 'a row' | 'nothing'
}

const SIDES: readonly Side[] = ['before', 'after']
const OUTSIDE: readonly RecoveryKind[] = ['sameKey', 'lookUp', 'none']
// whose steps come to their end though nobody looks
const KNOWABLE: readonly RecoveryKind[] = ['transaction', 'sameKey']
const KINDS: readonly RecoveryKind[] = ['transaction', ...OUTSIDE]
// longer than a third of the lease, so that it is renewed meanwhile
const SLOW: FaultForm = { kind: 'slow', delayMs: 1_200, when: 'after' }

// longer than a call may take
const HANGING: FaultForm = { kind: 'hang', when: 'after' }
// more often than a call is tried at once
const TURNED_AWAY: readonly FaultForm[] = [{ kind: '429' }, { kind: '429' }]

type Extra = Partial<Omit<CrashCase, 'kind' | 'crashes'>>

/** Every failpoint, on both sides, in every recovery class that comes by it. */
export function crashCases(): readonly CrashCase[] {
  return [
    ...plain(),
    ...failures(),
    ...localEffects(),
    ...again(),
    ...jobs(),
    ...questions(),
    ...errands(),
    ...records(),
    ...runs(),
  ]
}

function one(
  kind: RecoveryKind,
  crashes: readonly [Crash, ...Crash[]],
  extra: Extra = {},
): CrashCase {
  return { kind, crashes, manner: 'plain', faults: [], end: 'done', leaves: 'a row', ...extra }
}

// once the effect was announced and nothing is settled, class none knows nothing any more
function unsettled(kind: RecoveryKind): Extra {
  return { end: kind === 'none' ? 'unknown' : 'done' }
}

function plain(): CrashCase[] {
  return OUTSIDE.flatMap((kind) => [
    one(kind, [{ at: 'calls.claim', side: 'before' }], { leaves: 'nothing' }),
    one(kind, [{ at: 'calls.claim', side: 'after' }]),
    one(kind, [{ at: 'calls.startEffect', side: 'before' }]),
    one(kind, [{ at: 'calls.startEffect', side: 'after' }], unsettled(kind)),
    ...SIDES.map((side) => one(kind, [{ at: 'vendor.make', side }], unsettled(kind))),
    ...SIDES.map((side) =>
      one(kind, [{ at: 'calls.renew', side }], { ...unsettled(kind), faults: [SLOW] }),
    ),
    one(kind, [{ at: 'calls.finish', side: 'before' }], unsettled(kind)),
    one(kind, [{ at: 'calls.finish', side: 'after' }]),
  ])
}

/** After a failure that tells nothing: what can't be settled now is left for whoever comes. */
function failures(): CrashCase[] {
  const failing: FaultForm = { kind: '500', when: 'after' }
  const refusing: FaultForm = { kind: '500', when: 'before' }
  return SIDES.flatMap((side) => [
    one('sameKey', [{ at: 'calls.abandon', side }], { faults: [failing, failing] }),
    one('lookUp', [{ at: 'calls.abandon', side }], { faults: [refusing] }),
    one('lookUp', [{ at: 'vendor.find', side }], { faults: [failing] }),
    // given up at its time, it brings home late that it was
    ...OUTSIDE.map((kind) =>
      one(kind, [{ at: 'calls.addEvidence', side }], {
        faults: [HANGING],
        mayTell: true,
        ...unsettled(kind),
      }),
    ),
  ])
}

function localEffects(): CrashCase[] {
  const at = 'inside the transaction'
  return [
    one('transaction', [{ at: 'calls.transact', side: 'before' }], { leaves: 'nothing' }),
    one('transaction', [{ at, side: 'before' }], { leaves: 'nothing' }),
    one('transaction', [{ at, side: 'after' }], { leaves: 'nothing' }),
    one('transaction', [{ at: 'calls.transact', side: 'after' }]),
  ]
}

/** Whoever takes over dies too. */
function again(): CrashCase[] {
  const first: Crash = { at: 'calls.startEffect', side: 'after' }
  const made: Crash = { at: 'vendor.make', side: 'after' }
  return [
    ...OUTSIDE.flatMap((kind) =>
      SIDES.map((side) => one(kind, [first, { at: 'calls.claim', side }], unsettled(kind))),
    ),
    ...SIDES.map((side) => one('sameKey', [made, { at: 'calls.startEffect', side }])),
    ...SIDES.map((side) => one('sameKey', [made, { at: 'vendor.make', side }])),
    ...SIDES.map((side) => one('lookUp', [made, { at: 'vendor.find', side }])),
    ...OUTSIDE.flatMap((kind) =>
      SIDES.map((side) => one(kind, [made, { at: 'calls.finish', side }], unsettled(kind))),
    ),
  ]
}

function jobs(): CrashCase[] {
  return KINDS.flatMap((kind) => [
    one(kind, [{ at: 'calls.queue', side: 'before' }], { manner: 'job', leaves: 'nothing' }),
    one(kind, [{ at: 'calls.queue', side: 'after' }], { manner: 'job' }),
    one(kind, [{ at: 'jobs.delivery', side: 'before' }], { manner: 'job' }),
    // it is done by then, and whoever looks may see it
    one(kind, [{ at: 'jobs.delivery', side: 'after' }], { manner: 'job', mayTell: true }),
    ...(kind === 'transaction'
      ? SIDES.map((side) => one(kind, [{ at: 'inside the transaction', side }], { manner: 'job' }))
      : SIDES.flatMap((side) => [
          one(kind, [{ at: 'vendor.make', side }], { manner: 'job', ...unsettled(kind) }),
          // nothing had happened: it is done in the end, in whatever class
          one(kind, [{ at: 'calls.postpone', side }], {
            manner: 'job',
            faults: kind === 'sameKey' ? TURNED_AWAY : TURNED_AWAY.slice(1),
          }),
        ])),
  ])
}

function questions(): CrashCase[] {
  return KINDS.flatMap((kind) => [
    ...SIDES.map((side) =>
      one(kind, [{ at: 'approvals.ask', side }], { manner: 'approval', leaves: 'nothing' }),
    ),
    one(kind, [{ at: 'approvals.decide', side: 'before' }], {
      manner: 'approval',
      leaves: 'nothing',
    }),
    one(kind, [{ at: 'approvals.decide', side: 'after' }], { manner: 'approval' }),
    ...(kind === 'transaction'
      ? []
      : SIDES.map((side) => one(kind, [{ at: 'calls.claim', side }], { manner: 'approval' }))),
  ])
}

function errands(): CrashCase[] {
  const failing: FaultForm = { kind: '500', when: 'after' }
  const asked = { manner: 'approval', leaves: 'nothing' } as const
  return [
    ...KINDS.flatMap((kind) => [
      one(kind, [{ at: 'calls.cancel', side: 'before' }], {
        ...asked,
        errand: 'cancel',
        found: 'waiting',
      }),
      one(kind, [{ at: 'calls.cancel', side: 'after' }], {
        ...asked,
        errand: 'cancel',
        found: 'cancelled',
      }),
      ...SIDES.map((side) =>
        one(kind, [{ at: 'approvals.replace', side }], {
          ...asked,
          errand: 'edit',
          found: 'waiting',
        }),
      ),
      one(kind, [{ at: 'admin.change', side: 'before' }], {
        leaves: 'nothing',
        errand: 'pin',
        found: 'not pinned',
      }),
      one(kind, [{ at: 'admin.change', side: 'after' }], {
        leaves: 'nothing',
        errand: 'pin',
        found: 'pinned',
      }),
    ]),
    one('none', [{ at: 'calls.resolve', side: 'before' }], {
      errand: 'resolve',
      faults: [failing],
      end: 'unknown',
      found: 'unknown',
    }),
    one('none', [{ at: 'calls.resolve', side: 'after' }], {
      errand: 'resolve',
      faults: [failing],
      found: 'succeeded',
    }),
  ]
}

/** What is counted and written down beside the call: a process that dies there changes nothing about it. */
function records(): CrashCase[] {
  return KINDS.flatMap((kind) => [
    ...SIDES.map((side) =>
      one(kind, [{ at: 'limits.take', side }], { manner: 'limited', leaves: 'nothing' }),
    ),
    ...SIDES.map((side) =>
      one(kind, [{ at: 'audit.append', side }], { manner: 'approval', leaves: 'nothing' }),
    ),
  ])
}

/** A run that reads, asks, waits, and makes the item in a step of its own: whoever drives it on goes on from what it was told. */
function runs(): CrashCase[] {
  const parked: Crash = { at: 'runs.park', side: 'after' }
  // a run that waits for its answer goes on when its client comes again
  const waits = { manner: 'run', leaves: 'nothing' } as const
  const goesOn = { manner: 'run', leaves: 'a row' } as const
  return [
    ...KNOWABLE.flatMap((kind) => [
      ...SIDES.flatMap((side) =>
        (['runs.write', 'vendor.ticket', 'runs.ask', 'runs.setProgress', 'runs.park'] as const).map(
          (at) => one(kind, [{ at, side }], waits),
        ),
      ),
      one(kind, [parked, { at: 'runs.answer', side: 'before' }], waits),
      one(kind, [parked, { at: 'runs.answer', side: 'after' }], goesOn),
      // woken by its answer: the place of the next step is written down, taken, and told
      ...SIDES.flatMap((side) =>
        (['runs.write', 'runs.closeQuestions'] as const).map((at) =>
          one(kind, [parked, { at, side }], goesOn),
        ),
      ),
      one(kind, [parked, { at: 'jobs.delivery', side: 'before' }], goesOn),
      one(kind, [parked, { at: 'jobs.delivery', side: 'after' }], { ...goesOn, mayTell: true }),
      one(kind, [{ at: 'runs.askToStop', side: 'before' }], {
        ...waits,
        errand: 'cancel',
        found: 'parked',
      }),
      one(kind, [{ at: 'runs.askToStop', side: 'after' }], {
        ...waits,
        errand: 'cancel',
        found: 'queued',
      }),
    ]),
    one('sameKey', [{ at: 'runs.wakeDue', side: 'before' }], {
      ...goesOn,
      unanswered: true,
      found: 'parked',
    }),
    one('sameKey', [{ at: 'runs.wakeDue', side: 'after' }], {
      ...goesOn,
      unanswered: true,
      found: 'queued',
    }),
    ...SIDES.flatMap((side) => [
      one('sameKey', [parked, { at: 'vendor.make', side }], goesOn),
      one('sameKey', [parked, { at: 'calls.finish', side }], goesOn),
      one('transaction', [parked, { at: 'calls.transact', side }], goesOn),
    ]),
  ]
}

export function nameOf({ kind, manner, errand, crashes }: CrashCase): string {
  return `${kind} ${errand ?? manner}: ${crashes.map(({ at, side }) => `${side} ${at}`).join(', then ')}`
}
