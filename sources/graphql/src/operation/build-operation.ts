import type { JsonSchema } from '@surehand/core/internal'
import { type Chooser, chooseSelection } from '../answer/choose-selection.ts'
import { finishSelection, outputSchema } from '../answer/finish-selection.ts'
import type { Draft } from '../answer/selection.ts'
import { isComposite, isLeaf, isPaged } from '../answer/type-plan.ts'
import { inputSchema } from '../input/input-schema.ts'
import { BOUNDS } from '../schema/bounds.ts'
import { isKey } from '../schema/build-model.ts'
import { clipped } from '../schema/foreign-text.ts'
import {
  type Field,
  type InputValue,
  isRequired,
  nameOf,
  type SchemaModel,
  typeText,
} from '../schema/schema-model.ts'
import { answerSchema } from './answer-schema.ts'
import { choiceName, choiceSchema } from './choice.ts'
import { exampleInput } from './example-input.ts'
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
      /** Of what models are shown. */
      readonly bytes: number
      /** That are asked for. */
      readonly fields: number
    }
  | { readonly ok: false; readonly reason: string }

type Given = { readonly variable: string; readonly input: InputValue }

/** One field, or one path of fields, as an operation; or why it can't be one. */
export function buildOperation(plan: Plan, chooser: Chooser): Built {
  const { model } = chooser
  const asked = plan.fields.at(-1)
  if (asked === undefined) return { ok: false, reason: 'its path is empty' }
  const type = model.types.get(nameOf(asked.type))
  if (!isLeaf(type) && !isComposite(type))
    return { ok: false, reason: `it answers ${nameOf(asked.type)}, which is no type of the schema` }
  const { once } = plan.entry
  if (once !== undefined && !isKeyHeader(once.header))
    return { ok: false, reason: 'its key can not be sent in that header' }
  const steps = plan.fields.map((field, index) =>
    givenOf(field, plan.fields.slice(0, index), model),
  )
  const unusable = steps.flat().find(({ input }) => !isUsable(input, model))
  if (unusable !== undefined)
    return { ok: false, reason: `its argument "${unusable.input.name}" can not be given` }
  const { fields, count, notes } = chooseSelection(
    asked.type,
    plan.kind === 'mutation' ? brief(chooser) : chooser,
  )
  const drafts = isComposite(type) ? fields : undefined
  const named = steps.flat().map(({ variable, input }) => ({ ...input, name: variable }))
  const choice = plan.kind === 'query' && drafts !== undefined ? choiceName(named) : undefined
  const extra =
    choice === undefined || drafts === undefined ? {} : { [choice]: choiceSchema(drafts) }
  const input = inputSchema(named, extra, model)
  if (!input.ok) return input
  const offered = input.schema.properties as JsonSchema
  const operation = withTexts(plan, asked, {
    path: plan.fields.map((field, index) => stepOf(field, steps[index] ?? [], offered)),
    variables: steps
      .flat()
      .flatMap((given) => (Object.hasOwn(offered, given.variable) ? [variableOf(given)] : [])),
    ...(drafts === undefined ? {} : { selection: finishSelection(drafts) }),
    ...(choice === undefined ? {} : { choice }),
    input: input.schema,
    output: answerSchema(outputOf(plan.fields, drafts, model), plan.kind),
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

// after a write one wants to know what came of it, not all that is known of it
function brief(chooser: Chooser): Chooser {
  return {
    ...chooser,
    maxDepth: Math.min(chooser.maxDepth, 2),
    maxCost: Math.min(chooser.maxCost, 40),
  }
}

// arguments of a deeper field whose name is taken carry the field's
function givenOf(field: Field, before: readonly Field[], model: SchemaModel): readonly Given[] {
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

function stepOf({ name }: Field, given: readonly Given[], offered: JsonSchema): PathStep {
  const inputs = given.filter(({ variable }) => Object.hasOwn(offered, variable))
  return {
    field: name,
    inputs: inputs.map(({ variable, input }) => ({ name: input.name, variable })),
  }
}

// where the server has a default, a variable that is left out must leave it to the server
function variableOf({ variable, input: { type, defaultValue } }: Given): {
  readonly name: string
  readonly type: string
} {
  return {
    name: variable,
    type: typeText(type.kind === 'nonNull' && defaultValue !== undefined ? type.of : type),
  }
}

function outputOf(
  fields: readonly Field[],
  drafts: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  const asked = fields.at(-1)
  if (asked === undefined) return {}
  // anything on the way there may be null
  const isSure = fields.every(({ type }) => type.kind === 'nonNull')
  const type = asked.type.kind === 'nonNull' && !isSure ? asked.type.of : asked.type
  return outputSchema(type, drafts, model)
}

type Made = Pick<
  GraphqlOperation,
  'path' | 'variables' | 'selection' | 'choice' | 'input' | 'output' | 'example'
>

function withTexts(
  { id, kind, source, endpoint, entry, fields }: Plan,
  asked: Field,
  made: Made,
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
      `The ${kind} ${fields.map(({ name }) => name).join('.')}; its server says no more of it.`,
    ...(asked.deprecated === undefined ? [] : [`Deprecated: ${asked.deprecated}`]),
    ...(kind === 'query' && isPaged(asked) ? ['It comes in pages: say how many you want.'] : []),
  ]
  return {
    id,
    kind,
    source,
    title: clipped(entry.title ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`, 120),
    description: clipped(sentences.join(' '), BOUNDS.toolDescription),
    endpoint,
    ...made,
    terms: termsOf(entry),
  }
}
