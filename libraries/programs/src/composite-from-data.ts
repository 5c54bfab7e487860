import type { Tool } from '@surehand/core'
import type { JsonSchema, Schema } from '@surehand/core/internal'
import {
  derivedSideEffects,
  isRecord,
  keyFieldAmong,
  normalContract,
  toToolError,
} from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { member } from '@surehand/schema-diff'
import { type CheckParts, checkSteps } from './check-steps.ts'
import { checkTemplate } from './check-template.ts'
import { createFindings, type Findings, invalidProgram } from './findings.ts'
import { fit } from './fit.ts'
import { type Bound, interpret } from './interpret.ts'
import type { AskForm, Program } from './program-form.ts'
import { nestedSteps, readForm } from './read-form.ts'
import { createRelate } from './relation.ts'
import { renderText } from './render.ts'
import type { Scope } from './scope.ts'
import { ANYTHING, typeOfDocument } from './static-type.ts'

/** What the tools that are programs call. */
const calls = new WeakMap<Tool, readonly string[]>()

function rememberCalls(tool: Tool, names: readonly string[]): void {
  calls.set(tool, names)
}

/** The tools a program names, in its steps and their undos. */
export function callsOf({ steps }: Program): readonly string[] {
  const named = nestedSteps(steps).flatMap(({ step }) => {
    if (!('tool' in step)) return []
    return step.undo === undefined ? [step.tool] : [step.tool, step.undo.tool]
  })
  return [...new Set(named)]
}

/** A program that calls itself, or what calls it, would never end. */
function refuseLoop(
  id: string,
  tools: ReadonlyMap<string, Tool>,
  toolOf: (name: string) => Tool | undefined,
  findings: Findings,
): void {
  for (const [name, tool] of tools) {
    const way = wayBack(id, tool, toolOf, new Set())
    if (way !== undefined)
      findings.refuse(
        'steps',
        `lead back to ${id} itself, by ${way.join(', ')}: a program can't call itself`,
        name,
      )
  }
}

function wayBack(
  id: string,
  tool: Tool,
  toolOf: (name: string) => Tool | undefined,
  seen: Set<Tool>,
): readonly string[] | undefined {
  if (tool.id === id) return [tool.id]
  if (seen.has(tool)) return undefined
  seen.add(tool)
  for (const name of calls.get(tool) ?? []) {
    const next = toolOf(name)
    const way = next === undefined ? undefined : wayBack(id, next, toolOf, seen)
    if (way !== undefined) return [tool.id, ...way]
  }
  return undefined
}

export type ProgramParts = {
  /** The tool of a name, with its version or without; undefined where there is none. */
  readonly toolOf: (name: string) => Tool | undefined
  readonly schemas: ForeignSchemas
}

export type FromData = {
  readonly tool: Tool
  /** What could be neither proven nor disproven: a step may refuse its input there at run time. */
  readonly warnings: readonly string[]
}

/**
 * Makes a composite tool from data, checked against the schemas of every tool it calls. Throws a
 * ToolError that lists all flaws.
 */
export function compositeFromData(form: unknown, parts: ProgramParts): FromData {
  const findings = createFindings()
  const program = readForm(form, findings)
  const checked = program === undefined ? undefined : check(program, parts, findings)
  if (program === undefined || checked === undefined || findings.flaws().length > 0)
    throw invalidProgram(findings)
  return { tool: toolFrom(program, checked), warnings: findings.warnings() }
}

type Checked = {
  readonly bound: Bound
  readonly input: Schema
  readonly output: Schema
  readonly keyField: string | undefined
}

function check(program: Program, parts: ProgramParts, findings: Findings): Checked | undefined {
  const tools = new Map(
    callsOf(program).flatMap((name) => {
      const tool = parts.toolOf(name)
      return tool === undefined ? [] : [[name, tool] as const]
    }),
  )
  const keyField = keyFieldAmong(Object.keys(recordAt(program.input, 'properties')))
  const input = compileSchema(program.input, 'input', {
    findings,
    schemas: parts.schemas,
    keyField,
  })
  const output = compileSchema(program.output, 'output', { findings, schemas: parts.schemas })
  if (input !== undefined && input.shape.kind !== 'object')
    findings.refuse('input.type', 'must be "object": callers fill named fields', program.input.type)
  const answers = new Map<AskForm, Schema>()
  const checks: CheckParts = {
    findings,
    schemas: parts.schemas,
    relate: createRelate(),
    isRead: program.contract.effect === 'read',
    toolOf: (name) => tools.get(name),
    ids: new Set(nestedSteps(program.steps).map(({ step }) => step.id)),
    answerOf(ask, field) {
      const schema = compileSchema(ask.schema, field, { findings, schemas: parts.schemas })
      if (schema !== undefined) answers.set(ask, schema)
      return schema
    },
  }
  const start = startOf(program, input)
  checkContract(program, { start, tools }, findings)
  const { scope } = checkSteps(program.steps, { field: 'steps', scope: start }, checks)
  checkAnswer(program, { scope, output }, checks)
  refuseLoop(program.id, tools, parts.toolOf, findings)
  return input === undefined || output === undefined
    ? undefined
    : { bound: { tools, answers }, input, output, keyField }
}

function startOf(program: Program, input: Schema | undefined): Scope {
  const type = input === undefined ? ANYTHING : typeOfDocument(program.input)
  return {
    known: new Map([['input', { type, mayBeSkipped: false, isCertain: true }]]),
    guards: [],
    outOfReach: () => undefined,
  }
}

function checkAnswer(
  program: Program,
  { scope, output }: { readonly scope: Scope; readonly output: Schema | undefined },
  checks: CheckParts,
): void {
  const isSound = checkTemplate(program.answer, { field: 'answer', scope }, checks.findings)
  const target = { type: typeOfDocument(program.output), takes: 'the output' }
  if (isSound && output !== undefined)
    fit(program.answer, { field: 'answer', scope, target }, checks)
}

type ContractSpot = { readonly start: Scope; readonly tools: ReadonlyMap<string, Tool> }

function checkContract(
  { contract }: Program,
  { start, tools }: ContractSpot,
  findings: Findings,
): void {
  const { effect, reversible, approval } = contract
  if (effect === 'read') {
    for (const [name, value] of Object.entries({ reversible, approval }))
      if (value !== undefined)
        findings.refuse(
          `contract.${name}`,
          'is for what writes: leave it out, or say what it writes in contract.effect',
          value,
        )
  }
  const lasting = [...tools.values()].find(
    (tool) => tool.contract.isWrite && !tool.contract.reversible,
  )
  if (reversible === true && lasting !== undefined)
    findings.refuse(
      'contract.reversible',
      `is true, though ${lasting.id} can't be undone: leave it out`,
      reversible,
    )
  if (approval !== undefined)
    checkTemplate({ $text: approval }, { field: 'contract.approval', scope: start }, findings)
}

type Compiling = {
  readonly findings: Findings
  readonly schemas: ForeignSchemas
  readonly keyField?: string | undefined
}

function compileSchema(
  schema: JsonSchema,
  field: string,
  { findings, schemas, keyField }: Compiling,
): Schema | undefined {
  try {
    return schemas.compile(schema, {
      omitFromHash: new Set(keyField === undefined ? [] : [keyField]),
    })
  } catch (thrown) {
    findings.refuse(
      field,
      `can't be used as a schema: ${toToolError(thrown).message.replace(/\.$/, '')}`,
    )
    return undefined
  }
}

function toolFrom(program: Program, { bound, input, output, keyField }: Checked): Tool {
  const contract = contractOf(program, bound)
  const tool: Tool = {
    id: program.id,
    title: program.title,
    category: program.category,
    description: program.description,
    detailedDescription: undefined,
    author: undefined,
    version: program.version,
    aliases: [],
    command: undefined,
    requestId: undefined,
    bytesFields: new Set<string>(),
    kind: bound.tools.size === 0 ? 'interactive' : 'composite',
    isDeferred: false,
    contract,
    input,
    output,
    ports: new Map(),
    hasEffectPorts: false,
    examples: [],
    outputExamples: [],
    errors: new Map(),
    sideEffects: derivedSideEffects(program.title, contract),
    fromCaller: new Map(),
    keyField,
    check: undefined,
    work: { kind: 'run', execute: (run) => interpret(program, bound, run) },
  }
  Object.freeze(tool)
  rememberCalls(tool, callsOf(program))
  return tool
}

function contractOf({ contract }: Program, { tools }: Bound): Tool['contract'] {
  const { effect, approval, timeout, permissions = {} } = contract
  const common = {
    ...(timeout === undefined ? {} : { timeout }),
    permissions: {
      ...(permissions.roles === undefined ? {} : { roles: permissions.roles }),
      capabilities: (permissions.capabilities ?? []).map((one) =>
        typeof one === 'string'
          ? one
          : { name: one.name, ...(one.scope === undefined ? {} : { scope: one.scope }) },
      ),
    },
  }
  if (effect === 'read') return normalContract({ ...common, effect: 'read' })
  const asks =
    approval === undefined
      ? {}
      : { approval: (input: unknown) => renderText(approval, new Map([['input', input]])) }
  return normalContract({
    ...common,
    ...asks,
    effect: effect as `writes.${string}`,
    reversible:
      contract.reversible ??
      [...tools.values()].every((tool) => !tool.contract.isWrite || tool.contract.reversible),
    idempotency: 'caller',
  })
}

function recordAt(schema: JsonSchema, keyword: string): JsonSchema {
  const value = member(schema, keyword)
  return isRecord(value) ? value : {}
}
