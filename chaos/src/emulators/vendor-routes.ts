import type {
  Effect,
  EffectLog,
  EmulatorReply,
  EmulatorRequest,
  EmulatorRoute,
} from '@surehand/testing'
import { FIRST_PRICE } from '../pack/vendor-port.ts'

/** The vendor's log entry for an item it has made. */
export type MadeItem = {
  readonly kind: string
  readonly item: string
  readonly key: string
  readonly receipt: string
}

// The vendor refuses to make items with this prefix.
export const REJECTED_PREFIX = 'unwanted-'
// The first attempt to reach the vendor for these items fails with a refused connection.
export const UNREACHABLE_PREFIX = 'shut-'

/**
 * A vendor that makes one item per request. It recognizes a repeated key only at `/sameKey`;
 * elsewhere a second request makes a second item.
 */
export function vendorRoutes(): readonly EmulatorRoute[] {
  const madeUnder = createKeyIndex()
  const priced = new Set<string>()
  let tickets = 0
  return [
    { method: 'GET', path: '/ticket', handle: () => ({ body: { number: ++tickets } }) },
    {
      method: 'GET',
      path: '/price/:item',
      handle({ params: { item = '' } }) {
        const isFirst = !priced.has(item)
        priced.add(item)
        return { body: { euros: isFirst ? FIRST_PRICE : 2 * FIRST_PRICE } }
      },
    },
    {
      method: 'GET',
      path: '/found/:key',
      handle: ({ params }, log) => toReceipt(madeUnder(log).get(params.key ?? '')),
    },
    {
      method: 'POST',
      path: '/:kind/:item',
      handle: (request, log) => make(request, log, madeUnder),
    },
  ]
}

function make(
  { params, headers }: EmulatorRequest,
  log: EffectLog,
  madeUnder: (log: EffectLog) => Map<string, MadeItem>,
): EmulatorReply {
  const { kind = '', item = '' } = params
  const key = headers['idempotency-key'] ?? ''
  if (item.startsWith(REJECTED_PREFIX))
    return { status: 422, body: { error: 'The vendor does not make this.' } }
  const known = kind === 'sameKey' ? madeUnder(log).get(key) : undefined
  if (known !== undefined) return toReceipt(known)
  const effect: MadeItem = { kind, item, key, receipt: `${kind}-${log.effects().length + 1}` }
  return { ...toReceipt(effect), effect }
}

function toReceipt(made: MadeItem | undefined): EmulatorReply {
  return { body: { receipt: made?.receipt ?? '', item: made?.item ?? '' } }
}

// Indexes only the new entries: searching a log of a hundred thousand entries for every request
// would dominate the run time.
function createKeyIndex(): (log: EffectLog) => Map<string, MadeItem> {
  const made = new Map<string, MadeItem>()
  let read = 0
  return (log) => {
    const effects: readonly Effect[] = log.effects()
    for (; read < effects.length; read++) {
      const one = effects[read]?.effect as MadeItem
      if (!made.has(one.key)) made.set(one.key, one)
    }
    return made
  }
}
