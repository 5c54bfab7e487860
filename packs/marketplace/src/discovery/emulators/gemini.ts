import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { EMULATED_READING, type ReadingScript } from './emulated-reading.ts'
import { searchPages } from './pages.ts'

const Body = z.object({
  contents: z.array(z.object({ parts: z.array(z.object({ text: z.string() })) })).min(1),
  tools: z.array(z.object({ google_search: z.object({}).optional() })).default([]),
  generationConfig: z
    .object({
      responseMimeType: z.literal('application/json'),
      responseJsonSchema: z.object({ type: z.literal('object') }),
    })
    .optional(),
})

/**
 * Gemini's generateContent with Google Search over a few made-up pages. It has no model: its text
 * lists the pages that match words of the request, and says that it is emulated. A structured output is
 * what the script says.
 */
export function routesWith(script: ReadingScript): readonly EmulatorRoute[] {
  return [
    {
      method: 'POST',
      path: '/v1beta/models/:call',
      handle: (request) => generate(request, script),
    },
  ]
}

export const routes = routesWith(() => EMULATED_READING)

function generate(request: EmulatorRequest, script: ReadingScript): EmulatorReply {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'Please use API Key.')
  if (!request.params.call?.endsWith(':generateContent'))
    return failure(404, 'NOT_FOUND', 'No such method.')
  const body = Body.safeParse(request.json())
  if (!body.success) return failure(400, 'INVALID_ARGUMENT', 'The body is not valid.')
  if (body.data.generationConfig !== undefined) {
    const [{ parts } = { parts: [] }] = body.data.contents
    const text = script(parts.map((part) => part.text).join(''))
    const candidate = { content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }
    return { body: { candidates: [candidate] }, effect: describe(request) }
  }
  if (!body.data.tools.some(({ google_search }) => google_search !== undefined))
    return failure(400, 'INVALID_ARGUMENT', 'No tool to ground with.')
  const asked = body.data.contents.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n')
  const pages = searchPages(asked)
  return {
    body: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: `Emulated search.\n${pages.map(({ about }) => about).join('\n')}` }],
          },
          finishReason: 'STOP',
          index: 0,
          groundingMetadata: {
            webSearchQueries: [asked.slice(0, 100)],
            searchEntryPoint: { renderedContent: '<div>Emulated</div>' },
            groundingChunks: pages.map(({ url }) => ({
              web: { uri: url, title: new URL(url).hostname.replace(/^www\./, '') },
            })),
            groundingSupports: pages.map(({ about }, index) => ({
              segment: { startIndex: 0, endIndex: about.length, text: about },
              groundingChunkIndices: [index],
              confidenceScores: [0.9],
            })),
          },
        },
      ],
      modelVersion: 'emulator',
    },
    effect: describe(request),
  }
}

function describe({ body, headers }: EmulatorRequest): object {
  return { engine: 'gemini', body, headers }
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
