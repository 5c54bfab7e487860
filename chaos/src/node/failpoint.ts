import type { Stores } from '@surehand/core'
import type { Vendor } from '../pack/vendor-port.ts'

// Losing the content of the cache or of a pack's drafts costs time but breaks no promise, and a
// notice may be delivered twice.
type Trusted = Omit<Stores, 'cache' | 'values' | 'notices'>
/** `elsewhere`: the method's effect is crashed under another name, or nothing calls the method. */
type Manner = 'reads' | 'writes' | 'elsewhere'

// A new port method does not compile until it is classified here, so no writing step is forgotten.
const STEPS = {
  calls: {
    find: 'reads',
    get: 'reads',
    recent: 'reads',
    queue: 'writes',
    claim: 'writes',
    startEffect: 'writes',
    renew: 'writes',
    isToStop: 'reads',
    finish: 'writes',
    abandon: 'writes',
    transact: 'writes',
    postpone: 'writes',
    cancel: 'writes',
    addEvidence: 'writes',
    evidence: 'reads',
    resolve: 'writes',
    abandoned: 'reads',
    now: 'reads',
    open: 'reads',
    query: 'reads',
  },
  approvals: {
    ask: 'writes',
    get: 'reads',
    list: 'reads',
    decide: 'writes',
    // It changes who is asked, and no call.
    delegate: 'elsewhere',
    waitingMark: 'reads',
    replace: 'writes',
    askAgain: 'writes',
  },
  runs: {
    journal: 'reads',
    write: 'writes',
    ask: 'writes',
    park: 'writes',
    wakeDue: 'writes',
    askToStop: 'writes',
    question: 'reads',
    questions: 'reads',
    waitingMark: 'reads',
    answer: 'writes',
    closeQuestions: 'writes',
    setProgress: 'writes',
    progress: 'reads',
  },
  // Every wake-up is written inside the step that needs it; its delivery is a failpoint of its own.
  jobs: { enqueue: 'elsewhere', work: 'elsewhere' },
  limits: { take: 'writes' },
  audit: { append: 'writes', list: 'reads', figures: 'reads' },
  admin: { version: 'reads', get: 'reads', list: 'reads', change: 'writes' },
} as const satisfies { readonly [S in keyof Trusted]: Readonly<Record<keyof Trusted[S], Manner>> }

const VENDOR = {
  make: 'vendor.make',
  find: 'vendor.find',
  ticket: 'vendor.ticket',
  price: 'vendor.price',
} as const satisfies {
  readonly [M in keyof Vendor]: `vendor.${M}`
}

type Writing<S extends keyof typeof STEPS> = {
  [M in keyof (typeof STEPS)[S] & string]: (typeof STEPS)[S][M] extends 'writes'
    ? `${S}.${M}`
    : never
}[keyof (typeof STEPS)[S] & string]

export type FailpointName =
  | { [S in keyof typeof STEPS]: Writing<S> }[keyof typeof STEPS]
  | (typeof VENDOR)[keyof Vendor]
  | 'jobs.delivery'
export type Side = 'before' | 'after'

/**
 * The durable steps before and after which a process can be killed: the stores' writing methods,
 * the delivery of a wake-up, and the vendor's methods.
 */
export const FAILPOINTS: readonly FailpointName[] = [
  ...writingSteps(),
  'jobs.delivery',
  ...Object.values(VENDOR),
]

function writingSteps(): readonly FailpointName[] {
  const names = Object.entries(STEPS).flatMap(([store, methods]) =>
    Object.entries(methods).flatMap(([method, manner]) =>
      manner === 'writes' ? [`${store}.${method}`] : [],
    ),
  )
  // erased: the same names as the type, computed at run time
  return names as readonly string[] as readonly FailpointName[]
}

/**
 * What happens to a process that reaches the failpoint. With an item, only calls for that item
 * count.
 */
export type Failpoint = {
  readonly name: FailpointName
  readonly side: Side
  readonly does: { readonly kind: 'die' } | { readonly kind: 'pause'; readonly forMs: number }
  readonly item?: string
  /** The item's tenant. */
  readonly tenant?: string
}
