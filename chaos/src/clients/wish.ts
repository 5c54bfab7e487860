import type { FaultForm } from '@surehand/testing'
import { SHUT, UNWANTED } from '../emulators/vendor-routes.ts'
import type { Who } from '../node/messages.ts'
import { type Manner, RECOVERY_KINDS, type RecoveryKind } from '../pack/recovery-kind.ts'
import type { Trap } from '../pack/transactions.ts'
import type { Random } from '../random.ts'

/** What one client wants, under one key, whatever it takes. */
export type Wish = {
  readonly who: Who
  readonly key: string
  readonly item: string
  /** What was added to it by somebody who was asked. */
  readonly note?: string
  readonly kind: RecoveryKind
  readonly manner: Manner
  /** What the person says who is asked about it. */
  readonly verdict: 'approve' | 'deny'
  /** What the vendor does to its first requests, one each. */
  readonly faults: readonly FaultForm[]
  readonly trap: Trap | undefined
  /** How often it comes again, with the same key, after it has its answer. */
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

/** A plain wish: nothing goes wrong on its way. */
export function plainWish(number: number, more: Partial<Wish> = {}): Wish {
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

/** One of the wishes of a long day: most are plain, some need a worker or a yes, some meet a vendor in a bad mood. */
export function someWish(number: number, random: Random): Wish {
  if (random.isLikely(0.02)) return turnedAwayAtFirst(number, random)
  const kind = random.pick(RECOVERY_KINDS)
  const wish = plainWish(number, {
    kind,
    manner: random.isLikely(0.15)
      ? random.pick<Manner>(['job', 'approval', 'limited', 'limited'])
      : 'plain',
    verdict: random.isLikely(0.1) ? 'deny' : 'approve',
    // a fault that nobody meets would be looked at with every request to come
    faults: random.isLikely(0.08) && kind !== 'transaction' ? [random.pick(FAULTS)] : [],
    repeats: random.isLikely(0.25) ? 1 : 0,
  })
  return random.isLikely(0.02) && kind !== 'transaction'
    ? named(wish, `${UNWANTED}${number}`)
    : wish
}

/** A job that the vendor turns away before anything happened, by saying so or by not being there: it is done all the same, a little later. */
function turnedAwayAtFirst(number: number, random: Random): Wish {
  const kind = random.pick<RecoveryKind>(['none', 'none', 'lookUp', 'sameKey'])
  const wish = plainWish(number, { kind, manner: 'job', repeats: random.isLikely(0.25) ? 1 : 0 })
  return random.isLikely(0.5)
    ? { ...wish, faults: [{ kind: '429' }] }
    : named(wish, `${SHUT}${number}`)
}

function named(wish: Wish, item: string): Wish {
  return { ...wish, item, key: `key-${item}` }
}
