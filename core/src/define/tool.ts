import type { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { Progress } from '../call/request.ts'
import type { Contract, Moment } from './contract.ts'
import type { Scope } from './data-scope.ts'
import { keyFieldAmong } from './key-field.ts'
import { bytesFields } from './json-schema.ts'
import { type NormalContract, normalContract } from './normal.ts'
import type { Port } from './port.ts'
import type { Run } from './run.ts'
import { type Schema, zodSchema } from './schema.ts'
import { readShape, type Shape } from './shape.ts'
import type { Transaction } from './transaction.ts'

export type PortMap = Readonly<Record<string, Port>>
export type Provided<P extends PortMap> = {
  readonly [K in keyof P]: P[K] extends Port<infer M> ? M : never
}

/**
 * What `execute` is given: the parsed input, the ports, the caller, the idempotency key and a
 * signal to stop by.
 *
 * @example
 * const execute = async ({ input, signal }: Execution<{ url: string }, unknown>) =>
 *   (await fetch(input.url, { signal })).text()
 */
export type Execution<I, P> = {
  readonly input: I
  readonly ports: P
  readonly caller: Caller
  readonly callId: string
  /** Fixed at the first claim, the same over retries and crashes: pass it to the provider. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /**
   * The facts of the approval as they were shown, if it has any. Pass what matters to the provider,
   * or check it inside the transaction: it may have changed since it was compared.
   */
  readonly facts: unknown
  /** Whose data a capability of the contract covers for this caller; apply it to every query. */
  readonly scopeOf: (capability: string) => Scope
  /**
   * Whether the caller has a capability that only some inputs need; the contract names those that
   * every call needs.
   */
  readonly holds: (capability: string) => boolean
  readonly now: () => number
  readonly newId: (prefix: string) => string
  readonly report: (progress: Progress) => void
}

/**
 * An example input, published with the tool and checked against its schema by the conformance
 * tests.
 *
 * @example
 * const example: Example<{ city: string }> = { name: 'Lisbon', input: { city: 'Lisbon' } }
 */
export type Example<I> = { readonly name: string; readonly description?: string; readonly input: I }

export type SideEffect = {
  readonly type: 'read' | 'write' | 'delete' | 'network' | 'filesystem'
  readonly description: string
  readonly reversible: boolean
}

/**
 * A tool as its author writes it; `defineTool` fills in the defaults.
 *
 * @example
 * const input = z.object({ city: z.string() })
 * const output = z.object({ celsius: z.number() })
 * const form: ToolForm<typeof input, typeof output, Record<never, never>> = {
 *   id: 'weather.today',
 *   description: 'The weather in a city today.',
 *   input,
 *   output,
 *   contract: { effect: 'read' },
 *   execute: async ({ input: { city } }) => ({ celsius: city.length }),
 * }
 * const tool = defineTool(form)
 */
export type ToolForm<I extends z.ZodType, O extends z.ZodType, P extends PortMap> = {
  readonly id: string
  /** For people; the id's last part in words where it is left out. */
  readonly title?: string
  /** Groups tools in lists and searches; `custom` where it is left out. */
  readonly category?: string
  readonly description: string
  readonly detailedDescription?: string
  readonly version?: string
  readonly author?: string
  readonly aliases?: readonly string[]
  /** The envelope's `command`, where a protocol names the tool otherwise; one of the aliases. */
  readonly command?: string
  readonly input: I
  readonly output: O
  readonly contract: Contract<z.output<I>, z.input<O>, Provided<P>>
  readonly ports?: P
  readonly examples?: readonly Example<z.input<I>>[]
  readonly outputExamples?: readonly {
    readonly name: string
    readonly scenario: string
    readonly data: z.output<O>
  }[]
  /** The shape of an error's details, by its code. */
  readonly errors?: Readonly<Partial<Record<ToolErrorCode, z.ZodType>>>
  /** Its side effects in document 004's vocabulary; derived from the effect by default. */
  readonly sideEffects?: readonly SideEffect[]
  /** Input fields that are taken from the caller before validation, whatever the input says. */
  readonly fromCaller?: Readonly<Record<string, 'principal' | 'session' | 'tenant'>>
  /** A semantic check before execution; it throws a ToolError. */
  readonly check?: (moment: Moment<z.output<I>, Provided<P>>) => void | Promise<void>
  /** The request of the domain that a call belongs to: the `request_id` of its audit records. */
  readonly requestId?: (input: z.output<I>) => string
} & (
  | {
      /** `async` tools answer with a job that a worker executes. */
      readonly kind?: 'sync' | 'async'
      readonly execute: (execution: Execution<z.output<I>, Provided<P>>) => Promise<z.input<O>>
      readonly transaction?: never
    }
  | {
      readonly kind?: 'sync' | 'async'
      readonly transaction: LocalEffect<z.output<I>, z.input<O>, Provided<P>>
      readonly execute?: never
    }
  | {
      /** `interactive` asks questions, `composite` calls other tools; each may do both. */
      readonly kind: 'interactive' | 'composite'
      /** Answers with a job at once; a worker executes it. */
      readonly background?: boolean
      readonly execute: (run: Run<z.output<I>>) => Promise<z.input<O>>
      readonly transaction?: never
      /** It has no ports: what it needs from outside are steps, whose answers are stored. */
      readonly ports?: never
    }
)

export type ToolKind = 'sync' | 'async' | 'interactive' | 'composite'

/** The work of a tool whose whole effect is in the runtime's own database. */
export type LocalEffect<I, O, P> = {
  readonly name: string
  readonly apply: Transaction['apply']
  readonly args: (execution: Omit<Execution<I, P>, 'signal' | 'report'>) => unknown
  /** Only for the compiler. */
  readonly gives?: O
}

/**
 * Binds a transaction to a tool: how the transaction's arguments are made from the call.
 *
 * @example
 * const addOrder = defineTransaction('shop.addOrder', async (tx, { id }: { id: string }) => {
 *   await tx.run('INSERT INTO orders (id) VALUES (?)', id)
 *   return { id }
 * })
 * const order = defineTool({
 *   id: 'shop.order',
 *   description: 'Orders a product.',
 *   input: z.object({ product: z.string() }),
 *   output: z.object({ id: z.string() }),
 *   contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
 *   transaction: transact(addOrder, ({ newId }: Pick<Execution<unknown, unknown>, 'newId'>) => ({
 *     id: newId('ord'),
 *   })),
 * })
 */
export function transact<A, R, E>(
  transaction: Transaction<A, R>,
  args: (execution: E) => A,
): {
  readonly name: string
  readonly apply: Transaction['apply']
  readonly args: (execution: E) => A
  readonly gives?: R
} {
  return { name: transaction.name, apply: transaction.apply as Transaction['apply'], args }
}

/**
 * A tool in its normal form: frozen, with every default filled in. `I` and `O` are what callers
 * send and receive.
 *
 * @example
 * const listed = (tools: readonly Tool[]) => tools.map(({ id, description }) => `${id}: ${description}`)
 */
export type Tool<I = unknown, O = unknown> = {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly description: string
  readonly detailedDescription: string | undefined
  readonly author: string | undefined
  readonly version: string
  readonly aliases: readonly string[]
  /** Further words to find it by, such as method and path of an imported operation. */
  readonly keywords?: string
  /** How people ask for it, one phrase a line. */
  readonly phrases?: string
  readonly command: string | undefined
  readonly kind: ToolKind
  /** A worker executes it, and the caller gets a job. */
  readonly isDeferred: boolean
  readonly contract: NormalContract
  readonly input: Schema
  readonly output: Schema
  readonly ports: ReadonlyMap<string, Port>
  /**
   * Whether its ports declare an effect. A write without one has its effect somewhere in `execute`.
   */
  readonly hasEffectPorts: boolean
  readonly examples: readonly Example<unknown>[]
  readonly outputExamples: readonly {
    readonly name: string
    readonly scenario: string
    readonly data: unknown
  }[]
  readonly errors: ReadonlyMap<string, Schema>
  readonly sideEffects: readonly SideEffect[]
  readonly fromCaller: ReadonlyMap<string, 'principal' | 'session' | 'tenant'>
  readonly keyField: string | undefined
  /** Input fields that take base64 text, or bytes in process. */
  readonly bytesFields: ReadonlySet<string>
  readonly check: ((moment: Moment<unknown, unknown>) => void | Promise<void>) | undefined
  readonly requestId: ((input: unknown) => string) | undefined
  readonly work: Work
  /**
   * Of an imported tool: what is sent and where. Accepting or approving the tool covers it, so it
   * is part of its hash.
   */
  readonly fingerprint?: () => string
  /** Only for the compiler. */
  readonly types?: { readonly input: I; readonly output: O }
}

export type Work =
  | {
      readonly kind: 'execute'
      readonly execute: (execution: Execution<unknown, never>) => Promise<unknown>
    }
  | {
      readonly kind: 'transaction'
      readonly name: string
      readonly apply: Transaction['apply']
      readonly args: (execution: Execution<unknown, never>) => unknown
    }
  | { readonly kind: 'run'; readonly execute: (run: Run<unknown>) => Promise<unknown> }

const ID = /^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/
const SEMVER = /^\d+\.\d+\.\d+$/

/**
 * Defines a tool: its schemas and its contract are checked here, and the contract is enforced on
 * every call.
 *
 * @example
 * const weather = defineTool({
 *   id: 'weather.today',
 *   description: 'The weather in a city today.',
 *   input: z.object({ city: z.string() }),
 *   output: z.object({ celsius: z.number() }),
 *   contract: { effect: 'read', timeout: '2s', cache: '10m' },
 *   execute: async ({ input }) => ({ celsius: input.city.length }),
 * })
 */
export function defineTool<
  const I extends z.ZodType,
  const O extends z.ZodType,
  const P extends PortMap = Record<never, never>,
>(form: ToolForm<I, O, P>): Tool<z.input<I>, z.output<O>> {
  try {
    return normalTool(form)
  } catch (cause) {
    throw new TypeError(
      `Tool "${form.id}": ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}

function normalTool<I extends z.ZodType, O extends z.ZodType, P extends PortMap>(
  form: ToolForm<I, O, P>,
): Tool<z.input<I>, z.output<O>> {
  if (!ID.test(form.id) || form.id.length > 64)
    throw new TypeError(
      'an id is namespace.action in letters, digits, "_" and "-", at most 64 characters.',
    )
  const version = form.version ?? '1.0.0'
  if (!SEMVER.test(version))
    throw new TypeError(`the version "${version}" is not major.minor.patch.`)
  if (form.description.trim() === '')
    throw new TypeError('a description is what the model reads; it cannot be empty.')
  const contract = normalContract(form.contract as Contract<never, never, never>)
  const keyField = keyFieldOf(readShape(form.input))
  const title = form.title ?? titleFrom(form.id)
  const tool = {
    id: form.id,
    title,
    category: form.category ?? 'custom',
    description: form.description,
    detailedDescription: form.detailedDescription,
    author: form.author,
    version,
    aliases: form.aliases ?? [],
    command: form.command,
    kind: form.kind ?? 'sync',
    isDeferred: form.kind === 'async' || ('background' in form && form.background === true),
    contract,
    input: zodSchema(form.input, {
      omitFromHash: new Set(keyField === undefined ? [] : [keyField]),
      refuseUnknown: contract.unknownKeys === 'refuse',
    }),
    output: zodSchema(form.output),
    ports: new Map(Object.entries(form.ports ?? {})),
    hasEffectPorts: Object.values<Port>(form.ports ?? {}).some((port) => port.hasEffects),
    examples: form.examples ?? [],
    outputExamples: form.outputExamples ?? [],
    errors: new Map(
      Object.entries(form.errors ?? {}).flatMap(([code, schema]) =>
        schema === undefined ? [] : [[code, zodSchema(schema)]],
      ),
    ),
    sideEffects: form.sideEffects ?? derivedSideEffects(title, contract),
    fromCaller: new Map(Object.entries(form.fromCaller ?? {})),
    keyField,
    bytesFields: bytesFields(form.input),
    check: form.check as Tool['check'],
    requestId: form.requestId as Tool['requestId'],
    work: workOf(form as unknown as ToolForm<z.ZodType, z.ZodType, PortMap>),
  }
  if (contract.cache?.shared && tool.fromCaller.size > 0)
    throw new TypeError("a shared cache can't hold answers that depend on who asks (fromCaller).")
  if (tool.work.kind === 'run' && contract.approval?.facts !== undefined)
    throw new TypeError('a tool that asks or calls others has no facts: its steps may have some.')
  if (tool.input.shape.kind !== 'object')
    throw new TypeError('the input must be an object: models and flags fill named fields.')
  return Object.freeze(tool)
}

/** `booking.bookSlot` becomes "Book slot". */
function titleFrom(id: string): string {
  const name = id.split('.').at(-1) ?? id
  const words = name.replaceAll(/[_-]+/g, ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
  const lower = words.trim().toLowerCase()
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

export function derivedSideEffects(title: string, contract: NormalContract): readonly SideEffect[] {
  const type = contract.isWrite ? 'write' : 'read'
  return contract.effect === 'none'
    ? []
    : [
        {
          type,
          description: `${title} (${contract.effect})`,
          reversible: contract.isWrite && contract.reversible,
        },
      ]
}

function workOf(form: ToolForm<z.ZodType, z.ZodType, PortMap>): Work {
  if (form.kind === 'interactive' || form.kind === 'composite') return runOf(form)
  // erased: execute is only ever given the input its own schema parsed and the ports it named
  if (form.execute !== undefined) return { kind: 'execute', execute: form.execute as never }
  if (!form.contract.effect.startsWith('writes.'))
    throw new TypeError('a transaction is a write; a read uses execute.')
  return {
    kind: 'transaction',
    name: form.transaction.name,
    apply: form.transaction.apply,
    args: form.transaction.args as never,
  }
}

// erased, as above
function runOf(form: {
  readonly execute: unknown
  readonly ports?: PortMap
  readonly contract: object
}): Work {
  if (Object.keys(form.ports ?? {}).length > 0)
    throw new TypeError(
      'a tool that asks or calls others has no ports: what it needs from outside are steps, whose answers are kept.',
    )
  for (const rule of ['cache', 'fallback'])
    if (rule in form.contract)
      throw new TypeError(
        `a tool that asks or calls others has no ${rule}: its steps may have one.`,
      )
  return { kind: 'run', execute: form.execute as never }
}

function keyFieldOf(shape: Shape): string | undefined {
  return shape.kind === 'object' ? keyFieldAmong(shape.fields.map(({ name }) => name)) : undefined
}
