import type { Node } from 'takumi-js'
import type { PosterStyle } from '../posters-port.ts'
import type { Canvas, Size } from './canvas.ts'
import { classicPoster } from './poster-classic.ts'
import type { PosterContent } from './poster-content.ts'
import { modernPoster } from './poster-modern.ts'
import { vibrantPoster } from './poster-vibrant.ts'

export type DrawPoster = (canvas: Canvas, content: PosterContent, size: Size) => Promise<Node>

export const POSTER_STYLES: Readonly<Record<PosterStyle, DrawPoster>> = {
  modern: modernPoster,
  classic: classicPoster,
  vibrant: vibrantPoster,
}
