import type { Tool } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import type { Schema } from '@surehand/core/internal'
import { checkTemplate } from './check-template.ts'
import { checkCondition, guardsOf } from './condition.ts'
import { type FitParts, fit, type Target } from './fit.ts'
import { itemsOf } from './follow.ts'
import type {
  AskForm,
  AskStep,
  ChooseStep,
  EachStep,
  ParallelStep,
  ProgramStep,
  ToolStep,
} from './program-form.ts'
import { parseReference, RESERVED } from './reference.ts'
import { kindWords } from './relation.ts'
import { filledIn, type Known, type Scope } from './scope.ts'
import {
  ANYTHING,
  eitherOf,
  LIST,
  listOf,
  NOTHING,
  recordOf,
  type StaticType,
  TEXT,
  typeOfDocument,
  withoutNull,
} from './static-type.ts'
import { typeOfTemplate } from './template-type.ts'

export type CheckParts = FitParts & {
  readonly toolOf: (name: string) => Tool | undefined
  readonly isRead: boolean
  /**
   * The compiled schema of a question; undefined where it can't be compiled, which has been told.
   */
  readonly answerOf: (form: AskForm, field: string) => Schema | undefined
  /** Every id of the program, wherever it stands. */
  readonly ids: ReadonlySet<string>
}

/** What is known behind a list of steps, and what the last of them answers. */
export type Behind = { readonly scope: Scope; readonly last: Known }

type Spot = { readonly field: string; readonly scope: Scope }

const UNKNOWN: Known = { type: ANYTHING, mayBeSkipped: true, isCertain: true }

/** Goes through a list of steps, each in the light of those before it. */
export function checkSteps(
  steps: readonly ProgramStep[],
  { field, scope: outer }: Spot,
  parts: CheckParts,
): Behind {
  let scope = withLater(outer, steps, parts)
  let last: Known = UNKNOWN
  steps.forEach((step, index) => {
    const at = `${field}[${index}]`
    if (scope.known.has(`steps.${step.id}`))
      parts.findings.refuse(
        `${at}.id`,
        `is "${step.id}", which another step before it has: give each an id of its own`,
        step.id,
      )
    checkCondition(step.if, { field: `${at}.if`, scope }, parts)
    const answer = checkStep(step, { field: at, scope: scopeUnder(scope, step.if) }, parts)
    last = step.if === undefined ? answer : { ...answer, mayBeSkipped: true }
    scope = knowing(scope, `steps.${step.id}`, last)
  })
  return { scope, last }
}

function checkStep(step: ProgramStep, spot: Spot, parts: CheckParts): Known {
  if ('tool' in step) return checkTool(step, spot, parts)
  if ('ask' in step) return checkAsk(step, spot, parts)
  if ('parallel' in step) return checkParallel(step, spot, parts)
  if ('each' in step) return checkEach(step, spot, parts)
  return checkChoose(step, spot, parts)
}

function checkTool(
  { tool: name, input, undo }: ToolStep,
  { field, scope }: Spot,
  parts: CheckParts,
): Known {
  const tool = checkCall({ tool: name, input }, { field, scope }, parts)
  const answer: Known =
    tool === undefined
      ? UNKNOWN
      : {
          type: typeOfDocument(tool.output.toJson('output')),
          mayBeSkipped: false,
          isCertain: tool.contract.outputValidation === 'strict',
        }
  if (undo === undefined) return answer
  checkCall(undo, { field: `${field}.undo`, scope: knowing(scope, 'answer', answer) }, parts)
  if (tool?.contract.isWrite === false)
    parts.findings.warn(`${field}.undo`, `is never used: ${tool.id} changes nothing`)
  return answer
}

type Called = { readonly tool: string; readonly input: unknown }

function checkCall(
  { tool: name, input }: Called,
  { field, scope }: Spot,
  parts: CheckParts,
): Tool | undefined {
  const tool = parts.toolOf(name)
  const isSound = checkTemplate(input, { field: `${field}.input`, scope }, parts.findings)
  if (tool === undefined) {
    parts.findings.refuse(
      `${field}.tool`,
      `is "${name}", and there is no such tool: name one that you can call`,
      name,
    )
    return undefined
  }
  if (parts.isRead && tool.contract.isWrite)
    parts.findings.refuse(
      `${field}.tool`,
      `is ${tool.id}, which writes (${tool.contract.effect}): say so in contract.effect, as in ${tool.contract.effect}`,
      name,
    )
  const target = { type: typeOfDocument(modelInputSchema(tool)), takes: tool.id }
  if (isSound) fit(input, { field: `${field}.input`, scope, target }, parts)
  return tool
}

function checkAsk({ ask }: AskStep, { field, scope }: Spot, parts: CheckParts): Known {
  const at = `${field}.ask`
  const hold = (name: string, template: unknown, target: Target): void => {
    if (
      template !== undefined &&
      checkTemplate(template, { field: `${at}.${name}`, scope }, parts.findings)
    )
      fit(template, { field: `${at}.${name}`, scope, target }, parts)
  }
  hold('question', ask.question, { type: TEXT, takes: 'a question' })
  if (parts.answerOf(ask, `${at}.schema`) === undefined) return UNKNOWN
  const type = typeOfDocument(ask.schema)
  hold('shows', ask.shows, { type, takes: 'the schema of the answer' })
  hold('otherwise', ask.otherwise, { type, takes: 'the schema of the answer' })
  return { type, mayBeSkipped: false, isCertain: true }
}

function checkParallel(
  { parallel }: ParallelStep,
  { field, scope }: Spot,
  parts: CheckParts,
): Known {
  const branches = Object.entries(parallel)
  if (branches.length === 0)
    parts.findings.refuse(
      `${field}.parallel`,
      'has no branch: name one for each thing that is done at once',
    )
  const lasts = branches.map(
    ([name, steps]) =>
      [name, checkSteps(steps, { field: `${field}.parallel.${name}`, scope }, parts).last] as const,
  )
  return {
    type: recordOf(Object.fromEntries(lasts.map(([name, last]) => [name, typeOfAnswer(last)]))),
    mayBeSkipped: false,
    isCertain: lasts.every(([, { isCertain }]) => isCertain),
  }
}

function checkEach(step: EachStep, { field, scope }: Spot, parts: CheckParts): Known {
  const item = checkItems(step, { field, scope }, parts)
  if (RESERVED.has(step.as) || scope.known.has(step.as))
    parts.findings.refuse(
      `${field}.as`,
      `is "${step.as}", which means something here already: take another name`,
      step.as,
    )
  const inner = knowing(scope, step.as, { type: item, mayBeSkipped: false, isCertain: true })
  checkItemId(step, { field, scope: inner }, parts)
  const { last } = checkSteps(step.steps, { field: `${field}.steps`, scope: inner }, parts)
  return { type: listOf(typeOfAnswer(last)), mayBeSkipped: false, isCertain: last.isCertain }
}

function checkItems(
  { each }: EachStep,
  { field, scope }: Spot,
  { findings, relate }: CheckParts,
): StaticType {
  if (!checkTemplate(each, { field: `${field}.each`, scope }, findings)) return ANYTHING
  const list = typeOfTemplate(each, scope)
  const item = itemsOf(list)
  if (item === undefined) {
    findings.refuse(`${field}.each`, `is ${kindWords(list)}, never an array: refer to a list`, each)
    return ANYTHING
  }
  // nothing at all is a list without items
  if (relate(withoutNull(list), LIST) !== 'fits')
    findings.warn(`${field}.each`, 'may not always be a list: the run fails where it is none')
  return item
}

function checkItemId(
  { as, itemId }: EachStep,
  { field, scope }: Spot,
  { findings }: CheckParts,
): void {
  if (itemId === undefined) return
  const reference = parseReference(itemId)
  if (typeof reference !== 'string' && reference.base !== as)
    findings.refuse(
      `${field}.itemId`,
      `refers to "${itemId}", which is not in the item: write ${as}.x`,
      itemId,
    )
  else checkTemplate({ $ref: itemId }, { field: `${field}.itemId`, scope }, findings)
}

function checkChoose({ choose }: ChooseStep, { field, scope }: Spot, parts: CheckParts): Known {
  const lasts = choose.map((choice, index) => {
    const at = `${field}.choose[${index}]`
    if (choice.if === undefined && index < choose.length - 1)
      parts.findings.refuse(
        at,
        'has no condition, so those behind it are never chosen: put it last',
      )
    checkCondition(choice.if, { field: `${at}.if`, scope }, parts)
    return checkSteps(
      choice.steps,
      { field: `${at}.steps`, scope: scopeUnder(scope, choice.if) },
      parts,
    ).last
  })
  return {
    type: eitherOf(lasts.map(({ type }) => type)),
    mayBeSkipped: choose.at(-1)?.if !== undefined || lasts.some(({ mayBeSkipped }) => mayBeSkipped),
    isCertain: lasts.every(({ isCertain }) => isCertain),
  }
}

function typeOfAnswer({ type, mayBeSkipped, isCertain }: Known): StaticType {
  return isCertain
    ? filledIn({ type, mayMiss: mayBeSkipped, isCertain })
    : eitherOf([type, NOTHING])
}

function knowing(scope: Scope, name: string, known: Known): Scope {
  return { ...scope, known: new Map([...scope.known, [name, known]]) }
}

function scopeUnder(scope: Scope, condition: ProgramStep['if']): Scope {
  return { ...scope, guards: [...scope.guards, ...guardsOf(condition)] }
}

function withLater(scope: Scope, steps: readonly ProgramStep[], { ids }: CheckParts): Scope {
  const here = new Set(steps.map(({ id }) => id))
  const elsewhere =
    'which is in a branch or a loop of its own: refer to the answer of the step that it is in'
  return {
    ...scope,
    outOfReach(id) {
      if (here.has(id)) return 'which is not done yet then: put it before this step'
      return scope.outOfReach(id) ?? (ids.has(id) ? elsewhere : undefined)
    },
  }
}
