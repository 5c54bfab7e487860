import { defineTool } from '@surehand/core'
import {
  CleanUpOperation,
  decodeImageBytes,
  encodeImageBytes,
  ImageBytes,
  imageCleanUpPort,
  MAX_IMAGE_INPUT_BYTES,
} from '@surehand/reading'
import { z } from 'zod'

// a PNG of one pixel
const GREY_DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWPo6OgAAAM0AZmUse0HAAAAAElFTkSuQmCC'

export const flashImageEdit = defineTool({
  id: 'media.flashImage.edit',
  title: 'Clean up a flyer',
  category: 'integration',
  aliases: ['Media.FlashImage.edit', 'media_flash_image_edit'],
  description:
    'Clean up a photo of a flyer so that its text can be read: straighten it, take out noise, shadows and the background, strengthen the writing. Answers the picture, cleaned; if that fails, the original picture with a warning. Use it before reading text from a bad photo; a clean scan needs none.',
  input: z.object({
    imageBytes: ImageBytes,
    operations: z
      .array(CleanUpOperation)
      .min(1)
      .max(3)
      .default(['denoise', 'enhance_text', 'remove_background'])
      .describe('What to do; everything where left out.'),
  }),
  output: z.object({
    processedImageBytes: z
      .string()
      .meta({ contentEncoding: 'base64', description: 'The picture, in base64.' }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('How clearly writing and ground stand apart now.'),
    mediaType: z.string().optional(),
    provider: z.string().optional().describe('Who did it.'),
  }),
  contract: {
    effect: 'read',
    timeout: '15s',
    retries: 0,
    maxInputBytes: MAX_IMAGE_INPUT_BYTES,
    latencyBudget: '3s',
    // Not for an invalid or too large picture: that error is the caller's to fix.
    fallback: ({ input }) => ({ processedImageBytes: input.imageBytes }),
  },
  ports: { imageCleanUp: imageCleanUpPort },
  examples: [{ name: 'a grey dot', input: { imageBytes: GREY_DOT, operations: ['denoise'] } }],
  execute: async ({ input, ports, caller, signal }) => {
    const image = decodeImageBytes(input.imageBytes)
    const cleaned = await ports.imageCleanUp.edit(
      { tenant: caller.tenant, image, operations: input.operations },
      signal,
    )
    return {
      processedImageBytes: encodeImageBytes(cleaned.image),
      mediaType: cleaned.mediaType,
      provider: cleaned.provider,
      ...(cleaned.confidence === undefined ? {} : { confidence: cleaned.confidence }),
    }
  },
})
