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

// Parts are texts or pictures, in any order (ai.google.dev/api/generate-content).
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

const ACCEPTED_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const OPERATION_PROMPTS: Readonly<Record<CleanUpOperation, string>> = {
  denoise: 'remove noise and compression artefacts',
  enhance_text: 'straighten it and make all writing crisp and dark',
  remove_background: 'replace the background, shadows and stains by plain white',
}

/** Gemini's image model, which edits a picture by instructions. */
export function geminiImageCleanUp(
  access: VendorAccess & { readonly model: string },
): ImageCleanUpPort {
  const { baseUrl, key, fetchFor, model } = access
  return {
    async edit({ tenant, image, operations }, signal) {
      const sent = await withDecodeSlot(() => toAcceptedType(image))
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
                { text: buildPrompt(operations) },
                { inlineData: { mimeType: detectImageType(sent), data: encodeImageBytes(sent) } },
              ],
            },
          ],
          generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
        },
        signal,
      } as const
      // The picture was checked before it was sent, so the caller could not fix a refusal by Gemini.
      const { candidates, modelVersion = model } = await sendJson(
        fetchFor(tenant),
        request,
        Answer,
      ).catch(asServiceError)
      const found = candidates[0]?.content?.parts.find(
        ({ inlineData }) => inlineData !== undefined,
      )?.inlineData
      if (found === undefined) throw noPictureError(candidates[0]?.finishReason)
      const bytes = decodeImageBytes(found.data)
      return {
        image: bytes,
        mediaType: detectImageType(bytes),
        provider: `gemini (${modelVersion})`,
      }
    },
  }
}

function buildPrompt(operations: readonly CleanUpOperation[]): string {
  const steps = operations.map((operation) => OPERATION_PROMPTS[operation]).join('; ')
  return `Clean up this photo of a flyer so that its text can be read by a machine: ${steps}. Change no letter, figure or word, add nothing and leave nothing out.`
}

async function toAcceptedType(image: Uint8Array): Promise<Uint8Array> {
  const { image: opened } = await openImage(image)
  return ACCEPTED_TYPES.includes(detectImageType(image))
    ? image
    : new Uint8Array(await opened.png().toBuffer())
}

function noPictureError(reason = 'no reason given'): ToolError {
  return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `Gemini returned no picture (${reason}).`)
}
