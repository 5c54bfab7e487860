import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SeededRandom } from '@surehand/testing'
import { measure, render } from 'takumi-js'
import type { Flyer } from './flyer.ts'
import type { Layout } from './layouts.ts'
import type { Look } from './look.ts'
import { box } from './markup.ts'

/** A flyer with its layout, which `render` draws and `measure` measures. */
export type Sheet = { readonly html: string; readonly width: number; readonly height: number }

const FONT_NAME = 'Noto Sans'
const FONTS = ['normal', 'italic'].flatMap((style) => [
  { name: FONT_NAME, style, data: fontFile(`latin-standard-${style}`) },
  { name: FONT_NAME, style, data: fontFile(`latin-ext-standard-${style}`) },
])

export function layOut(random: SeededRandom, flyer: Flyer, layout: Layout): Sheet {
  const look = random.pick(layout.looks)
  const drawn = layout.draw(flyer, look)
  const pattern = random.is(0.35) ? confetti(random, layout, look) : ''
  return {
    html: `<div style="display:flex;position:relative;width:100%;height:100%;font-family:'${FONT_NAME}'">${drawn}${pattern}</div>`,
    width: layout.width,
    height: layout.height,
  }
}

/** Faint discs over the text: easy for people, harder for OCR. */
function confetti(
  random: SeededRandom,
  { width, height }: Layout,
  { accent, quiet }: Look,
): string {
  return Array.from({ length: random.whole(4, 9) }, () => {
    const size = random.whole(60, 320)
    const place = `left:${random.whole(-80, width - 80)}px;top:${random.whole(-80, height - 80)}px;width:${size}px;height:${size}px`
    return box(
      `position:absolute;${place};border-radius:${size / 2}px;background:${random.pick([accent, quiet])};opacity:0.${random.whole(10, 18)}`,
    )
  }).join('')
}

/** Draws a PNG; the same sheet gives the same bytes. */
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

/** The position of each run of text, as the renderer measures it. */
export async function measureText({ html, width, height }: Sheet): Promise<readonly DrawnText[]> {
  return listRuns(await measure(html, { width, height, fonts: FONTS, emoji: 'from-font' }))
}

type Measured = Awaited<ReturnType<typeof measure>>

function listRuns({ transform, runs, children }: Measured): readonly DrawnText[] {
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
    ...children.flatMap(listRuns),
  ]
}

function fontFile(name: string): Uint8Array {
  return readFileSync(
    fileURLToPath(
      import.meta.resolve(`@fontsource-variable/noto-sans/files/noto-sans-${name}.woff2`),
    ),
  )
}
