import type { AttributeRule } from '../call/attribute-rule.ts'
import { hashJson } from '../call/canonical.ts'
import type { RequiredCapability, ResourceNeed } from '../define/contract.ts'
import type { JsonSchema } from '../define/json-schema.ts'
import { secretFields } from '../define/redact.ts'
import type { Tool } from '../define/tool.ts'
import { shortenSchema } from './model-schema.ts'
import { wireName } from './registry.ts'

/** What a model or an approver is shown of a tool. */
export type PublishedDefinition = {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly version: string
  readonly description: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly effect: string
  readonly reversible: boolean
  readonly approval: string
  readonly auth: string
  readonly roles: readonly string[]
  readonly capabilities: readonly RequiredCapability[]
  readonly when: AttributeRule | null
  readonly resources: readonly ResourceNeed[]
  readonly security_level: string
  /** Fields that are filled from the caller, and fields that are secret. */
  readonly from_caller: Readonly<Record<string, string>>
  readonly sensitive: readonly string[]
  /** Of an imported tool: what is sent, and where. */
  readonly source?: string
}

/** The published definition of a tool. */
export function describe(tool: Tool): PublishedDefinition {
  const { contract } = tool
  return {
    id: tool.id,
    title: tool.title,
    category: tool.category,
    version: tool.version,
    description: tool.description,
    input: tool.input.toJson('input'),
    output: tool.output.toJson('output'),
    effect: contract.effect,
    reversible: contract.reversible,
    approval: contract.approval?.kind ?? 'none',
    auth: contract.auth,
    roles: contract.roles,
    capabilities: contract.capabilities,
    when: contract.when ?? null,
    resources: contract.resources,
    security_level: contract.securityLevel,
    from_caller: Object.fromEntries(tool.fromCaller),
    sensitive: secretFields(tool.input.shape),
    ...(tool.fingerprint === undefined ? {} : { source: tool.fingerprint() }),
  }
}

const hashes = new WeakMap<Tool, string>()

/** A hash that changes when anything a model or an approver is shown changes. */
export function definitionHash(tool: Tool): string {
  const known = hashes.get(tool)
  if (known !== undefined) return known
  const fresh = hashJson(describe(tool))
  hashes.set(tool, fresh)
  return fresh
}

/**
 * The input schema as a model sees it: without the idempotency key and the fields that are filled
 * from the caller.
 */
export function modelInputSchema(tool: Tool): JsonSchema {
  const known = modelSchemas.get(tool)
  if (known !== undefined) return known
  const fresh = createModelSchema(tool)
  modelSchemas.set(tool, fresh)
  return fresh
}

const modelSchemas = new WeakMap<Tool, JsonSchema>()

function createModelSchema(tool: Tool): JsonSchema {
  const published = tool.input.toJson('input')
  const schema = tool.input.isForeign === true ? published : shortenSchema(published)
  const hidden = hiddenFields(tool)
  if (hidden.size === 0) return schema
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
  }
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !hidden.has(name)),
    ),
    required: required.filter((name) => !hidden.has(name)),
  }
}

/** An input as a model would write it. */
export function modelInput(tool: Tool, input: unknown): unknown {
  const hidden = hiddenFields(tool)
  if (hidden.size === 0 || typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !hidden.has(name)))
}

function hiddenFields(tool: Tool): ReadonlySet<string> {
  return new Set([
    ...tool.fromCaller.keys(),
    ...(tool.keyField === undefined ? [] : [tool.keyField]),
  ])
}

/**
 * A write that needs an idempotency key from its caller and that no duplicate guard covers: a
 * surface makes one for a person.
 */
export function wantsKey({ contract }: Tool): boolean {
  return contract.isWrite && contract.reversible && contract.idempotency === 'caller'
}

export type Dialect = 'openai' | 'anthropic' | 'gemini' | 'mcp'

/**
 * What a tool costs in a model's context, in tokens, as an estimate: models count differently and
 * don't publish how. Words are cut as byte-pair encoders do by and large: letters in runs of up to
 * six, digits in threes, signs alone or in pairs.
 */
export function tokenCost(tool: Tool, dialect: Dialect): number {
  return countTokens(JSON.stringify(inDialect(tool, dialect)))
}

const LONGEST_LINE = 110

/**
 * A tool as one short line of a search answer, with what its description would cost: a model reads
 * the lines of many tools to choose one.
 */
export function toolLine(tool: Tool): string {
  return `${wireName(tool.id)}: ${toolSummary(tool)} (${tokenCost(tool, 'mcp')} tokens)`
}

/** What a tool does, in one short sentence. */
export function toolSummary(tool: Tool): string {
  const written = tool.title.includes(' ') ? tool.title : tool.description
  const [sentence = ''] = written.replaceAll(/<[^>]*>/g, '').split(/(?<=[.!?])\s|\n/)
  const text = sentence.trim().replace(/\.$/, '')
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text
}

export function countTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d{1,3}|\s+|[^\sA-Za-z\d]{1,2}/gu))
    tokens += /^[A-Za-z]/.test(piece) ? Math.ceil(piece.length / 6) : 1
  return tokens
}

function inDialect(tool: Tool, dialect: Dialect): object {
  const name = wireName(tool.id)
  const { description } = tool
  const schema = modelInputSchema(tool)
  switch (dialect) {
    case 'openai':
      return { type: 'function', function: { name, description, parameters: schema } }
    case 'anthropic':
      return { name, description, input_schema: schema }
    case 'gemini':
      return { name, description, parametersJsonSchema: schema }
    case 'mcp':
      return {
        name,
        title: tool.title,
        description,
        inputSchema: schema,
      }
  }
}
