import { ToolError } from '@surehand/core'
import {
  type CleanUpOperation,
  decodeImageBytes,
  detectImageType,
  encodeImageBytes,
  type ImageCleanUpPort,
  openImage,
  withDecodeSlot,
} from '@surehand/reading'
import { asServiceError, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'

// parts are text or pictures, in any order (ai.google.dev/api/generate-content)
const Part = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.base64() }).optional(),
})
const Answer = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(Part).default([]) }).optional(),
        finishReason: z.string().optional(),
      }),
    )
    .default([]),
  modelVersion: z.string().optional(),
})

const TAKEN = ['image/png', 'image/jpeg', 'image/webp']
const SAID: Readonly<Record<CleanUpOperation, string>> = {
  denoise: 'remove noise and compression artefacts',
  enhance_text: 'straighten it and make all writing crisp and dark',
  remove_background: 'replace the background, shadows and stains by plain white',
}

/** Gemini's image model: it edits a picture as it is told to. */
export function geminiImageCleanUp(
  access: VendorAccess & { readonly model?: string },
): ImageCleanUpPort {
  const { baseUrl, key, fetchFor, model = 'gemini-2.5-flash-image' } = access
  return {
    async edit({ tenant, image, operations }, signal) {
      const sent = await withDecodeSlot(() => takeable(image))
      const request = {
        vendor: 'Gemini',
        url: `${baseUrl}/v1beta/models/${model}:generateContent`,
        method: 'POST',
        headers: { 'x-goog-api-key': key },
        body: {
          contents: [
            {
              role: 'user',
              parts: [
                { text: instruction(operations) },
                { inlineData: { mimeType: detectImageType(sent), data: encodeImageBytes(sent) } },
              ],
            },
          ],
          generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
        },
        signal,
      } as const
      // The picture was checked before it was sent: a refusal by Gemini is nothing the caller could
      // fix.
      const { candidates, modelVersion = model } = await sendJson(
        fetchFor(tenant),
        request,
        Answer,
      ).catch(asServiceError)
      const found = candidates[0]?.content?.parts.find(
        ({ inlineData }) => inlineData !== undefined,
      )?.inlineData
      if (found === undefined) throw noPicture(candidates[0]?.finishReason)
      const bytes = decodeImageBytes(found.data)
      return {
        image: bytes,
        mediaType: detectImageType(bytes),
        provider: `gemini (${modelVersion})`,
      }
    },
  }
}

function instruction(operations: readonly CleanUpOperation[]): string {
  const wanted = operations.map((operation) => SAID[operation]).join('; ')
  return `Clean up this photo of a flyer so that its text can be read by a machine: ${wanted}. Change no letter, figure or word, add nothing and leave nothing out.`
}

async function takeable(image: Uint8Array): Promise<Uint8Array> {
  const { image: opened } = await openImage(image)
  return TAKEN.includes(detectImageType(image))
    ? image
    : new Uint8Array(await opened.png().toBuffer())
}

function noPicture(reason = 'no reason given'): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `Gemini answered without a picture (${reason}).`,
  )
}
