import { sha256 } from '@surehand/core'
import { LeftOut } from '../document/left-out.ts'
import { WORDS } from '../document/limits.ts'
import { type Fields, own, ownText } from '../document/record.ts'
import { cut } from '../document/words.ts'
import { type Assembled, assemble } from '../schema/assemble.ts'
import { composed } from '../schema/compose.ts'
import type { Library } from '../schema/library.ts'
import { readUnit } from '../schema/read-unit.ts'
import type { SchemaLoss } from '../schema/unit.ts'
import { argumentNames } from './argument-names.ts'
import { type Body, bodyOf } from './body.ts'
import { contractPlan, isRead, type SidecarEntry } from './contract-plan.ts'
import { type Listed, operationIdOf } from './list-operations.ts'
import type { Operation, ParameterPlan } from './operation.ts'
import { answersOf, outputShape } from './output.ts'
import { pagingArguments } from './paging.ts'
import { describedBy, type KeptParameter, type Parameters, parametersOf } from './parameters.ts'
import { needsCredential, type Security, securityOf } from './security.ts'
import { serverOf } from './servers.ts'

export type OperationRules = {
  readonly namespace: string
  readonly root: Fields
  readonly library: Library
  readonly keys: ReadonlySet<string>
  readonly address: string | undefined
  readonly origins: readonly string[]
  readonly inputBudget: number
  readonly outputBudget: number
  readonly whereUnsaid: Security
  readonly known: Map<Fields, KeptParameter>
  readonly bodies: Map<string, Assembled>
  readonly outputs: Map<string, Assembled>
}

export type Wanted = { readonly listed: Listed; readonly name: string; readonly sidecar: SidecarEntry; readonly hints: unknown }

/** An operation, read; and what the importer should know of it. */
export type ReadOperation = {
  readonly operation: Operation
  readonly bytes: number
  readonly losses: readonly SchemaLoss[]
  readonly dropped: Parameters['dropped']
  readonly paging: readonly string[]
  readonly otherMediaTypes: readonly string[]
}

/** Everything a tool needs, out of one operation of the document. */
export function readOperation({ listed, name, sidecar, hints }: Wanted, rules: OperationRules): ReadOperation {
  const { operation, item, method, path } = listed
  const security = securityOf(operation, rules.library, rules.whereUnsaid)
  const isSecured = needsCredential(security)
  const parameters = parametersOf(operation, item, { ...rules, needsCredential: isSecured, isWrite: !isRead(method) })
  const body = isRead(method) ? undefined : bodyOf(operation, rules.library)
  const plans = argumentPlans(parameters, body !== undefined)
  refuseUnfilled(path, plans)
  const input = inputOf(parameters, { plans, body }, rules)
  const answers = answersOf(operation, rules.library)
  const output = outputOf(answers.schema, rules)
  const paging = isRead(method) ? pagingArguments(plans) : []
  const header = parameters.idempotencyHeader ?? sidecar.idempotencyHeader
  const read: Operation = {
    toolId: `${rules.namespace}.${name}`,
    key: listed.key,
    operationId: operationIdOf(operation) ?? null,
    title: sidecar.title ?? titleOf(listed),
    description: sidecar.description ?? descriptionOf(listed, { paging, hasLinks: answers.hasLinks }),
    isDeprecated: own(operation, 'deprecated') === true,
    contract: contractPlan({
      namespace: rules.namespace,
      method,
      needsCredential: isSecured,
      hasIdempotencyHeader: header !== undefined,
      sidecar,
      hints,
    }),
    plan: {
      method,
      path,
      server: serverOf(operation, item, rules),
      parameters: plans,
      body: body?.plan ?? null,
      security,
      idempotencyHeader: header ?? null,
      accept: answers.accept,
      input: input.schema,
      output: outputShape(output.schema),
    },
  }
  const losses = [...input.losses, ...output.losses]
  return { operation: read, bytes: input.bytes, losses, dropped: parameters.dropped, paging, otherMediaTypes: body?.others ?? [] }
}

function argumentPlans({ kept }: Parameters, hasBody: boolean): readonly ParameterPlan[] {
  const plans = kept.map(({ plan }) => plan)
  const names = argumentNames(plans, hasBody)
  return plans.map((plan) => ({ argument: names.get(plan) ?? plan.name, ...plan }))
}

const PLACEHOLDER = /\{([^{}]+)\}/g

// a path with a hole in it would go somewhere else
function refuseUnfilled(path: string, plans: readonly ParameterPlan[]): void {
  const filled = new Set(plans.filter((plan) => plan.in === 'path').map(({ name }) => name))
  for (const [, name = ''] of path.matchAll(PLACEHOLDER))
    if (!filled.has(name)) throw new LeftOut(`nothing fills "{${name.slice(0, 60)}}" of its path`)
  if (/[{}]/.test(path.replaceAll(PLACEHOLDER, ''))) throw new LeftOut('the braces of its path do not match')
}

type Inputs = { readonly plans: readonly ParameterPlan[]; readonly body: Body | undefined }

function inputOf({ kept }: Parameters, { plans, body }: Inputs, rules: OperationRules): Assembled {
  const fields = kept.map(({ part }, index) => ({ name: plans[index]?.argument ?? '', part }))
  const whole = body === undefined ? fields : [...fields, { name: 'body', part: bodyPart(body, rules) }]
  const required = plans.filter((plan) => plan.isRequired).map(({ argument }) => argument)
  return composed(whole, body?.plan.isRequired ? [...required, 'body'] : required)
}

// many operations take the same component
function bodyPart({ schema, description }: Body, { library, inputBudget, bodies }: OperationRules): Assembled {
  const reference = ownText(schema, '$ref')
  const key = reference === undefined ? undefined : `${reference} ${description ?? ''}`
  const known = key === undefined ? undefined : bodies.get(key)
  if (known !== undefined) return known
  const unit = readUnit(library, 'input', (reader) => reader.read(describedBy(schema, description), 'body'))
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

function titleOf({ key, operation }: Listed): string {
  const text = ownText(operation, 'summary')?.trim() || operationIdOf(operation) || key
  return cut(text.replaceAll(/\s+/g, ' '), WORDS.title)
}

function descriptionOf({ key, operation }: Listed, hints: { readonly paging: readonly string[]; readonly hasLinks: boolean }): string {
  const summary = ownText(operation, 'summary')?.trim() ?? ''
  const long = ownText(operation, 'description')?.trim() ?? ''
  const said = long.startsWith(summary) ? long : [summary, long].filter((text) => text !== '').join('\n\n')
  const notes = [
    own(operation, 'deprecated') === true ? 'Deprecated: use another tool if there is one.' : '',
    hints.paging.length > 0 || hints.hasLinks ? pagingNote(hints.paging) : '',
  ].filter((text) => text !== '')
  const room = WORDS.description - notes.join('\n').length - 2
  // what is cut off still tells two versions apart: whoever pinned the tool must hear of every change
  const text = said.length <= room ? said : `${cut(said, room - 20)} [${sha256(said).slice(0, 12)}]`
  return [text === '' ? key : text, ...notes].join('\n\n')
}

function pagingNote(paging: readonly string[]): string {
  return `Answers come in pages${paging.length === 0 ? '' : ` (${paging.join(', ')})`}: "next" in an answer holds the arguments of the next page.`
}
