import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SeededRandom } from '@surehand/testing'
import { measure, render } from 'takumi-js'
import type { Flyer } from './flyer.ts'
import type { Layout } from './layouts.ts'
import type { Look } from './look.ts'
import { box } from './markup.ts'

/** A flyer with its place on paper: what `render` draws and `measure` measures. */
export type Sheet = { readonly html: string; readonly width: number; readonly height: number }

const FONT_NAME = 'Noto Sans'
const FONTS = ['normal', 'italic'].flatMap((style) => [
  { name: FONT_NAME, style, data: fontFile(`latin-standard-${style}`) },
  { name: FONT_NAME, style, data: fontFile(`latin-ext-standard-${style}`) },
])

export function layOut(chance: SeededRandom, flyer: Flyer, layout: Layout): Sheet {
  const look = chance.pick(layout.looks)
  const drawn = layout.draw(flyer, look)
  const pattern = chance.is(0.35) ? confetti(chance, layout, look) : ''
  return {
    html: `<div style="display:flex;position:relative;width:100%;height:100%;font-family:'${FONT_NAME}'">${drawn}${pattern}</div>`,
    width: layout.width,
    height: layout.height,
  }
}

/**
 * Faint discs over everything, as printers like them: an eye reads through them, a program may not.
 */
function confetti(
  chance: SeededRandom,
  { width, height }: Layout,
  { accent, quiet }: Look,
): string {
  return Array.from({ length: chance.whole(4, 9) }, () => {
    const size = chance.whole(60, 320)
    const place = `left:${chance.whole(-80, width - 80)}px;top:${chance.whole(-80, height - 80)}px;width:${size}px;height:${size}px`
    return box(
      `position:absolute;${place};border-radius:${size / 2}px;background:${chance.pick([accent, quiet])};opacity:0.${chance.whole(10, 18)}`,
    )
  }).join('')
}

/** A PNG, the same bytes for the same sheet. */
export async function drawSheet({ html, width, height }: Sheet): Promise<Uint8Array> {
  return await render(html, { width, height, fonts: FONTS, emoji: 'from-font', format: 'png' })
}

export type DrawnText = {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Where each run of text comes to lie, by the renderer's own measure. */
export async function textOf({ html, width, height }: Sheet): Promise<readonly DrawnText[]> {
  return runsOf(await measure(html, { width, height, fonts: FONTS, emoji: 'from-font' }))
}

type Measured = Awaited<ReturnType<typeof measure>>

function runsOf({ transform, runs, children }: Measured): readonly DrawnText[] {
  const [a, b, c, d, left, top] = transform
  const at = (x: number, y: number): { x: number; y: number } => ({
    x: a * x + c * y + left,
    y: b * x + d * y + top,
  })
  return [
    ...runs.map(({ text, x, y, width, height }) => {
      const corners = [at(x, y), at(x + width, y), at(x, y + height), at(x + width, y + height)]
      const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)]
      return {
        text,
        left: Math.min(...xs),
        top: Math.min(...ys),
        right: Math.max(...xs),
        bottom: Math.max(...ys),
      }
    }),
    ...children.flatMap(runsOf),
  ]
}

function fontFile(name: string): Uint8Array {
  return readFileSync(
    fileURLToPath(
      import.meta.resolve(`@fontsource-variable/noto-sans/files/noto-sans-${name}.woff2`),
    ),
  )
}
