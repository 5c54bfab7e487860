import type { Stores } from '@surehand/core'
import type { Vendor } from '../pack/vendor-port.ts'

// losing what a cache or a pack's drafts hold costs time, never truth; a notice may come twice
type Trusted = Omit<Stores, 'cache' | 'values' | 'notices'>
/** `elsewhere`: what it does is crashed under another name, or nothing calls it. */
type Manner = 'reads' | 'writes' | 'elsewhere'

// a port's new method has no place to fall from until somebody says here what it does
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
    open: 'reads',
    query: 'reads',
  },
  approvals: { ask: 'writes', get: 'reads', list: 'reads', decide: 'writes', replace: 'writes' },
  runs: {
    journal: 'reads',
    write: 'writes',
    ask: 'writes',
    park: 'writes',
    wakeDue: 'writes',
    askToStop: 'writes',
    question: 'reads',
    questions: 'reads',
    answer: 'writes',
    closeQuestions: 'writes',
    setProgress: 'writes',
    progress: 'reads',
  },
  // every wake-up is written inside the step that makes it necessary; its delivery is a failpoint of its own
  jobs: { enqueue: 'elsewhere', work: 'elsewhere' },
  limits: { take: 'writes' },
  audit: { append: 'writes', list: 'reads' },
  admin: { version: 'reads', get: 'reads', list: 'reads', change: 'writes' },
} as const satisfies { readonly [S in keyof Trusted]: Readonly<Record<keyof Trusted[S], Manner>> }

const VENDOR = {
  make: 'vendor.make',
  find: 'vendor.find',
  ticket: 'vendor.ticket',
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

/** Between which two durable steps: the stores' writing methods, a wake-up's delivery, and the vendor's. */
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
  // erased: the same names as the type, made at run time
  return names as readonly string[] as readonly FailpointName[]
}

/** What becomes of a process that comes by. Armed for an item, it lets everybody else's calls pass. */
export type Failpoint = {
  readonly name: FailpointName
  readonly side: Side
  readonly does: { readonly kind: 'die' } | { readonly kind: 'stand-still'; readonly forMs: number }
  readonly item?: string
}
