import type { Port, Tool } from '@surehand/core'
import { type ForeignContract, type ForeignSource, foreignTool } from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import type { GraphqlOperation } from './operation/operation.ts'

export type GraphqlToolParts = {
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
}

/** Operations as tools, under the full contract. */
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
        fingerprint: () => wayOf(operation),
        by:
          operation.kind === 'query'
            ? 'read'
            : operation.terms.once === undefined
              ? 'write'
              : 'writeOnce',
        ...(operation.example === undefined
          ? {}
          : { examples: [{ name: 'what must be given', input: operation.example }] }),
      },
      schemas,
    ),
  )
}

// what is sent, and where: what it is called and how it is described stands in the definition itself
function wayOf({ endpoint, kind, source, variables, selection, terms }: GraphqlOperation): string {
  return hashJson(
    JSON.parse(JSON.stringify({ endpoint, kind, source, variables, selection, terms })),
  )
}

function contractOf({ id, kind, source, terms }: GraphqlOperation): ForeignContract {
  const common = {
    permissions: { roles: terms.roles ?? [], capabilities: terms.capabilities ?? [] },
    auth: terms.auth ?? 'service',
    // servers change what they answer without asking: a warning, not a failure
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
