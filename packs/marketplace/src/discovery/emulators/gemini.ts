import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { searchPages } from './pages.ts'

const Body = z.object({
  contents: z.array(z.object({ parts: z.array(z.object({ text: z.string() })) })).min(1),
  tools: z.array(z.object({ google_search: z.object({}).optional() })),
})

/**
 * Gemini's generateContent with Google Search over a few made-up pages. It has no model: its text
 * lists the pages that match words of the request, and says that it is emulated.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v1beta/models/:call', handle: generate },
]

function generate(request: EmulatorRequest): EmulatorReply {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'Please use API Key.')
  if (!request.params.call?.endsWith(':generateContent'))
    return failure(404, 'NOT_FOUND', 'No such method.')
  const body = Body.safeParse(request.json())
  if (!body.success) return failure(400, 'INVALID_ARGUMENT', 'The body is not valid.')
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
    effect: { engine: 'gemini', body: request.body, headers: request.headers },
  }
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
