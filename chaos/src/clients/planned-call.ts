import type { FaultForm } from '@surehand/testing'
import { REJECTED_PREFIX, UNREACHABLE_PREFIX } from '../emulators/vendor-routes.ts'
import type { Who } from '../node/messages.ts'
import { type Manner, RECOVERY_KINDS, type RecoveryKind } from '../pack/recovery-kind.ts'
import type { Trap } from '../pack/transactions.ts'
import type { Random } from '../random.ts'

/** A call that one client makes under one key and repeats until it is answered. */
export type PlannedCall = {
  readonly who: Who
  readonly key: string
  readonly item: string
  /** Set when an operator has edited the call. */
  readonly note?: string
  readonly kind: RecoveryKind
  readonly manner: Manner
  /** The verdict of the person who is asked for approval. */
  readonly verdict: 'approve' | 'deny'
  /** The faults of the vendor's first replies, one for each request. */
  readonly faults: readonly FaultForm[]
  readonly trap: Trap | undefined
  /** How often the client repeats the call with the same key after it was answered. */
  readonly repeats: number
}

export const TENANTS = ['north', 'south'] as const

const FAULTS: readonly [FaultForm, ...FaultForm[]] = [
  { kind: 'slow', delayMs: 300, when: 'before' },
  { kind: 'slow', delayMs: 1_800, when: 'after' },
  { kind: '500', when: 'before' },
  { kind: '500', when: 'after' },
  { kind: 'reset', when: 'after' },
  { kind: 'reset', when: 'before' },
  { kind: 'hang', when: 'after' },
  { kind: '429' },
]

/** A call without any faults. */
export function planSimpleCall(number: number, more: Partial<PlannedCall> = {}): PlannedCall {
  const item = `item-${number}`
  const kind = RECOVERY_KINDS[number % RECOVERY_KINDS.length] ?? 'none'
  const who = {
    tenant: TENANTS[number % TENANTS.length] ?? 'north',
    principal: `person-${number % 7}`,
  }
  return {
    who,
    key: `key-${item}`,
    item,
    kind,
    manner: 'plain',
    verdict: 'approve',
    faults: [],
    trap: undefined,
    repeats: 0,
    ...more,
  }
}

/** A random call: most are plain, some need a worker or an approval, some meet a failing vendor. */
export function planRandomCall(number: number, random: Random): PlannedCall {
  if (random.isLikely(0.02)) return planCallRejectedAtFirst(number, random)
  const kind = random.pick(RECOVERY_KINDS)
  const call = planSimpleCall(number, {
    kind,
    manner: random.isLikely(0.15)
      ? random.pick<Manner>(['job', 'approval', 'limited', 'limited'])
      : 'plain',
    verdict: random.isLikely(0.1) ? 'deny' : 'approve',
    // The vendor checks every request against all open faults, so none is created that would never
    // be used.
    faults: random.isLikely(0.08) && kind !== 'transaction' ? [random.pick(FAULTS)] : [],
    repeats: random.isLikely(0.25) ? 1 : 0,
  })
  return random.isLikely(0.02) && kind !== 'transaction'
    ? withItem(call, `${REJECTED_PREFIX}${number}`)
    : call
}

/**
 * A job that the vendor rejects before anything has happened, by an answer or by being unreachable:
 * it is done a little later.
 */
function planCallRejectedAtFirst(number: number, random: Random): PlannedCall {
  const kind = random.pick<RecoveryKind>(['none', 'none', 'lookUp', 'sameKey'])
  const call = planSimpleCall(number, {
    kind,
    manner: 'job',
    repeats: random.isLikely(0.25) ? 1 : 0,
  })
  return random.isLikely(0.5)
    ? { ...call, faults: [{ kind: '429' }] }
    : withItem(call, `${UNREACHABLE_PREFIX}${number}`)
}

function withItem(call: PlannedCall, item: string): PlannedCall {
  return { ...call, item, key: `key-${item}` }
}
