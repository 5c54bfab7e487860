import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { EMULATED_READING, isStrictSchema, type ReadingScript } from './emulated-reading.ts'
import { searchPages } from './pages.ts'

const InputMessage = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string() }))]),
})
const Body = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(InputMessage)]),
  instructions: z.string().optional(),
  tools: z
    .array(
      z.object({
        type: z.string(),
        filters: z.object({ allowed_domains: z.array(z.string()).max(100) }).optional(),
      }),
    )
    .default([]),
  text: z
    .object({
      format: z.object({
        type: z.literal('json_schema'),
        name: z.string().regex(/^[\w-]{1,64}$/),
        strict: z.literal(true),
        schema: z.json().refine(isStrictSchema),
      }),
    })
    .optional(),
})

/**
 * OpenAI's Responses API with the tool web_search over a few made-up pages. It has no model: its text
 * lists the pages that match words of the request, and says that it is emulated. A structured output is
 * what the script says.
 */
export function routesWith(script: ReadingScript): readonly EmulatorRoute[] {
  return [{ method: 'POST', path: '/v1/responses', handle: (request) => respond(request, script) }]
}

export const routes = routesWith(() => EMULATED_READING)

function respond(request: EmulatorRequest, script: ReadingScript): EmulatorReply {
  if (!/^Bearer \S+/.test(request.headers.authorization ?? ''))
    return failure(401, 'invalid_request_error', 'You did not provide an API key.')
  const body = Body.safeParse(request.json())
  if (!body.success) return failure(400, 'invalid_request_error', 'The body is not valid.')
  if (body.data.text !== undefined) {
    const content = { type: 'output_text', text: script(readInput(body.data.input)) }
    return reply(request, body.data.model, [{ ...MESSAGE, content: [{ ...content, ...PLAIN }] }])
  }
  const tool = body.data.tools.find(({ type }) => type === 'web_search')
  if (tool === undefined) return failure(400, 'invalid_request_error', 'Unknown tool.')
  const asked = readInput(body.data.input)
  const pages = searchPages(asked, tool.filters?.allowed_domains)
  let text = 'Emulated search.\n'
  const annotations = pages.map(({ url, title, about }) => {
    const link = `([${new URL(url).hostname}](${url}?utm_source=openai))`
    const start = text.length + about.length + 3
    text += `- ${about} ${link}\n`
    return {
      type: 'url_citation',
      start_index: start,
      end_index: start + link.length,
      url: `${url}?utm_source=openai`,
      title,
    }
  })
  return reply(request, body.data.model, [
    {
      type: 'web_search_call',
      id: 'ws_emulated',
      status: 'completed',
      action: { type: 'search', query: asked.slice(0, 100) },
    },
    { ...MESSAGE, content: [{ type: 'output_text', text, annotations, logprobs: [] }] },
  ])
}

const PLAIN = { annotations: [], logprobs: [] }
const MESSAGE = {
  ...{ type: 'message', id: 'msg_emulated', status: 'completed', role: 'assistant' },
}

function reply(request: EmulatorRequest, model: string, output: readonly object[]): EmulatorReply {
  return {
    body: {
      id: 'resp_emulated',
      object: 'response',
      created_at: 0,
      status: 'completed',
      error: null,
      model,
      output,
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    },
    effect: { engine: 'openai', body: request.body, headers: request.headers },
  }
}

function readInput(input: z.output<typeof Body>['input']): string {
  if (typeof input === 'string') return input
  return input
    .map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
    )
    .join('\n')
}

function failure(status: number, type: string, message: string): EmulatorReply {
  return { status, body: { error: { message, type, param: null, code: null } } }
}
