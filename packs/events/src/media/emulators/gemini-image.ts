import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { googleFailure, withoutKey } from './google-failure.ts'

const Body = z.object({
  contents: z.array(
    z.object({
      parts: z.array(
        z.object({
          text: z.string().optional(),
          inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
        }),
      ),
    }),
  ),
})

/** Gemini's image model. It returns the picture unchanged, with a note that it is emulated. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v1beta/models/:call', handle: edit },
]

function edit(request: EmulatorRequest): EmulatorReply {
  const refused = withoutKey(request)
  if (refused !== undefined) return refused
  if (!request.params.call?.endsWith(':generateContent'))
    return googleFailure(404, 'NOT_FOUND', 'No such method.')
  const body = Body.safeParse(request.json())
  const picture = body.data?.contents[0]?.parts.find(
    ({ inlineData }) => inlineData !== undefined,
  )?.inlineData
  if (picture === undefined)
    return googleFailure(400, 'INVALID_ARGUMENT', 'Unable to process input image.')
  const parts = [{ text: 'Emulated: the picture is unchanged.' }, { inlineData: picture }]
  return {
    body: {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
      modelVersion: 'emulator',
    },
  }
}
