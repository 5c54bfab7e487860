import type { InputRequest } from '@modelcontextprotocol/server'
import type { Tool } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { declaresForms } from './capabilities.ts'
import type { Surface } from './options.ts'
import type { ToolsCall } from './request.ts'

export const FIELDS_KEY = 'fields'

/** The call with the fields that the user has filled in, or the form to be filled in first. */
export type Filled = { readonly call: ToolsCall } | { readonly form: InputRequest }

/** Asks the user for the fields that a model would invent, where the client supports forms. */
export function fieldsFromPerson(call: ToolsCall, answer: unknown, surface: Surface): Filled {
  const tool = surface.catalogue.find(call.name, call.caller.tenant)
  const wanted =
    tool === undefined
      ? []
      : surface.fromPerson(tool).filter((field) => call.input[field] === undefined)
  if (tool === undefined || wanted.length === 0 || !declaresForms(call.capabilities))
    return { call }
  if (answer === undefined) return { form: formFor(tool, wanted) }
  // A user who declined is not asked again; the tool reports what is missing.
  if (!isRecord(answer) || answer.action !== 'accept' || !isRecord(answer.content)) return { call }
  const { content } = answer
  const filled = Object.fromEntries(
    wanted.flatMap((field) => (content[field] === undefined ? [] : [[field, content[field]]])),
  )
  return { call: { ...call, input: { ...call.input, ...filled } } }
}

function formFor(tool: Tool, wanted: readonly string[]): InputRequest {
  const { properties = {} } = modelInputSchema(tool) as {
    readonly properties?: Readonly<Record<string, object>>
  }
  const asked = Object.fromEntries(
    wanted.map((field) => [field, properties[field] ?? { type: 'string' }]),
  )
  const requestedSchema = { type: 'object', properties: asked, required: [...wanted] }
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `${tool.title}: please fill in these fields.`,
      requestedSchema,
    },
  } as InputRequest
}
