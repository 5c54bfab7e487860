import { scopedKey } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import type { ProviderMethod, Providers } from '../mutant.ts'
import { suffer, type Trouble } from './trouble.ts'

/** A request as it came in, whatever became of it. */
export type Arrival = {
  readonly port: string
  readonly method: string
  readonly args: Record<string, unknown>
  readonly at: number
  readonly signal: AbortSignal
}

/** Something that really happened out there. */
export type Effect = {
  readonly port: string
  readonly key: string
  readonly args: Record<string, unknown>
  readonly receipt: Receipt
}

export type Receipt = { readonly receipt: string; readonly item: string; readonly extra: unknown }

/**
 * The outside of a world: one emulated provider for every port of the fixture pack, with its own
 * log.
 */
export type Emulator = {
  readonly providers: Providers
  readonly arrivals: readonly Arrival[]
  readonly effects: readonly Effect[]
  /** What the next requests to `port.method` meet, one each. */
  readonly next: (method: string, ...troubles: readonly Trouble[]) => void
  /** What every request to `port.method` meets from now on. */
  readonly always: (method: string, trouble: Trouble | undefined) => void
  /** What gates and checks find when they look, one answer after the other; the last one stays. */
  readonly saying: (...answers: readonly ('open' | 'closed')[]) => void
  /** Runs while a request is at the provider's surface, before anything is done. */
  readonly onArrival: (look: (arrival: Arrival) => void | Promise<void>) => void
}

/** Providers of these ports know a key they have seen. */
const DEDUPLICATES: ReadonlySet<string> = new Set(['orders'])
const MAKERS = ['orders', 'mail', 'parcels', 'fax', 'legacy']
// in an order no schema and no sorting would give it: a replay must not tidy up
const EXTRA = { zulu: 1, alpha: [1.5, 'é', null], mike: { y: true, x: '\u2028' } }

export function createEmulator(clock: Clock): Emulator {
  const arrivals: Arrival[] = []
  const effects: Effect[] = []
  const made = new Map<string, Receipt>()
  const queued = new Map<string, Trouble[]>()
  const standing = new Map<string, Trouble>()
  let answers: readonly ('open' | 'closed')[] = ['open']
  let look: (arrival: Arrival) => void | Promise<void> = () => undefined

  function meets(method: string, make: (args: Record<string, unknown>) => unknown): ProviderMethod {
    return async (args, signal) => {
      const [port = '', name = ''] = method.split('.')
      const arrival = { port, method: name, args, at: clock.now(), signal }
      arrivals.push(arrival)
      await look(arrival)
      return suffer(queued.get(method)?.shift() ?? standing.get(method), {
        provider: port,
        args,
        clock,
        signal,
        make: () => make(args),
      })
    }
  }

  function make(port: string, args: Record<string, unknown>): Receipt {
    const key = String(args.key)
    const known = made.get(scopedKey(port, key))
    if (known !== undefined && DEDUPLICATES.has(port)) return known
    const receipt = {
      receipt: `${port}-${effects.length + 1}`,
      item: String(args.item),
      extra: EXTRA,
    }
    effects.push({ port, key, args, receipt })
    made.set(scopedKey(port, key), receipt)
    return receipt
  }

  function maker(port: string): Record<string, ProviderMethod> {
    return {
      make: meets(`${port}.make`, (args) => make(port, args)),
      find: meets(
        `${port}.find`,
        (args) => made.get(scopedKey(port, String(args.idempotencyKey))) ?? null,
      ),
    }
  }

  return {
    arrivals,
    effects,
    next: (method, ...troubles) =>
      void queued.set(method, [...(queued.get(method) ?? []), ...troubles]),
    always: (method, trouble) =>
      void (trouble === undefined ? standing.delete(method) : standing.set(method, trouble)),
    saying(...given) {
      answers = given
    },
    onArrival(given) {
      look = given
    },
    providers: {
      ...Object.fromEntries(MAKERS.map((port) => [port, maker(port)])),
      shelf: {
        look: meets('shelf.look', (args) => ({ item: args.item, serial: arrivals.length })),
      },
      rules: {
        ask: meets('rules.ask', () => {
          const [answer = 'open', ...rest] = answers
          if (rest.length > 0) answers = rest
          return answer
        }),
      },
    },
  }
}
