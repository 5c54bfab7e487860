import { type Duration, toMs } from './duration.ts'

/**
 * How to find out, after trouble, whether an effect happened.
 * `sameKey`: the provider deduplicates by our key, so it may be driven again. `lookUp`: the provider can be asked.
 * `none`: nobody can know; a person must look. (Effects in our own database are transactions, see transaction.ts.)
 */
export type Recovery =
  | { readonly kind: 'sameKey'; readonly validForMs: number }
  | { readonly kind: 'lookUp'; readonly method: string; readonly settleMs: number | undefined }
  | { readonly kind: 'none' }

/** What a port says of each method: a mere read, or an effect with its recovery class. */
export type MethodClass = 'read' | Recovery

export type PortMethod = (args: never, signal: AbortSignal) => Promise<unknown>
export type Methods<P> = { readonly [K in keyof P]: PortMethod }

/** What a tool needs from outside. `P` is the interface that providers implement. */
export type Port<P = unknown> = {
  readonly name: string
  readonly methods: ReadonlyMap<string, MethodClass>
  readonly hasEffects: boolean
  /** Only for the compiler. */
  readonly provides?: P
}

/**
 * Declares a port: every method is named, with the recovery class of its effect.
 * Naming them all is the point: a forgotten effect would run unguarded.
 */
export function definePort<P extends Methods<P>>(
  name: string,
  methods: { readonly [K in keyof P]: MethodClass },
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
    methods: classes,
    hasEffects: [...classes.values()].some((recovery) => recovery !== 'read'),
  })
}

/** The provider deduplicates by our key for this long. */
export function sameKey(options: { readonly validFor: Duration }): Recovery {
  return { kind: 'sameKey', validForMs: toMs(options.validFor) }
}

/**
 * The provider can be asked with a read method of the same port, which takes `{ idempotencyKey, args }` and answers the effect's result or null.
 * `settle` bounds how long a request may still be under way; without it, "absent" proves nothing.
 */
export function lookUp(options: { readonly method: string; readonly settle?: Duration }): Recovery {
  return {
    kind: 'lookUp',
    method: options.method,
    settleMs: options.settle === undefined ? undefined : toMs(options.settle),
  }
}

/** Nobody can know: after trouble the outcome is unknown until a person says. */
export const unrecoverable: Recovery = { kind: 'none' }
