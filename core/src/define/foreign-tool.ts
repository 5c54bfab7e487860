import type { Caller } from '../call/caller.ts'
import { isToolError } from '../call/tool-error.ts'
import type { Contract } from './contract.ts'
import type { Duration } from './duration.ts'
import type { ForeignSchemas } from './foreign-schemas.ts'
import type { JsonSchema } from './json-schema.ts'
import { type NormalContract, normalContract } from './normal.ts'
import { definePort, type Port, sameKey, unrecoverable } from './port.ts'
import { withPortablePatterns } from './portable-patterns.ts'
import type { Schema } from './schema.ts'
import { derivedSideEffects, type Example, type Tool } from './tool.ts'
import { visibleText } from './visible.ts'

/** One call of a tool whose schemas come from a document or a mounted server. */
export type ForeignCall = {
  readonly tool: string
  readonly input: unknown
  readonly caller: Caller
  readonly callId: string
  /** The same over retries and crashes, for a source that deduplicates by it. */
  readonly idempotencyKey: string
}

/** Executes the tools of one document or one mounted server. */
export type ForeignSource = {
  readonly read: (call: ForeignCall, signal: AbortSignal) => Promise<unknown>
  /** After a failure it cannot be known whether it happened. */
  readonly write: (call: ForeignCall, signal: AbortSignal) => Promise<unknown>
  /** It deduplicates by the call's key. */
  readonly writeOnce: (call: ForeignCall, signal: AbortSignal) => Promise<unknown>
}

/**
 * The port of one source: it has its own circuit breaker and retry budget, so that one failing API
 * does not affect another.
 */
export function foreignPort(
  name: string,
  { keysValidFor, title = name }: { readonly keysValidFor: Duration; readonly title?: string },
): Port<ForeignSource> {
  return definePort<ForeignSource>(
    name,
    {
      read: 'read',
      write: unrecoverable,
      writeOnce: sameKey({ validFor: keysValidFor }),
    },
    { title },
  )
}

export type ForeignContract = Contract<unknown, unknown, { readonly source: ForeignSource }>

/** A tool whose schemas come from a document or a mounted server. */
export type ForeignToolForm = {
  readonly id: string
  readonly title: string | (() => string)
  readonly description: string | (() => string)
  readonly detailedDescription?: string
  readonly version?: string
  readonly author?: string
  readonly category?: string
  /** Further words to find it by. */
  readonly keywords?: string | (() => string)
  /** How people ask for it, one phrase a line. */
  readonly phrases?: string | (() => string)
  /**
   * As functions where making them is work: a document may bring thousands, of which a few are
   * called. A schema that turns out to be none throws a ToolError: that is the answer to every
   * call, and what stands in place of the schema wherever the tool is listed.
   */
  readonly input: JsonSchema | (() => JsonSchema)
  readonly output: JsonSchema | (() => JsonSchema)
  readonly contract: ForeignContract | (() => ForeignContract)
  readonly port: Port<ForeignSource>
  /** Which of the port's methods carries it: a read's must be `read`. */
  readonly by: keyof ForeignSource
  readonly examples?: readonly Example<unknown>[] | ((input: Schema) => readonly Example<unknown>[])
  /**
   * Of what is sent and where: a document that keeps its words and changes its server is another
   * one. Asked when it is wanted.
   */
  readonly fingerprint?: () => string
}

const ID = /^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/

/**
 * A tool from a document or a mounted server, under the same kind of contract as any other. Its
 * schemas are compiled when it is first called, because a document may hold thousands. Invisible
 * characters in its texts are spelled out, since models and people read them.
 */
export function foreignTool(form: ForeignToolForm, schemas: ForeignSchemas): Tool {
  if (!ID.test(form.id) || form.id.length > 64)
    throw new TypeError(`"${form.id}" can't be the id of a tool.`)
  const tool = new ForeignTool(form, schemas)
  // a contract that is given as a value is checked at once; a lazy one is checked before the first
  // call
  if (typeof form.contract !== 'function') tool.contract
  return tool
}

const NO_NAMES: ReadonlySet<string> = new Set()
const NO_ENTRIES: ReadonlyMap<string, never> = new Map<string, never>()

type Parts = {
  title?: string
  description?: string
  contract?: NormalContract
  input?: Schema
  output?: Schema
  ports?: Tool['ports']
  examples?: Tool['examples']
}

/** Its parts are created on first use, so that listing thousands of tools stays cheap. */
class ForeignTool implements Tool {
  readonly id: string
  readonly version: string
  readonly category: string
  readonly author: string | undefined
  readonly aliases = []
  readonly command = undefined
  readonly bytesFields = NO_NAMES
  readonly kind = 'sync'
  readonly isDeferred = false
  readonly hasEffectPorts = true
  readonly outputExamples = []
  readonly errors = NO_ENTRIES
  readonly fromCaller = NO_ENTRIES
  readonly keyField = undefined
  readonly check = undefined
  readonly requestId = undefined
  readonly work: Tool['work']
  readonly fingerprint?: () => string
  private readonly form: ForeignToolForm
  private readonly schemas: ForeignSchemas
  private readonly parts: Parts = {}

  constructor(form: ForeignToolForm, schemas: ForeignSchemas) {
    const { id, by } = form
    this.id = id
    this.version = form.version ?? '1.0.0'
    this.category = form.category ?? 'integration'
    this.author = form.author
    this.form = form
    this.schemas = schemas
    if (form.fingerprint !== undefined) this.fingerprint = form.fingerprint
    this.work = {
      kind: 'execute',
      execute: ({ ports, input, caller, callId, idempotencyKey, signal }) =>
        // erased: the only port is the one named below
        (ports as { readonly source: ForeignSource }).source[by](
          { tool: id, input, caller, callId, idempotencyKey },
          signal,
        ),
    }
    Object.freeze(this)
  }

  get title(): string {
    this.parts.title ??= visibleText(resolvePart(this.form.title))
    return this.parts.title
  }
  get description(): string {
    this.parts.description ??= visibleText(resolvePart(this.form.description))
    return this.parts.description
  }
  get keywords(): string {
    return resolvePart(this.form.keywords ?? '')
  }
  get phrases(): string {
    return resolvePart(this.form.phrases ?? '')
  }
  get detailedDescription(): string | undefined {
    return this.form.detailedDescription === undefined
      ? undefined
      : visibleText(this.form.detailedDescription)
  }
  get contract(): NormalContract {
    this.parts.contract ??= contractOf(this.form)
    return this.parts.contract
  }
  get input(): Schema {
    this.parts.input ??= lazily(this.form.input, this.schemas)
    return this.parts.input
  }
  get output(): Schema {
    this.parts.output ??= lazily(this.form.output, this.schemas)
    return this.parts.output
  }
  get ports(): Tool['ports'] {
    this.parts.ports ??= new Map([['source', this.form.port]])
    return this.parts.ports
  }
  get examples(): Tool['examples'] {
    const { examples = [] } = this.form
    this.parts.examples ??= typeof examples === 'function' ? examples(this.input) : examples
    return this.parts.examples
  }
  get sideEffects(): Tool['sideEffects'] {
    return derivedSideEffects(this.title, this.contract)
  }
}

function resolvePart<T extends object | string>(part: T | (() => T)): T {
  return typeof part === 'function' ? part() : part
}

function contractOf({ id, by, contract: written }: ForeignToolForm): NormalContract {
  const contract = normalContract(resolvePart(written) as unknown as Contract<never, never, never>)
  if (contract.isWrite === (by === 'read'))
    throw new TypeError(`${id}: a write is carried by write or writeOnce, a read by read.`)
  return contract
}

function lazily(form: ForeignToolForm['input'], schemas: ForeignSchemas): Schema {
  const json = (): JsonSchema => resolvePart(form)
  let published: JsonSchema | undefined
  const publishedSchema = (): JsonSchema => {
    published ??= withPortablePatterns(jsonOrRefusal(json))
    return published
  }
  let compiled: Schema | undefined
  let shape: Schema['shape'] | undefined
  const compile = (): Schema => {
    compiled ??= schemas.compile(json())
    return compiled
  }
  return {
    parse: (value) => compile().parse(value),
    write: (value) => compile().write(value),
    writeInTurns: (value, pace) => compile().writeInTurns(value, pace),
    get shape() {
      shape ??= (compiled ?? schemas.compile(publishedSchema())).shape
      return shape
    },
    toJson: publishedSchema,
    isForeign: true,
  }
}

// one bad schema must not fail a list of thousands: it is published as a schema that accepts
// nothing and says why
function jsonOrRefusal(json: () => JsonSchema): JsonSchema {
  try {
    return json()
  } catch (error) {
    if (!isToolError(error)) throw error
    return { type: 'object', description: error.message, not: {} }
  }
}
