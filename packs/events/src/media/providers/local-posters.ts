import { isToolError, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { Poster, PosterOrder, PostersPort } from '../posters-port.ts'
import { openCanvas } from './canvas.ts'
import { type Fonts, openFonts } from './fonts.ts'
import { posterContent } from './poster-content.ts'
import { POSTER_STYLES } from './poster-styles.ts'

/** Posters drawn locally, from the text alone: the same order gives the same picture. */
export function localPosters({ keepArtifact }: Pick<PackGiven, 'keepArtifact'>): PostersPort {
  let opened: Promise<Fonts> | undefined
  async function generate(order: PosterOrder): Promise<Poster> {
    try {
      opened ??= openFonts()
      const bytes = await drawPoster(await opened, order)
      const { url } = await keepArtifact({ tenant: order.tenant, bytes, mediaType: 'image/png' })
      return { url, bytes, mediaType: 'image/png', provider: 'local' }
    } catch (thrown) {
      throw nothingMade(thrown)
    }
  }
  // drawn again it is the very same, and costs nobody anything
  return { generate, find: ({ args }) => generate(args) }
}

export async function drawPoster(fonts: Fonts, order: PosterOrder): Promise<Uint8Array> {
  const content = posterContent(order, fonts)
  if (content.title === '')
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'The title has no character that can be drawn.')
  const canvas = await openCanvas(fonts, [content.title, content.lead, content.body])
  const size = { width: order.width, height: order.height }
  return canvas.png(await POSTER_STYLES[order.style](canvas, content, size), size)
}

// whatever went wrong here, nothing is outside: the key is free again
function nothingMade(thrown: unknown): unknown {
  if (isToolError(thrown)) return thrown
  return new ToolError('TOOL_INTERNAL_ERROR', 'The poster could not be drawn.', {
    effect: 'none',
    cause: thrown,
  })
}
