import { foreignPort } from '../../../../core/src/host.ts'
import type { Tool } from '../../../../core/src/index.ts'
import { foreignSchemas } from '../../../../libraries/json-schema/src/foreign-schemas.ts'
import { type OpenApiRead, openApiTools } from '../../../../sources/openapi/src/index.ts'
import type { Made } from '../work.ts'

/** The operations of a document as tools, ready for a runtime. */
export function madeOf({ operations }: OpenApiRead, name: string): Made {
  const tools = toolsOf({ operations }, name)
  return {
    tools: tools.length,
    schemaOf: ({ key }) =>
      tools[operations.findIndex((operation) => operation.key === key)]?.input.toJson('input'),
  }
}

/** The same with everything that is made when it is first looked at, but the compiled schemas; counted by the report. */
export function lookedAt(read: OpenApiRead, name: string): Made {
  const made = madeOf(read, name)
  for (const tool of toolsOf(read, name)) looked(tool)
  return { ...made, tools: read.report.taken }
}

function looked({ title, description, contract, input, output }: Tool): readonly unknown[] {
  return [title, description, contract, input.toJson('input'), output.toJson('output')]
}

function toolsOf({ operations }: Pick<OpenApiRead, 'operations'>, name: string): readonly Tool[] {
  return openApiTools(operations, {
    port: foreignPort(name, { keysValidFor: '1d' }),
    schemas: foreignSchemas({ onLoss: () => {} }),
  })
}
