import { type Duration, toMs } from './duration.ts'

/**
 * How to find out, after a failure, whether an effect happened. `sameKey`: the provider
 * deduplicates by our key, so the call may be sent again. `lookUp`: the provider can be queried.
 * `none`: it cannot be known, and a person must check. (Effects in our own database are
 * transactions.)
 *
 * @example
 * const recovery: Recovery = sameKey({ validFor: '1d' })
 */
export type Recovery =
  | { readonly kind: 'sameKey'; readonly validForMs: number }
  | { readonly kind: 'lookUp'; readonly method: string; readonly settleMs: number | undefined }
  | { readonly kind: 'none' }

/** What a port declares for each method: `read`, or the recovery class of its effect. */
export type MethodClass = 'read' | Recovery

export type PortMethod = (args: never, signal: AbortSignal) => Promise<unknown>
export type Methods<P> = { readonly [K in keyof P]: PortMethod }

/**
 * An interface that a tool needs from outside. `P` is the interface that providers implement.
 *
 * @example
 * type Mailer = { send: (mail: { to: string; idempotencyKey: string }, signal: AbortSignal) => Promise<null> }
 * const mailer: Port<Mailer> = definePort<Mailer>('mailer', { send: unrecoverable })
 */
export type Port<P = unknown> = {
  readonly name: string
  /** How messages name its provider; default: its name. */
  readonly title: string
  readonly methods: ReadonlyMap<string, MethodClass>
  readonly hasEffects: boolean
  /** Whether its provider only calls tools. */
  readonly callsTools: boolean
  /** The host that a request goes to; undefined where the provider reaches one only. */
  readonly hostOf: ((args: unknown) => string | undefined) | undefined
  /** Only for the compiler. */
  readonly provides?: P
}

export type PortOptions = {
  /**
   * For a provider that has no effect of its own and only calls other tools, each with a key that a
   * repetition finds again. It has no circuit breaker, because the ports of those tools have theirs,
   * and one failing vendor must not stop work that does not need it. It is tried again after as many
   * deaths of its process as a run. Default: false.
   */
  readonly callsTools?: boolean
  /**
   * The host that a request goes to, for a provider that reaches many: one that fails must not stop
   * requests to the others.
   */
  readonly host?: (args: never) => string | undefined
  /** How messages name its provider, if the name is not for people. */
  readonly title?: string
}

/**
 * Declares a port: every method is named, as a read or with the recovery class of its effect.
 * All methods must be listed, because a forgotten effect would run without protection.
 *
 * @example
 * type Payments = {
 *   pay: (order: { euros: number; idempotencyKey: string }, signal: AbortSignal) => Promise<{ id: string }>
 *   find: (query: { idempotencyKey: string }, signal: AbortSignal) => Promise<{ id: string } | null>
 * }
 * const payments = definePort<Payments>('payments', {
 *   pay: lookUp({ method: 'find', settle: '30s' }),
 *   find: 'read',
 * })
 */
export function definePort<P extends Methods<P>>(
  name: string,
  methods: { readonly [K in keyof P]: MethodClass },
  { callsTools = false, host, title = name }: PortOptions = {},
): Port<P> {
  const classes = new Map(Object.entries<MethodClass>(methods))
  for (const [method, recovery] of classes) {
    if (
      recovery !== 'read' &&
      recovery.kind === 'lookUp' &&
      classes.get(recovery.method) !== 'read'
    ) {
      throw new TypeError(
        `${name}.${method} looks itself up with "${recovery.method}", which is not a read method of the port.`,
      )
    }
  }
  return Object.freeze({
    name,
    title,
    methods: classes,
    hasEffects: [...classes.values()].some((recovery) => recovery !== 'read'),
    callsTools,
    // Called with the arguments of the port's own methods only.
    hostOf: host as Port['hostOf'],
  })
}

/**
 * A recovery class: the provider deduplicates by our idempotency key for this long.
 *
 * @example
 * const recovery = sameKey({ validFor: '24h' })
 */
export function sameKey(options: { readonly validFor: Duration }): Recovery {
  return { kind: 'sameKey', validForMs: toMs(options.validFor) }
}

/**
 * A recovery class: a read method of the same port, which takes `{ idempotencyKey, args }`, returns
 * the effect's result or null. `settle` bounds how long a request may still be under way; without
 * it, "absent" proves nothing.
 *
 * @example
 * const recovery = lookUp({ method: 'find', settle: '30s' })
 */
export function lookUp(options: { readonly method: string; readonly settle?: Duration }): Recovery {
  return {
    kind: 'lookUp',
    method: options.method,
    settleMs: options.settle === undefined ? undefined : toMs(options.settle),
  }
}

/**
 * A recovery class: it cannot be known whether the effect happened. After a failure the outcome
 * stays unknown until an administrator resolves it.
 *
 * @example
 * const port = definePort<{ ring: (door: null, signal: AbortSignal) => Promise<null> }>('bell', {
 *   ring: unrecoverable,
 * })
 */
export const unrecoverable: Recovery = { kind: 'none' }
