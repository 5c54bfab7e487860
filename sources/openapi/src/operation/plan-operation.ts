import type { JsonSchema } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { type Fields, ownText } from '../document/record.ts'
import { type Assembled, assemble } from '../schema/assemble.ts'
import { readUnit } from '../schema/library.ts'
import type { SchemaLoss } from '../schema/unit.ts'
import { argumentNames } from './argument-names.ts'
import { type Body, type BodyForm, planBody } from './body.ts'
import type { OperationPlan, ParameterPlan } from './operation.ts'
import { outputShape, readAnswers } from './output.ts'
import {
  type Parameter,
  type PlannedParameter,
  planParameter,
  withDescription,
} from './parameters.ts'
import type { OperationRules } from './read-operation.ts'

/** An operation before its schemas are read. */
export type OperationOutline = Pick<
  OperationPlan,
  'method' | 'path' | 'query' | 'server' | 'security' | 'idempotencyHeader'
> & {
  readonly kept: readonly Parameter[]
  readonly body: Body | undefined
  /** As it is in the document. */
  readonly operation: Fields
}

/** How an operation is called, and what was lost while reading its schemas. */
export type PlannedOperation = {
  readonly plan: OperationPlan
  readonly bytes: number
  readonly losses: readonly SchemaLoss[]
}

/**
 * Reads the schemas of an operation with everything they refer to; throws if no request could be
 * made from them.
 */
export function planOperation(
  { kept, body, operation, ...sighted }: OperationOutline,
  rules: OperationRules,
): PlannedOperation {
  const fields = kept.map((parameter) => planSharedParameter(parameter, rules))
  const said = body === undefined ? undefined : planBody(body, rules.library)
  const parameters = argumentPlans(fields, body !== undefined)
  const input = assembleInput(fields, { plans: parameters, body: said }, rules)
  const answers = readAnswers(operation, rules.library)
  const output = assembleSharedOutput(answers.schema, rules)
  const plan: OperationPlan = {
    method: sighted.method,
    path: sighted.path,
    query: sighted.query,
    server: sighted.server,
    parameters,
    body: said?.plan ?? null,
    security: sighted.security,
    idempotencyHeader: sighted.idempotencyHeader,
    accept: answers.accept,
    input: input.schema,
    output: outputShape(output.schema),
  }
  return { plan, bytes: input.bytes, losses: [...input.losses, ...output.losses] }
}

// A parameter that many operations share is read once.
function planSharedParameter(
  parameter: Parameter,
  { library, known }: OperationRules,
): PlannedParameter {
  const there = known.get(parameter.form)
  if (there !== undefined) return there
  const kept = planParameter(parameter, library)
  known.set(parameter.form, kept)
  return kept
}

function argumentPlans(
  kept: readonly PlannedParameter[],
  hasBody: boolean,
): readonly ParameterPlan[] {
  const plans = kept.map(({ plan }) => plan)
  const names = argumentNames(plans, hasBody)
  return plans.map((plan) => ({ argument: names.get(plan) ?? plan.name, ...plan }))
}

type Inputs = { readonly plans: readonly ParameterPlan[]; readonly body: BodyForm | undefined }

function assembleInput(
  kept: readonly PlannedParameter[],
  { plans, body }: Inputs,
  rules: OperationRules,
): Assembled {
  const fields = kept.map(({ part }, index) => ({ name: plans[index]?.argument ?? '', part }))
  const whole =
    body === undefined ? fields : [...fields, { name: 'body', part: assembleBody(body, rules) }]
  const required = plans.filter((plan) => plan.isRequired).map(({ argument }) => argument)
  return composeInput(whole, body?.plan.isRequired ? [...required, 'body'] : required)
}

// Many operations share the same component as a body.
function assembleBody(
  { schema, description }: BodyForm,
  { library, inputBudget, bodies }: OperationRules,
): Assembled {
  const reference = ownText(schema, '$ref')
  const key = reference === undefined ? undefined : `${reference} ${description ?? ''}`
  const known = key === undefined ? undefined : bodies.get(key)
  if (known !== undefined) return known
  const unit = readUnit(library, 'input', (reader) =>
    reader.read(withDescription(schema, description), 'body'),
  )
  const part = assemble(unit, { library, direction: 'input', byteBudget: inputBudget })
  if (key !== undefined) bodies.set(key, part)
  return part
}

const ANYTHING: Assembled = { schema: {}, bytes: 0, losses: [] }

// Many operations answer with the same component.
function assembleSharedOutput(schema: unknown, rules: OperationRules): Assembled {
  if (schema === undefined) return ANYTHING
  const reference = ownText(schema, '$ref')
  const known = reference === undefined ? undefined : rules.outputs.get(reference)
  if (known !== undefined) return known
  const output = assembleOutput(schema, rules)
  if (reference !== undefined) rules.outputs.set(reference, output)
  return output
}

// An answer whose schema cannot be assembled is left without a schema.
function assembleOutput(schema: unknown, { library, outputBudget }: OperationRules): Assembled {
  try {
    const unit = readUnit(library, 'output', (reader) => reader.read(schema, 'answer'))
    return assemble(unit, { library, direction: 'output', byteBudget: outputBudget })
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    return { ...ANYTHING, losses: [{ place: 'the answer', what: error.message }] }
  }
}

export type Field = { readonly name: string; readonly part: Assembled }

const AROUND = 90

/** The root of a tool's input: an object with the assembled schemas of the arguments. */
function composeInput(fields: readonly Field[], required: readonly string[]): Assembled {
  const properties: Record<string, JsonSchema> = {}
  let definitions: JsonSchema | undefined
  let bytes = AROUND
  for (const { name, part } of fields) {
    const { $defs, ...schema } = part.schema
    properties[name] = $defs === undefined ? part.schema : schema
    if ($defs !== undefined) definitions = { ...definitions, ...($defs as JsonSchema) }
    bytes += part.bytes + name.length + 4
  }
  const schema = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(definitions === undefined ? {} : { $defs: definitions }),
  }
  return { schema, bytes, losses: fields.flatMap(({ part }) => part.losses) }
}
