import type { Example, Port, Tool } from '@surehand/core'
import { type ForeignContract, type ForeignSource, foreignTool } from '@surehand/core/host'
import { hashJson, type Schema } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { exampleOf } from './example.ts'
import type { ContractPlan, Operation } from './operation/operation.ts'
import { usablePlan } from './operation/usable-plan.ts'

export type ToolParts = {
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
  readonly version?: string
}

/** A tool for each operation. Its schemas are looked at when somebody asks for them, and compiled when it is first called. */
export function openApiTools(operations: readonly Operation[], parts: ToolParts): readonly Tool[] {
  const checked = new Set<ContractPlan>()
  return operations.map((operation) => {
    const tool = toolOf(operation, parts)
    // one that nobody can keep is refused here, or nobody could list their tools for it
    if (isSaid(operation.contract) && !checked.has(operation.contract)) tool.contract
    checked.add(operation.contract)
    return tool
  })
}

// what a person wrote down may be wrong; what follows from the method is not
function isSaid({ timeout, retries, limits }: ContractPlan): boolean {
  return timeout !== null || retries !== null || limits.length > 0
}

function toolOf(operation: Operation, { port, schemas, version }: ToolParts): Tool {
  return foreignTool(
    {
      id: operation.toolId,
      title: () => operation.title,
      description: () => operation.description,
      ...(version === undefined ? {} : { version }),
      input: () => operation.plan.input,
      output: () => operation.plan.output,
      contract: () => contractOf(operation),
      port,
      by: operation.contract.by,
      examples: (input) => examplesOf(operation, input, schemas),
      fingerprint: () => wayOf(operation),
    },
    schemas,
  )
}

// what is sent, and where: the schemas and the words stand in the definition itself
function wayOf(operation: Operation): string {
  const { key, contract } = operation
  const { input: _, output: __, ...way } = usablePlan(operation) ?? { input: {}, output: {} }
  return hashJson(JSON.parse(JSON.stringify({ key, way, by: contract.by })))
}

// an example that the schema itself refuses teaches the wrong thing
function examplesOf(
  operation: Operation,
  input: Schema,
  schemas: ForeignSchemas,
): readonly Example<unknown>[] {
  const json = usablePlan(operation)?.input
  if (json === undefined) return []
  const example = exampleOf(json, schemas)
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
    // APIs answer more than they document, and less
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
