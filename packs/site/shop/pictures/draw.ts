import { escapeHtml } from '../web/html.ts'
import { drawBouquet, drawWreath } from './bouquet.ts'
import { drawGarment } from './garments.ts'
import { drawObject } from './objects.ts'
import { createDice, type Dice, darken } from './paint.ts'
import type { Picture, Tint } from './picture.ts'
import { drawPlant } from './plants.ts'

const TINTS: Readonly<Record<Tint, readonly [wall: string, table: string]>> = {
  blush: ['#f4e0d9', '#e6c3b8'],
  sage: ['#e0e7da', '#c3d0bd'],
  cream: ['#f6eddd', '#e6d6bb'],
  sky: ['#e0e9ec', '#c0d2d9'],
  clay: ['#f0dac8', '#dcb99d'],
  plum: ['#e6dce3', '#cab8c7'],
}

/** Draws a picture as an SVG document of 600 by 720. */
export function draw(picture: Picture, name: string): string {
  const [wall, table] = TINTS[picture.tint]
  const stands =
    picture.kind === 'bouquet' ||
    picture.kind === 'plant' ||
    (picture.kind === 'object' && ['vase', 'candle', 'pocket-square'].includes(picture.object))
  const ground = stands
    ? `<path d="M0 604H600V720H0Z" fill="${table}"/><ellipse cx="310" cy="648" rx="170" ry="22" fill="${darken(table, 0.45)}" fill-opacity=".3"/>`
    : picture.kind === 'object'
      ? ''
      : `<ellipse cx="300" cy="664" rx="200" ry="16" fill="${darken(table, 0.4)}" fill-opacity=".16"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 720" role="img"><title>${escapeHtml(name)}</title><defs><radialGradient id="light" cx="34%" cy="24%" r="95%"><stop offset="0" stop-color="#fff" stop-opacity=".75"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="${darken(table, 0.3)}" stop-opacity=".3"/></radialGradient></defs><rect width="600" height="720" fill="${wall}"/>${ground}<rect width="600" height="720" fill="url(#light)"/>${drawSubject(picture, createDice(name))}</svg>
`
}

function drawSubject(picture: Picture, dice: Dice): string {
  switch (picture.kind) {
    case 'bouquet':
      return drawBouquet(picture, dice)
    case 'wreath':
      return drawWreath(picture, dice)
    case 'plant':
      return drawPlant(picture, dice)
    case 'garment':
      return drawGarment(picture)
    case 'object':
      return drawObject(picture, dice)
  }
}
