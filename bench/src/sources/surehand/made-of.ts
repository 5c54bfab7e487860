import { foreignPort } from '../../../../core/src/index.ts'
import { foreignSchemas } from '../../../../kit/src/foreign-schemas.ts'
import { type Operation, openApiTools } from '../../../../sources/openapi/src/index.ts'
import type { Made } from '../work.ts'

/** The operations of a document as tools, ready for a runtime. */
export function madeOf(operations: readonly Operation[], name: string): Made {
  const port = foreignPort(name, { keysValidFor: '1d' })
  const tools = openApiTools(operations, { port, schemas: foreignSchemas({ onLoss: () => {} }) })
  return {
    tools: tools.length,
    schemaOf: ({ key }) => tools[operations.findIndex((operation) => operation.key === key)]?.input.toJson('input'),
  }
}
