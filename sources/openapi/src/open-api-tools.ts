import { type Example, isToolError, type Port, type Tool, ToolError } from '@surehand/core'
import {
  type ForeignCall,
  type ForeignContract,
  type ForeignSource,
  foreignTool,
  fromNetworkFailure,
} from '@surehand/core/host'
import { hashJson, type Schema } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import type { Send } from '@surehand/vault'
import { type AnswerSettings, keepWhole, readAnswer } from './answer/read-answer.ts'
import { createExample } from './example.ts'
import type { ContractPlan, Operation } from './operation/operation.ts'
import { planOrUndefined } from './operation/usable-plan.ts'
import { buildRequest, type RequestSettings } from './request/build-request.ts'

export type ToolParts = {
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
  readonly version?: string
}

/**
 * Makes a tool of each operation. Schemas are read when they are first used, and compiled on the
 * first call.
 */
export function openApiTools(operations: readonly Operation[], parts: ToolParts): readonly Tool[] {
  const checked = new Set<ContractPlan>()
  return operations.map((operation) => {
    const tool = toTool(operation, parts)
    // An invalid contract is refused here; later it would make listing all tools fail.
    if (hasOwnValues(operation.contract) && !checked.has(operation.contract)) tool.contract
    checked.add(operation.contract)
    return tool
  })
}

// Only values from a sidecar or document can be invalid, not those derived from the method.
function hasOwnValues({ timeout, retries, limits }: ContractPlan): boolean {
  return timeout !== null || retries !== null || limits.length > 0
}

function toTool(operation: Operation, { port, schemas, version }: ToolParts): Tool {
  return foreignTool(
    {
      id: operation.toolId,
      title: () => operation.title,
      description: () => operation.description,
      keywords: () => [operation.key, ...operation.argumentNames].join(' '),
      phrases: () => operation.phrases.join('\n'),
      ...(version === undefined ? {} : { version }),
      input: () => operation.plan.input,
      output: () => operation.plan.output,
      contract: () => contractOf(operation),
      port,
      by: operation.contract.by,
      examples: (input) => listExamples(operation, input, schemas),
      fingerprint: () => fingerprintOf(operation),
    },
    schemas,
  )
}

// Covers what is sent and where. Schemas and texts are part of the definition's own hash.
function fingerprintOf(operation: Operation): string {
  const { key, contract } = operation
  const { input: _, output: __, ...way } = planOrUndefined(operation) ?? { input: {}, output: {} }
  return hashJson(JSON.parse(JSON.stringify({ key, way, by: contract.by })))
}

// An example that does not match its own schema would mislead a model.
function listExamples(
  operation: Operation,
  input: Schema,
  schemas: ForeignSchemas,
): readonly Example<unknown>[] {
  const json = planOrUndefined(operation)?.input
  if (json === undefined) return []
  const example = createExample(json, schemas)
  return input.parse(example).ok
    ? [{ name: 'least', description: 'What is required, and no more.', input: example }]
    : []
}

function contractOf(operation: Operation): ForeignContract {
  const { key, contract } = operation
  const common = {
    auth: contract.auth,
    permissions: contract.permissions,
    limits: contract.limits,
    // Real answers have more and fewer fields than documented: a mismatch is a warning, not a
    // failure.
    outputValidation: 'lenient' as const,
    unknownKeys: 'refuse' as const,
    ...(contract.timeout === null ? {} : { timeout: contract.timeout }),
    ...(contract.retries === null ? {} : { retries: contract.retries }),
  }
  if (contract.effect === 'read') return { ...common, effect: 'read' }
  const { approval } = contract
  return {
    ...common,
    effect: contract.effect,
    reversible: contract.reversible,
    idempotency: 'caller',
    ...(approval === 'none'
      ? {}
      : {
          approval: {
            kind: approval,
            asks: () => `${operation.title}: let ${key} run with this input?`,
          },
        }),
  }
}

export type OpenApiSettings = RequestSettings & AnswerSettings

/**
 * Executes the tools of a document. A call becomes a request, `send` adds credentials and sends it,
 * and the response becomes the tool's answer.
 */
export function openApiSource(
  operations: readonly Operation[],
  send: Send,
  settings: OpenApiSettings = {},
): ForeignSource {
  const byTool = new Map(operations.map((operation) => [operation.toolId, operation]))

  async function perform(
    call: ForeignCall,
    signal: AbortSignal,
    by: ContractPlan['by'],
  ): Promise<unknown> {
    const operation = byTool.get(call.tool)
    if (operation === undefined)
      throw new ToolError('TOOL_NOT_FOUND', `${call.tool} is not a tool of this document.`, {
        effect: 'none',
      })
    if (operation.contract.by !== by)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${call.tool} is carried by ${operation.contract.by}, not by ${by}.`,
        {
          effect: 'none',
        },
      )
    const request = buildRequest(operation, call, settings)
    const answer = await send(request, call, signal).catch((cause: unknown) => {
      if (isToolError(cause) || signal.aborted) throw cause
      throw fromNetworkFailure(cause, new URL(request.url).host)
    })
    const given = readAnswer(operation, answer, settings)
    return keepWhole(given, answer, { caller: call.caller, keep: settings.keep })
  }

  return {
    read: (call, signal) => perform(call, signal, 'read'),
    write: (call, signal) => perform(call, signal, 'write'),
    writeOnce: (call, signal) => perform(call, signal, 'writeOnce'),
  }
}
