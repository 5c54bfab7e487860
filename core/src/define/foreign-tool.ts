import type { Caller } from '../call/caller.ts'
import type { ForeignSchemas } from '../ports/foreign-schema.ts'
import type { Contract } from './contract.ts'
import type { Duration } from './duration.ts'
import type { JsonSchema } from './json-schema.ts'
import { normalContract } from './normal.ts'
import { definePort, type Port, sameKey, unrecoverable } from './port.ts'
import type { Schema } from './schema.ts'
import { type Category, derivedSideEffects, type Example, type Tool } from './tool.ts'
import { visibleText } from './visible.ts'

/** One call of a tool that somebody else wrote. */
export type ForeignCall = {
  readonly tool: string
  readonly input: unknown
  readonly caller: Caller
  readonly callId: string
  /** The same over retries and crashes, for whoever deduplicates by it. */
  readonly idempotencyKey: string
}

/** Who answers the tools of one document or one mounted server. */
export type ForeignSource = {
  readonly read: (call: ForeignCall, signal: AbortSignal) => Promise<unknown>
  /** Nobody can know, after trouble, whether it happened. */
  readonly write: (call: ForeignCall, signal: AbortSignal) => Promise<unknown>
  /** It deduplicates by the call's key. */
  readonly writeOnce: (call: ForeignCall, signal: AbortSignal) => Promise<unknown>
}

/** The port of one source: a breaker and a retry budget of its own, so that one API's trouble is not another's. */
export function foreignPort(name: string, options: { readonly keysValidFor: Duration }): Port<ForeignSource> {
  return definePort<ForeignSource>(name, { read: 'read', write: unrecoverable, writeOnce: sameKey({ validFor: options.keysValidFor }) })
}

/** A tool whose schemas are somebody else's. */
export type ForeignToolForm = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly detailedDescription?: string
  readonly version?: string
  readonly author?: string
  readonly category?: Category
  /** As functions where making them is work: a document may bring thousands, of which a few are called. */
  readonly input: JsonSchema | (() => JsonSchema)
  readonly output: JsonSchema | (() => JsonSchema)
  readonly contract: Contract<unknown, unknown, { readonly source: ForeignSource }>
  readonly port: Port<ForeignSource>
  /** Which of the port's methods carries it: a read's must be `read`. */
  readonly by: keyof ForeignSource
  readonly examples?: readonly Example<unknown>[] | ((input: Schema) => readonly Example<unknown>[])
  /** Of what is sent and where: a document that keeps its words and changes its server is another one. Asked when it is wanted. */
  readonly fingerprint?: () => string
}

const ID = /^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/

/**
 * A tool out of a document or a mounted server, under the same contract as any other. Its schemas are compiled when it is first called:
 * a document may bring thousands. What nobody can see in its words is made visible, since models and people read them.
 */
export function foreignTool(form: ForeignToolForm, schemas: ForeignSchemas): Tool {
  if (!ID.test(form.id) || form.id.length > 64) throw new TypeError(`"${form.id}" can't be the id of a tool.`)
  const contract = normalContract(form.contract as unknown as Contract<never, never, never>)
  if (contract.isWrite === (form.by === 'read'))
    throw new TypeError(`${form.id}: a write is carried by write or writeOnce, a read by read.`)
  const title = visibleText(form.title)
  const input = lazily(form.input, schemas)
  let examples = typeof form.examples === 'function' ? undefined : (form.examples ?? [])
  return Object.freeze({
    id: form.id,
    title,
    category: form.category ?? 'integration',
    description: visibleText(form.description),
    detailedDescription: form.detailedDescription === undefined ? undefined : visibleText(form.detailedDescription),
    author: form.author,
    version: form.version ?? '1.0.0',
    aliases: [],
    command: undefined,
    bytesFields: new Set<string>(),
    kind: 'sync',
    isDeferred: false,
    contract,
    input,
    output: lazily(form.output, schemas),
    ports: new Map([['source', form.port]]),
    hasEffectPorts: true,
    get examples() {
      examples ??= typeof form.examples === 'function' ? form.examples(input) : []
      return examples
    },
    outputExamples: [],
    errors: new Map(),
    sideEffects: derivedSideEffects(title, contract),
    fromCaller: new Map(),
    keyField: undefined,
    check: undefined,
    ...(form.fingerprint === undefined ? {} : { fingerprint: form.fingerprint }),
    work: {
      kind: 'execute',
      execute: ({ ports, input, caller, callId, idempotencyKey, signal }) =>
        // erased: the only port is the one named above
        (ports as { readonly source: ForeignSource }).source[form.by]({ tool: form.id, input, caller, callId, idempotencyKey }, signal),
    },
  } satisfies Tool)
}

function lazily(form: ForeignToolForm['input'], schemas: ForeignSchemas): Schema {
  const json = (): JsonSchema => (typeof form === 'function' ? form() : form)
  let compiled: Schema | undefined
  const made = (): Schema => {
    compiled ??= schemas.compile(json())
    return compiled
  }
  return {
    parse: (value) => made().parse(value),
    write: (value) => made().write(value),
    get shape() {
      return made().shape
    },
    toJson: json,
  }
}
