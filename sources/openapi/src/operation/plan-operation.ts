import { LeftOut } from '../document/left-out.ts'
import { type Fields, ownText } from '../document/record.ts'
import { type Assembled, assemble } from '../schema/assemble.ts'
import { composed } from '../schema/compose.ts'
import { readUnit } from '../schema/read-unit.ts'
import type { SchemaLoss } from '../schema/unit.ts'
import { argumentNames } from './argument-names.ts'
import { type Body, type BodyForm, bodyPlan } from './body.ts'
import type { OperationPlan, ParameterPlan } from './operation.ts'
import { answersOf, outputShape } from './output.ts'
import { describedBy, type KeptParameter, type Parameter, planParameter } from './parameters.ts'
import type { OperationRules } from './read-operation.ts'

/** What is known of an operation before its schemas are read. */
export type Sighted = Pick<
  OperationPlan,
  'method' | 'path' | 'server' | 'security' | 'idempotencyHeader'
> & {
  readonly kept: readonly Parameter[]
  readonly body: Body | undefined
  /** As the document has it. */
  readonly operation: Fields
}

/** How an operation is called, and what reading its schemas has told. */
export type Planned = {
  readonly plan: OperationPlan
  readonly bytes: number
  readonly losses: readonly SchemaLoss[]
}

/** Reads the schemas of an operation, with all they refer to; throws where no request could be made by them. */
export function planOperation(
  { kept, body, operation, ...sighted }: Sighted,
  rules: OperationRules,
): Planned {
  const fields = kept.map((parameter) => rememberedOf(parameter, rules))
  const said = body === undefined ? undefined : bodyPlan(body, rules.library)
  const parameters = argumentPlans(fields, body !== undefined)
  const input = inputOf(fields, { plans: parameters, body: said }, rules)
  const answers = answersOf(operation, rules.library)
  const output = outputOf(answers.schema, rules)
  const plan: OperationPlan = {
    method: sighted.method,
    path: sighted.path,
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

// a parameter that many operations share is read once
function rememberedOf(parameter: Parameter, { library, known }: OperationRules): KeptParameter {
  const there = known.get(parameter.form)
  if (there !== undefined) return there
  const kept = planParameter(parameter, library)
  known.set(parameter.form, kept)
  return kept
}

function argumentPlans(kept: readonly KeptParameter[], hasBody: boolean): readonly ParameterPlan[] {
  const plans = kept.map(({ plan }) => plan)
  const names = argumentNames(plans, hasBody)
  return plans.map((plan) => ({ argument: names.get(plan) ?? plan.name, ...plan }))
}

type Inputs = { readonly plans: readonly ParameterPlan[]; readonly body: BodyForm | undefined }

function inputOf(
  kept: readonly KeptParameter[],
  { plans, body }: Inputs,
  rules: OperationRules,
): Assembled {
  const fields = kept.map(({ part }, index) => ({ name: plans[index]?.argument ?? '', part }))
  const whole =
    body === undefined ? fields : [...fields, { name: 'body', part: bodyPart(body, rules) }]
  const required = plans.filter((plan) => plan.isRequired).map(({ argument }) => argument)
  return composed(whole, body?.plan.isRequired ? [...required, 'body'] : required)
}

// many operations take the same component
function bodyPart(
  { schema, description }: BodyForm,
  { library, inputBudget, bodies }: OperationRules,
): Assembled {
  const reference = ownText(schema, '$ref')
  const key = reference === undefined ? undefined : `${reference} ${description ?? ''}`
  const known = key === undefined ? undefined : bodies.get(key)
  if (known !== undefined) return known
  const unit = readUnit(library, 'input', (reader) =>
    reader.read(describedBy(schema, description), 'body'),
  )
  const part = assemble(unit, { library, direction: 'input', byteBudget: inputBudget })
  if (key !== undefined) bodies.set(key, part)
  return part
}

const ANYTHING: Assembled = { schema: {}, bytes: 0, losses: [] }

// many operations answer with the same component
function outputOf(schema: unknown, rules: OperationRules): Assembled {
  if (schema === undefined) return ANYTHING
  const reference = ownText(schema, '$ref')
  const known = reference === undefined ? undefined : rules.outputs.get(reference)
  if (known !== undefined) return known
  const output = freshOutput(schema, rules)
  if (reference !== undefined) rules.outputs.set(reference, output)
  return output
}

// an answer whose schema can't be put together is an answer without one
function freshOutput(schema: unknown, { library, outputBudget }: OperationRules): Assembled {
  try {
    const unit = readUnit(library, 'output', (reader) => reader.read(schema, 'answer'))
    return assemble(unit, { library, direction: 'output', byteBudget: outputBudget })
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    return { ...ANYTHING, losses: [{ place: 'the answer', what: error.message }] }
  }
}
