import type {
  Effect,
  EffectLog,
  EmulatorReply,
  EmulatorRequest,
  EmulatorRoute,
} from '@surehand/testing'

/** What the vendor writes into its log for everything it has made. */
export type Made = {
  readonly kind: string
  readonly item: string
  readonly key: string
  readonly receipt: string
}

// items of this kind the vendor will not make
export const UNWANTED = 'unwanted-'
// to items of this kind the way is closed at first
export const SHUT = 'shut-'

/** A vendor that makes an item a request. It knows a key again only at `/sameKey`; elsewhere a second request is a second item. */
export function vendorRoutes(): readonly EmulatorRoute[] {
  const madeUnder = indexOf()
  let tickets = 0
  return [
    { method: 'GET', path: '/ticket', handle: () => ({ body: { number: ++tickets } }) },
    {
      method: 'GET',
      path: '/found/:key',
      handle: ({ params }, log) => receiptOf(madeUnder(log).get(params.key ?? '')),
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
  madeUnder: (log: EffectLog) => Map<string, Made>,
): EmulatorReply {
  const { kind = '', item = '' } = params
  const key = headers['idempotency-key'] ?? ''
  if (item.startsWith(UNWANTED))
    return { status: 422, body: { error: 'The vendor does not make this.' } }
  const known = kind === 'sameKey' ? madeUnder(log).get(key) : undefined
  if (known !== undefined) return receiptOf(known)
  const effect: Made = { kind, item, key, receipt: `${kind}-${log.effects().length + 1}` }
  return { ...receiptOf(effect), effect }
}

function receiptOf(made: Made | undefined): EmulatorReply {
  return { body: { receipt: made?.receipt ?? '', item: made?.item ?? '' } }
}

// reads on from where it stopped: looking through a log of a hundred thousand for every request would be the whole run
function indexOf(): (log: EffectLog) => Map<string, Made> {
  const made = new Map<string, Made>()
  let read = 0
  return (log) => {
    const effects: readonly Effect[] = log.effects()
    for (; read < effects.length; read++) {
      const one = effects[read]?.effect as Made
      if (!made.has(one.key)) made.set(one.key, one)
    }
    return made
  }
}
