import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { type Chooser, chooseSelection } from '../answer/choose-selection.ts'
import { outputSchema } from '../answer/output-schema.ts'
import { type Draft, finishSelection } from '../answer/selection.ts'
import { isComposite, isLeaf, isPaged } from '../answer/type-plan.ts'
import { LARGE_ANSWER } from '../call/keep-large-answer.ts'
import { inputSchema } from '../input/write-schema.ts'
import { BOUNDS } from '../schema/bounds.ts'
import { isKey } from '../schema/build-model.ts'
import { clipText } from '../schema/foreign-text.ts'
import {
  type Field,
  type InputValue,
  isRequired,
  nameOf,
  type SchemaModel,
  typeText,
} from '../schema/schema-model.ts'
import type { GraphqlOperation, PathStep } from './operation.ts'
import { isKeyHeader, type OverlayEntry, termsOf } from './overlay.ts'

export type Plan = {
  readonly id: string
  readonly kind: 'query' | 'mutation'
  readonly source: string
  readonly fields: readonly Field[]
  readonly entry: OverlayEntry
  readonly endpoint: string
}

export type Built =
  | {
      readonly ok: true
      readonly operation: GraphqlOperation
      readonly notes: readonly string[]
      /** Size of the schema and description that a model sees. */
      readonly bytes: number
      /** Number of selected fields. */
      readonly fields: number
    }
  | { readonly ok: false; readonly reason: string }

type Argument = { readonly variable: string; readonly input: InputValue }

/** Builds the operation for a field or a path of fields, or says why it cannot become a tool. */
export function buildOperation(plan: Plan, chooser: Chooser): Built {
  const { model } = chooser
  const asked = plan.fields.at(-1)
  if (asked === undefined) return { ok: false, reason: 'its path is empty' }
  const type = model.types.get(nameOf(asked.type))
  if (!isLeaf(type) && !isComposite(type))
    return {
      ok: false,
      reason: `it returns ${nameOf(asked.type)}, which the schema does not define`,
    }
  const { once } = plan.entry
  if (once !== undefined && !isKeyHeader(once.header))
    return { ok: false, reason: 'its key cannot be sent in that header' }
  const steps = plan.fields.map((field, index) =>
    listArguments(field, plan.fields.slice(0, index), model),
  )
  const unusable = steps.flat().find(({ input }) => !isUsable(input, model))
  if (unusable !== undefined)
    return { ok: false, reason: `its argument "${unusable.input.name}" cannot be given` }
  const limits = plan.kind === 'mutation' ? limitForMutation(chooser) : chooser
  const { fields, count, notes } = chooseSelection(asked.type, limits, plan)
  const drafts = isComposite(type) ? fields : undefined
  const named = steps.flat().map(({ variable, input }) => ({ ...input, name: variable }))
  const choice = drafts === undefined ? undefined : choiceName(named)
  const offered = chooseSelection(asked.type, chooser, { kind: plan.kind, size: 'offered' })
  const extra =
    choice === undefined || drafts === undefined ? {} : { [choice]: choiceSchema(drafts) }
  const input = inputSchema(named, extra, model)
  if (!input.ok) return input
  const given = input.schema.properties as JsonSchema
  const operation = addTexts(plan, asked, {
    path: plan.fields.map((field, index) => buildStep(field, steps[index] ?? [], given)),
    variables: steps
      .flat()
      .flatMap((one) => (Object.hasOwn(given, one.variable) ? [buildVariable(one)] : [])),
    ...(drafts === undefined ? {} : { selection: finishSelection(drafts) }),
    ...(choice === undefined ? {} : { choice, offered: finishSelection(offered.fields) }),
    input: input.schema,
    output: answerSchema(buildOutput(plan.fields, drafts, model), plan.kind),
    ...exampleInput(input.schema),
  })
  return {
    ok: true,
    operation,
    notes: [...notes, ...input.notes],
    bytes: input.bytes + operation.description.length,
    fields: count,
  }
}

// The answer to a write confirms its result; it does not need to show the whole object.
function limitForMutation(chooser: Chooser): Chooser {
  return {
    ...chooser,
    maxDepth: Math.min(chooser.maxDepth, 2),
    maxCost: Math.min(chooser.maxCost, 40),
  }
}

// An argument whose name is taken by an earlier field of the path is prefixed with its field's
// name.
function listArguments(
  field: Field,
  before: readonly Field[],
  model: SchemaModel,
): readonly Argument[] {
  const taken = new Set(before.flatMap(({ inputs }) => inputs.map(({ name }) => name)))
  return field.inputs
    .filter((input) => isRequired(input) || isUsable(input, model))
    .map((input) => ({
      variable: taken.has(input.name) ? `${field.name}__${input.name}` : input.name,
      input,
    }))
}

function isUsable(input: InputValue, model: SchemaModel): boolean {
  const kind = model.types.get(nameOf(input.type))?.kind
  return isKey(input.name) && (kind === 'scalar' || kind === 'enum' || kind === 'input')
}

function buildStep({ name }: Field, given: readonly Argument[], offered: JsonSchema): PathStep {
  const inputs = given.filter(({ variable }) => Object.hasOwn(offered, variable))
  return {
    field: name,
    inputs: inputs.map(({ variable, input }) => ({ name: input.name, variable })),
  }
}

// With a default, the variable is nullable: if it is left out, the server's default applies.
function buildVariable({ variable, input: { type, defaultValue } }: Argument): {
  readonly name: string
  readonly type: string
} {
  return {
    name: variable,
    type: typeText(type.kind === 'nonNull' && defaultValue !== undefined ? type.of : type),
  }
}

function buildOutput(
  fields: readonly Field[],
  drafts: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  const asked = fields.at(-1)
  if (asked === undefined) return {}
  // Any field along the path may be null.
  const isSure = fields.every(({ type }) => type.kind === 'nonNull')
  const type = asked.type.kind === 'nonNull' && !isSure ? asked.type.of : asked.type
  return outputSchema(type, drafts, model)
}

type OperationParts = Pick<
  GraphqlOperation,
  'path' | 'variables' | 'selection' | 'choice' | 'offered' | 'input' | 'output' | 'example'
>

function addTexts(
  { id, kind, source, endpoint, entry, fields }: Plan,
  asked: Field,
  made: OperationParts,
): GraphqlOperation {
  const words = fields
    .map(({ name }) =>
      name
        .replaceAll(/([a-z0-9])([A-Z])|_+/g, '$1 $2')
        .trim()
        .toLowerCase(),
    )
    .join(' ')
  const sentences = [
    entry.description ??
      asked.description ??
      `The ${kind} ${fields.map(({ name }) => name).join('.')}; the server gives no description.`,
    ...(asked.deprecated === undefined ? [] : [`Deprecated: ${asked.deprecated}`]),
    ...(kind === 'query' && isPaged(asked) ? ['It is paged: say how many items you want.'] : []),
  ]
  return {
    id,
    kind,
    source,
    title: clipText(entry.title ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`, 120),
    description: clipText(sentences.join(' '), BOUNDS.toolDescription),
    endpoint,
    ...made,
    terms: termsOf(entry),
  }
}

const problems: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { message: { type: 'string' }, path: { type: 'string' }, code: { type: 'string' } },
  },
}

/** The schema of a tool's answer: the data and, for a query, which parts of it are missing. */
function answerSchema(data: JsonSchema, kind: 'query' | 'mutation'): JsonSchema {
  if (kind === 'mutation')
    return { type: 'object', properties: { data, ...LARGE_ANSWER }, required: ['data'] }
  return {
    type: 'object',
    properties: {
      data,
      ...LARGE_ANSWER,
      incomplete: { type: 'string', description: 'Given when parts of data are missing.' },
      errors: problems,
    },
    required: ['data'],
  }
}

/**
 * The name of the argument that selects a part of the answer. It never replaces an argument of the
 * operation.
 */
function choiceName(inputs: readonly InputValue[]): string {
  const taken = new Set(inputs.map(({ name }) => name))
  let name = 'select'
  while (taken.has(name)) name = `${name}__answer`
  return name
}

/** Paths of what the schema offers, beyond what the usual answer holds. */
function choiceSchema(drafts: readonly Draft[]): JsonSchema {
  return {
    type: 'array',
    items: { type: 'string', maxLength: 500 },
    minItems: 1,
    maxItems: 50,
    description: `Only these fields, as paths such as "${somePath(drafts)}"; left out: the usual ones. A wrong path is answered with those that exist.`,
  }
}

function somePath(drafts: readonly Draft[]): string {
  const nested = drafts.find(({ name, fields }) => name !== 'pageInfo' && fields !== undefined)
  if (nested?.fields === undefined) return drafts.at(-1)?.name ?? ''
  return `${nested.name}.${nested.fields.find(({ name, fields }) => name !== '__typename' && fields === undefined)?.name ?? nested.fields[0]?.name ?? ''}`
}

const DEEPEST = 16
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T08:00:00Z',
  date: '2026-01-15',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * An example with the required fields only; none if required types contain each other without end.
 */
function exampleInput(schema: JsonSchema): { readonly example?: unknown } {
  try {
    return { example: exampleOf(schema, schema, 0) }
  } catch (thrown) {
    if (thrown instanceof RangeError) return {}
    throw thrown
  }
}

function exampleOf(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > DEEPEST || 'not' in schema) throw new RangeError('This schema has no finite example.')
  const { $ref: reference, anyOf, type, enum: values } = schema
  if (typeof reference === 'string')
    return exampleOf(definitionOf(reference, root), root, depth + 1)
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], root, depth)
  if (Array.isArray(values)) return values[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objectOf(schema, root, depth)
    case 'array':
      return isRecord(schema.items) ? [exampleOf(schema.items, root, depth + 1)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return TEXTS[String(schema.format)] ?? 'text'
  }
}

function objectOf(
  { properties, required, minProperties }: JsonSchema,
  root: JsonSchema,
  depth: number,
): unknown {
  const fields = isRecord(properties) ? properties : {}
  const alternatives = minProperties === 1 ? Object.keys(fields) : []
  // Of alternatives, a scalar is preferred: an object may lead on without end.
  const plain = alternatives.find(
    (name) => isRecord(fields[name]) && fields[name].type !== 'object' && !('$ref' in fields[name]),
  )
  const names = Array.isArray(required) ? required : [plain ?? alternatives[0] ?? []].flat()
  return Object.fromEntries(
    names.map((name: string) => [name, exampleOf(fields[name] as JsonSchema, root, depth + 1)]),
  )
}

function definitionOf(reference: string, root: JsonSchema): JsonSchema {
  const definitions = root.$defs as Readonly<Record<string, JsonSchema>>
  return definitions[reference.slice('#/$defs/'.length)] ?? {}
}
