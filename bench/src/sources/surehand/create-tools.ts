import { foreignPort } from '../../../../core/src/host.ts'
import type { Tool } from '../../../../core/src/index.ts'
import { foreignSchemas } from '../../../../libraries/json-schema/src/foreign-schemas.ts'
import { type OpenApiRead, openApiTools } from '../../../../sources/openapi/src/index.ts'
import type { CreatedTools } from '../work.ts'

/** Turns the operations of a document into tools, ready for a runtime. */
export function createTools({ operations }: OpenApiRead, name: string): CreatedTools {
  const tools = toolsFor({ operations }, name)
  return {
    tools: tools.length,
    schemaOf: ({ key }) =>
      tools[operations.findIndex((operation) => operation.key === key)]?.input.toJson('input'),
  }
}

/** The same, and reads everything that a tool creates at its first use, except compiled schemas. The report counts the tools. */
export function createAndReadTools(read: OpenApiRead, name: string): CreatedTools {
  const created = createTools(read, name)
  for (const tool of toolsFor(read, name)) readTool(tool)
  return { ...created, tools: read.report.taken }
}

function readTool({ title, description, contract, input, output }: Tool): readonly unknown[] {
  return [title, description, contract, input.toJson('input'), output.toJson('output')]
}

function toolsFor({ operations }: Pick<OpenApiRead, 'operations'>, name: string): readonly Tool[] {
  return openApiTools(operations, {
    port: foreignPort(name, { keysValidFor: '1d' }),
    schemas: foreignSchemas({ onLoss: () => {} }),
  })
}
