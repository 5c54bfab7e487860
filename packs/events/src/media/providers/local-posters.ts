import { isToolError, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { Node } from 'takumi-js'
import type { Poster, PosterOrder, PosterStyle, PostersPort } from '../posters-port.ts'
import { type Canvas, openCanvas, type Size } from './canvas.ts'
import { type Fonts, openFonts } from './fonts.ts'
import { classicPoster } from './poster-classic.ts'
import { type PosterContent, posterContent } from './poster-content.ts'
import { modernPoster } from './poster-modern.ts'
import { vibrantPoster } from './poster-vibrant.ts'

type DrawPoster = (canvas: Canvas, content: PosterContent, size: Size) => Promise<Node>

const POSTER_STYLES: Readonly<Record<PosterStyle, DrawPoster>> = {
  modern: modernPoster,
  classic: classicPoster,
  vibrant: vibrantPoster,
}

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
      throw toDrawingError(thrown)
    }
  }
  // Drawing it again gives the identical poster and costs nothing.
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

// Nothing has left the process, so the key may be used again.
function toDrawingError(thrown: unknown): unknown {
  if (isToolError(thrown)) return thrown
  return new ToolError('TOOL_INTERNAL_ERROR', 'The poster could not be drawn.', {
    effect: 'none',
    cause: thrown,
  })
}
