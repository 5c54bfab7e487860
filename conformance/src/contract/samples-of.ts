import { randomUUID } from 'node:crypto'
import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { canonicalJson, type JsonSchema } from '@surehand/core/internal'

export type Input = Readonly<Record<string, unknown>>
export type FieldSchema = JsonSchema & {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
}

/** The fields that a caller fills, by the published schema. */
export function fieldsOf(tool: Tool): {
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required: readonly string[]
} {
  const { properties = {}, required = [] } = modelInputSchema(tool) as {
    readonly properties?: Readonly<Record<string, FieldSchema>>
    readonly required?: readonly string[]
  }
  return { properties, required }
}

/** An example's input without the fields that are not a caller's to fill. */
export function inputOf(tool: Tool, index = 0): Input {
  const given = (tool.examples[index]?.input ?? {}) as Input
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => name !== tool.keyField && !tool.fromCaller.has(name)),
  )
}

/** The input as the runtime will have filled it, to be parsed here. */
export function fillCallerFields(tool: Tool, input: Input, caller?: Caller): Input {
  const own = Object.fromEntries(
    [...tool.fromCaller].map(([field, source]) => [field, caller?.[source] ?? 'someone']),
  )
  return {
    ...input,
    ...own,
    ...(tool.keyField === undefined ? {} : { [tool.keyField]: randomUUID() }),
  }
}

const CANDIDATES: readonly (readonly [string, unknown])[] = [
  ['string', 'a text'],
  ['number', 7],
  ['boolean', true],
  ['array', []],
  ['object', {}],
]

/** A value of a type the field does not take; undefined when it takes them all, or does not say. */
export function wrongValue(field: FieldSchema): { readonly value: unknown } | undefined {
  const taken = typesOf(field)
  if (taken === undefined) return undefined
  const found = CANDIDATES.find(([type]) => !taken.has(type))
  return found === undefined ? undefined : { value: found[1] }
}

function typesOf(field: FieldSchema): ReadonlySet<string> | undefined {
  const { type, anyOf, oneOf } = field as FieldSchema & {
    readonly anyOf?: readonly FieldSchema[]
    readonly oneOf?: readonly FieldSchema[]
  }
  if (type !== undefined)
    return new Set([type].flat().map((name) => (name === 'integer' ? 'number' : name)))
  if (field.enum !== undefined) return new Set(field.enum.map((value) => typeof value))
  const branches = (anyOf ?? oneOf)?.map(typesOf)
  if (branches === undefined || branches.includes(undefined)) return undefined
  return new Set(branches.flatMap((branch) => [...(branch ?? [])]))
}

/**
 * Another input that the tool takes too: another example, else the first one with a field changed.
 */
export function anotherInput(tool: Tool): Input | undefined {
  const first = inputOf(tool)
  const others = [...tool.examples.keys()].map((index) => inputOf(tool, index))
  const changed = Object.entries(first).flatMap(([name, value]) =>
    neighbours(value).map((next) => ({ ...first, [name]: next })),
  )
  return [...others, ...changed].find(
    (input) =>
      meaningOf(tool, input) !== undefined && meaningOf(tool, input) !== meaningOf(tool, first),
  )
}

function neighbours(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [`${value} 2`, `${value}2`, value.slice(0, -1)]
  if (typeof value === 'number') return [value + 1, value - 1]
  return typeof value === 'boolean' ? [!value] : []
}

/** The part of an input that is hashed. */
function meaningOf(tool: Tool, input: Input): string | undefined {
  const parsed = tool.input.parse(fillCallerFields(tool, input))
  if (!parsed.ok) return undefined
  const { [tool.keyField ?? '']: _, ...meaning } = parsed.value as Record<string, unknown>
  return canonicalJson(meaning)
}

/** Whether this input requires approval. */
export function requiresApproval(tool: Tool, input: Input, caller: Caller): boolean {
  const parsed = tool.input.parse(fillCallerFields(tool, input, caller))
  return parsed.ok && (tool.contract.approval?.when(parsed.value) ?? false)
}
