import type { FaultForm } from '@surehand/testing'
import type { OperatorAction } from '../clients/operator-action.ts'
import type { FailpointName, Side } from '../node/failpoint.ts'
import type { Manner, RecoveryKind } from '../pack/recovery-kind.ts'

/** Where a process dies: at a failpoint, or inside the pack's own transaction. */
export type Crash = { readonly at: FailpointName | 'inside the transaction'; readonly side: Side }

/**
 * `quarantined`: two nodes died with the call in hand. Where the second one dies around its claim,
 * it holds the call only if the first one's lease had expired by then.
 */
export type ExpectedEnd = 'done' | 'unknown' | 'quarantined' | 'done or quarantined'

/** One call whose node dies, and possibly the next node as well. */
export type CrashCase = {
  readonly kind: RecoveryKind
  readonly manner: Manner
  readonly crashes: readonly [Crash, ...Crash[]]
  readonly faults: readonly FaultForm[]
  /** An operator's action during which the node dies; without one, the client repeats the call. */
  readonly action?: OperatorAction
  /** The run asks a question and continues when it is not answered in time. */
  readonly unanswered?: true
  /** The state in the database after the last crash, where it differs between the two sides. */
  readonly found?: string
  /**
   * The state that the last crash is meant to meet. A process that got no time may reach the
   * failpoint on another way, for example by releasing a call that it did not send in time.
   */
  readonly met?: string
  /**
   * The call is meant to time out, or to end before a lookup can be believed. All others have so much
   * time that they do not time out on a busy machine either.
   */
  readonly hasShortTimeout?: true
  /**
   * The failpoint is not on the path of the answer, so the client may be answered before the crash.
   */
  readonly mayAnswerFirst?: true
  /** The expected end: done exactly once, or unknown where it cannot be known. */
  readonly end: ExpectedEnd
  /**
   * Whether a row is left behind. Otherwise only a repetition by the client can bring the call to
   * an end.
   */
  readonly leaves: 'a row' | 'nothing'
}

const SIDES: readonly Side[] = ['before', 'after']
const OUTSIDE: readonly RecoveryKind[] = ['sameKey', 'lookUp', 'none']
// The classes whose steps end without the help of a person.
const KNOWABLE: readonly RecoveryKind[] = ['transaction', 'sameKey']
const KINDS: readonly RecoveryKind[] = ['transaction', ...OUTSIDE]
// Without a response the lease is renewed, or the call times out.
const HANGING: FaultForm = { kind: 'hang', when: 'after' }
// More often than a call is retried within one execution.
const TURNED_AWAY: readonly FaultForm[] = [{ kind: '429' }, { kind: '429' }]

type Extra = Partial<Omit<CrashCase, 'kind' | 'crashes'>>

/** Every failpoint, on both sides, in every recovery class that reaches it. */
export function crashCases(): readonly CrashCase[] {
  return [
    ...plain(),
    ...failures(),
    ...localEffects(),
    ...again(),
    ...jobs(),
    ...questions(),
    ...changedFacts(),
    ...operatorActions(),
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

// After the effect was announced, class `none` cannot find out whether it happened.
function endAfterAnnouncement(kind: RecoveryKind): Extra {
  return { end: kind === 'none' ? 'unknown' : 'done' }
}

function afterAnnouncement(kind: RecoveryKind): Extra {
  return { ...endAfterAnnouncement(kind), met: 'effect_started' }
}

function plain(): CrashCase[] {
  return OUTSIDE.flatMap((kind) => [
    one(kind, [{ at: 'calls.claim', side: 'before' }], { leaves: 'nothing' }),
    one(kind, [{ at: 'calls.claim', side: 'after' }], { met: 'claimed' }),
    one(kind, [{ at: 'calls.startEffect', side: 'before' }], { met: 'claimed' }),
    one(kind, [{ at: 'calls.startEffect', side: 'after' }], afterAnnouncement(kind)),
    ...SIDES.map((side) => one(kind, [{ at: 'vendor.make', side }], afterAnnouncement(kind))),
    ...SIDES.map((side) =>
      one(kind, [{ at: 'calls.renew', side }], { ...afterAnnouncement(kind), faults: [HANGING] }),
    ),
    one(kind, [{ at: 'calls.finish', side: 'before' }], afterAnnouncement(kind)),
    one(kind, [{ at: 'calls.finish', side: 'after' }], { met: 'succeeded' }),
  ])
}

/** A failure that leaves the outcome open: the call is abandoned and recovered later. */
function failures(): CrashCase[] {
  const failing: FaultForm = { kind: '500', when: 'after' }
  const refusing: FaultForm = { kind: '500', when: 'before' }
  return SIDES.flatMap((side) => [
    one('sameKey', [{ at: 'calls.abandon', side }], { faults: [failing, failing] }),
    one('lookUp', [{ at: 'calls.abandon', side }], { faults: [refusing], hasShortTimeout: true }),
    one('lookUp', [{ at: 'vendor.find', side }], { faults: [failing] }),
    // The call has timed out, and the late result is added as evidence.
    ...OUTSIDE.map((kind) =>
      one(kind, [{ at: 'calls.addEvidence', side }], {
        faults: [HANGING],
        hasShortTimeout: true,
        mayAnswerFirst: true,
        ...endAfterAnnouncement(kind),
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

/** The node that takes over dies too. */
function again(): CrashCase[] {
  const first: Crash = { at: 'calls.startEffect', side: 'after' }
  const made: Crash = { at: 'vendor.make', side: 'after' }
  const poison: Extra = { end: 'quarantined' }
  return [
    ...OUTSIDE.flatMap((kind) =>
      SIDES.map((side) => {
        const end = side === 'before' ? 'done' : 'done or quarantined'
        return one(kind, [first, { at: 'calls.claim', side }], {
          end: kind === 'none' ? 'unknown' : end,
        })
      }),
    ),
    ...SIDES.map((side) => one('sameKey', [made, { at: 'calls.startEffect', side }], poison)),
    ...SIDES.map((side) => one('sameKey', [made, { at: 'vendor.make', side }], poison)),
    ...SIDES.map((side) => one('lookUp', [made, { at: 'vendor.find', side }], poison)),
    ...OUTSIDE.flatMap((kind) => [
      one(kind, [made, { at: 'calls.finish', side: 'before' }], {
        end: kind === 'none' ? 'unknown' : 'quarantined',
      }),
      one(kind, [made, { at: 'calls.finish', side: 'after' }], {
        ...endAfterAnnouncement(kind),
        met: kind === 'none' ? 'unknown' : 'succeeded',
      }),
    ]),
  ]
}

function jobs(): CrashCase[] {
  return KINDS.flatMap((kind) => [
    one(kind, [{ at: 'calls.queue', side: 'before' }], { manner: 'job', leaves: 'nothing' }),
    one(kind, [{ at: 'calls.queue', side: 'after' }], { manner: 'job' }),
    one(kind, [{ at: 'jobs.delivery', side: 'before' }], { manner: 'job' }),
    // The job is done by then, and the client may see it.
    one(kind, [{ at: 'jobs.delivery', side: 'after' }], { manner: 'job', mayAnswerFirst: true }),
    ...(kind === 'transaction'
      ? SIDES.map((side) => one(kind, [{ at: 'inside the transaction', side }], { manner: 'job' }))
      : SIDES.flatMap((side) => [
          one(kind, [{ at: 'vendor.make', side }], {
            manner: 'job',
            ...endAfterAnnouncement(kind),
          }),
          // Nothing had happened, so the call is done in the end in every class.
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

/** The price has risen since the approval: the client is asked again, and approves again. */
function changedFacts(): CrashCase[] {
  return KNOWABLE.flatMap((kind) =>
    SIDES.flatMap((side) =>
      (['vendor.price', 'approvals.askAgain'] as const).map((at) =>
        one(kind, [{ at, side }], { manner: 'facts', leaves: 'nothing' }),
      ),
    ),
  )
}

function operatorActions(): CrashCase[] {
  const failing: FaultForm = { kind: '500', when: 'after' }
  const asked = { manner: 'approval', leaves: 'nothing' } as const
  return [
    ...KINDS.flatMap((kind) => [
      one(kind, [{ at: 'calls.cancel', side: 'before' }], {
        ...asked,
        action: 'cancel',
        found: 'waiting',
      }),
      one(kind, [{ at: 'calls.cancel', side: 'after' }], {
        ...asked,
        action: 'cancel',
        found: 'cancelled',
      }),
      ...SIDES.map((side) =>
        one(kind, [{ at: 'approvals.replace', side }], {
          ...asked,
          action: 'edit',
          found: 'waiting',
        }),
      ),
      one(kind, [{ at: 'admin.change', side: 'before' }], {
        leaves: 'nothing',
        action: 'pin',
        found: 'not pinned',
      }),
      one(kind, [{ at: 'admin.change', side: 'after' }], {
        leaves: 'nothing',
        action: 'pin',
        found: 'pinned',
      }),
    ]),
    one('none', [{ at: 'calls.resolve', side: 'before' }], {
      action: 'resolve',
      faults: [failing],
      end: 'unknown',
      found: 'unknown',
    }),
    one('none', [{ at: 'calls.resolve', side: 'after' }], {
      action: 'resolve',
      faults: [failing],
      found: 'succeeded',
    }),
  ]
}

/** Rate limits and records are written beside the call: a crash there does not change the call. */
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

/**
 * A run that reads, asks, waits, and makes the item in a step: another node resumes it from its
 * journal.
 */
function runs(): CrashCase[] {
  const parked: Crash = { at: 'runs.park', side: 'after' }
  // A run that waits for its answer continues when its client repeats the call.
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
      // The answer wakes the run: the next step is written to the journal, claimed and reported.
      ...SIDES.flatMap((side) =>
        (['runs.write', 'runs.closeQuestions'] as const).map((at) =>
          one(kind, [parked, { at, side }], goesOn),
        ),
      ),
      one(kind, [parked, { at: 'jobs.delivery', side: 'before' }], goesOn),
      one(kind, [parked, { at: 'jobs.delivery', side: 'after' }], {
        ...goesOn,
        mayAnswerFirst: true,
      }),
      one(kind, [{ at: 'runs.askToStop', side: 'before' }], {
        ...waits,
        action: 'cancel',
        found: 'parked',
      }),
      one(kind, [{ at: 'runs.askToStop', side: 'after' }], {
        ...waits,
        action: 'cancel',
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

/**
 * Half of the cases: every crash (failpoint, side and kind of call), but only every other recovery
 * class of it. The two halves together are all cases. The recovery classes are handled by the core,
 * which is the same for both stores, so the gate runs one half on each store.
 */
export function halfOf(cases: readonly CrashCase[], half: 'first' | 'second'): CrashCase[] {
  const byCrash = [...Map.groupBy(cases, (one) => nameOf({ ...one, kind: 'none' })).values()]
  return byCrash.flatMap((variants, number) =>
    variants.length === 1
      ? variants
      : variants.filter((_, index) => (index + number) % 2 === (half === 'first' ? 0 : 1)),
  )
}

export function nameOf({ kind, manner, action, crashes }: CrashCase): string {
  return `${kind} ${action ?? manner}: ${crashes.map(({ at, side }) => `${side} ${at}`).join(', then ')}`
}
