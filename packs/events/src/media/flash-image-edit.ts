import { defineTool, isToolError, ToolError } from '@surehand/core'
import {
  CleanUpOperation,
  decodeImageBytes,
  detectImageType,
  encodeImageBytes,
  ImageBytes,
  imageCleanUpPort,
  MAX_IMAGE_INPUT_BYTES,
} from '@surehand/reading'
import { z } from 'zod'

// A PNG of one pixel.
const GREY_DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWPo6OgAAAM0AZmUse0HAAAAAElFTkSuQmCC'

export const flashImageEdit = defineTool({
  id: 'media.flashImage.edit',
  title: 'Clean up a flyer',
  category: 'integration',
  aliases: ['Media.FlashImage.edit', 'media_flash_image_edit'],
  description:
    'Cleans up a photo of a flyer so that its text can be read: straightens it, removes noise, shadows and the background, and strengthens the text. Returns the cleaned picture or, if that fails, the original with a warning. Use it before reading text from a bad photo; a clean scan does not need it.',
  input: z.object({
    imageBytes: ImageBytes,
    operations: z
      .array(CleanUpOperation)
      .min(1)
      .max(3)
      .default(['denoise', 'enhance_text', 'remove_background'])
      .describe('The operations; all of them by default.'),
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
      .describe('How well text and background can be distinguished.'),
    mediaType: z.string().optional(),
    provider: z.string().optional().describe('The provider that cleaned it.'),
  }),
  contract: {
    effect: 'read',
    timeout: '15s',
    retries: 0,
    maxInputBytes: MAX_IMAGE_INPUT_BYTES,
    latencyBudget: '3s',
    // Not for something that is no picture, or too large: that error is the caller's to fix.
    fallback: ({ input }) => ({ processedImageBytes: input.imageBytes }),
  },
  ports: { imageCleanUp: imageCleanUpPort },
  examples: [{ name: 'a grey dot', input: { imageBytes: GREY_DOT, operations: ['denoise'] } }],
  execute: async ({ input, ports, caller, signal }) => {
    const image = decodeImageBytes(input.imageBytes)
    const cleaned = await ports.imageCleanUp
      .edit({ tenant: caller.tenant, image, operations: input.operations }, signal)
      .catch((thrown: unknown) => {
        throw isDamaged(thrown, image) ? damagedPicture(thrown) : thrown
      })
    return {
      processedImageBytes: encodeImageBytes(cleaned.image),
      mediaType: cleaned.mediaType,
      provider: cleaned.provider,
      ...(cleaned.confidence === undefined ? {} : { confidence: cleaned.confidence }),
    }
  },
})

// A picture by its first bytes that cannot be decoded was cut off on its way: the original is all
// there is, and the reader of its text may still see a part.
function isDamaged(thrown: unknown, image: Uint8Array): boolean {
  if (!isToolError(thrown) || thrown.code !== 'TOOL_INVALID_FIELD_VALUE') return false
  try {
    detectImageType(image)
    return true
  } catch {
    return false
  }
}

function damagedPicture(cause: unknown): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    'The picture is damaged or incomplete, so it could not be cleaned up.',
    { cause },
  )
}
