import type { Port, Tool } from '@surehand/core'
import {
  countTokens,
  type ForeignContract,
  type ForeignSource,
  foreignTool,
} from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import type { GraphqlOperation } from './operation/operation.ts'

export type GraphqlToolParts = {
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
}

/** Makes a tool of each operation, with the full contract. */
export function graphqlTools(
  operations: readonly GraphqlOperation[],
  { port, schemas }: GraphqlToolParts,
): readonly Tool[] {
  return operations.map((operation) =>
    foreignTool(
      {
        id: operation.id,
        title: operation.title,
        description: operation.description,
        input: operation.input,
        output: operation.output,
        contract: () => contractOf(operation),
        port,
        fingerprint: () => fingerprintOf(operation),
        by:
          operation.kind === 'query'
            ? 'read'
            : operation.terms.once === undefined
              ? 'write'
              : 'writeOnce',
        ...(operation.example === undefined
          ? {}
          : { examples: [{ name: 'required fields only', input: operation.example }] }),
      },
      schemas,
    ),
  )
}

// Covers what is sent and where. Names and descriptions are part of the definition's own hash.
function fingerprintOf({
  endpoint,
  kind,
  source,
  variables,
  selection,
  terms,
}: GraphqlOperation): string {
  return hashJson(
    JSON.parse(JSON.stringify({ endpoint, kind, source, variables, selection, terms })),
  )
}

function contractOf({ id, kind, source, terms }: GraphqlOperation): ForeignContract {
  const common = {
    permissions: { roles: terms.roles ?? [], capabilities: terms.capabilities ?? [] },
    auth: terms.auth ?? 'service',
    // Servers change their answers without notice: a mismatch is a warning, not a failure.
    outputValidation: 'lenient',
    unknownKeys: 'refuse',
    timeout: terms.timeout ?? '30s',
    ...(terms.retries === undefined ? {} : { retries: terms.retries }),
  } as const
  if (kind === 'query') return { ...common, effect: 'read' }
  const namespace = id.slice(0, id.indexOf('.'))
  const approval = terms.approval ?? 'confirm'
  return {
    ...common,
    effect: `writes.${namespace}`,
    reversible: terms.reversible ?? false,
    idempotency: 'caller',
    ...(approval === 'none'
      ? {}
      : {
          approval: {
            kind: approval,
            asks: () => `Run the ${source.replace('.', ' ')} of ${namespace}?`,
          },
        }),
  }
}

/** Estimates how many tokens the definitions of these tools take in a model's context. */
export function catalogueTokens(operations: readonly GraphqlOperation[]): number {
  return operations.reduce(
    (sum, { id, description, input }) =>
      sum + countTokens(JSON.stringify({ id, description, input })),
    0,
  )
}
