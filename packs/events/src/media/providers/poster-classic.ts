import type { Node } from 'takumi-js'
import type { Canvas, Size } from './canvas.ts'
import type { PosterContent } from './poster-content.ts'
import { column, drawing, scaleUnit, sheet } from './poster-parts.ts'
import { fitPosterText, textGap } from './poster-text.ts'

const PALETTES = [
  { paper: '#f5ecd9', ink: '#22382f', second: '#b4552d' },
  { paper: '#f4eadb', ink: '#3a1f2b', second: '#a8772a' },
  { paper: '#f1ede0', ink: '#1d2b45', second: '#b23a32' },
] as const

/** Ink on paper: a double frame, a rising sun, centred text. */
export async function classicPoster(
  canvas: Canvas,
  content: PosterContent,
  size: Size,
): Promise<Node> {
  const unit = scaleUnit(size)
  const palette = PALETTES[Math.floor(content.random() * PALETTES.length)] ?? PALETTES[0]
  const pad = Math.round(120 * unit)
  const isTall = size.height > size.width * 1.2
  const sunHeight = isTall ? size.height * 0.32 : 0
  const rule = Math.round(28 * unit)
  const room = {
    width: size.width - 2 * pad,
    height: size.height - 2 * pad - sunHeight - 2 * rule - 2 * textGap(unit),
  }
  const text = await fitPosterText(canvas, content, {
    room,
    unit,
    look: {
      title: { color: palette.ink, fontWeight: 600, lineHeight: 1.14, textAlign: 'center' },
      lead: {
        color: palette.second,
        fontWeight: 700,
        lineHeight: 1.3,
        letterSpacing: 1.2 * unit,
        textAlign: 'center',
      },
      body: {
        color: palette.ink,
        fontWeight: 400,
        lineHeight: 1.5,
        textAlign: 'center',
        whiteSpace: 'pre-line',
      },
    },
  })
  const inner = { left: pad, width: room.width, alignItems: 'center' as const }
  return sheet(size, { backgroundColor: palette.paper }, [
    drawing(size, frame(size, unit, palette.ink) + (isTall ? sun(size, unit, palette) : '')),
    column(
      {
        ...inner,
        top: pad + sunHeight,
        height: size.height - 2 * pad - sunHeight,
        justifyContent: 'center',
        gap: textGap(unit),
      },
      [text.title.node, ornament(unit, palette.second), text.lead?.node, text.body?.node],
    ),
  ])
}

function frame({ width, height }: Size, unit: number, ink: string): string {
  const line = (inset: number, stroke: number, radius: number): string =>
    `<rect x="${inset}" y="${inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${radius}" fill="none" stroke="${ink}" stroke-width="${stroke}"/>`
  return line(44 * unit, 7 * unit, 0) + line(62 * unit, 2 * unit, 0)
}

// The upper half of a sun over a horizontal line.
function sun(
  { width, height }: Size,
  unit: number,
  { ink, second }: { readonly ink: string; readonly second: string },
): string {
  const [x, y] = [width / 2, height * 0.335]
  const [core, from, to] = [width * 0.15, width * 0.18, width * 0.33]
  const rays = Array.from({ length: 19 }, (_, index) => {
    const angle = (Math.PI * index) / 18
    const end = index % 2 === 0 ? to : to * 0.86
    const point = (radius: number): string =>
      `${x - Math.cos(angle) * radius} ${y - Math.sin(angle) * radius}`
    return `<path d="M${point(from)}L${point(end)}" stroke="${index % 2 === 0 ? second : ink}" stroke-width="${9 * unit}" stroke-linecap="round"/>`
  }).join('')
  const disc = `<path d="M${x - core} ${y}A${core} ${core} 0 0 1 ${x + core} ${y}Z" fill="${second}"/>`
  const ground = `<path d="M${x - to} ${y + 16 * unit}H${x + to}" stroke="${ink}" stroke-width="${5 * unit}" stroke-linecap="round"/>`
  return rays + disc + ground
}

function ornament(unit: number, colour: string): Node {
  const [width, height] = [Math.round(360 * unit), Math.round(28 * unit)]
  const [x, y] = [width / 2, height / 2]
  const diamond = `<path d="M${x} 0L${x + y} ${y}L${x} ${height}L${x - y} ${y}Z" fill="${colour}"/>`
  const lines = `<path d="M0 ${y}H${x - 2 * y}M${x + 2 * y} ${y}H${width}" stroke="${colour}" stroke-width="${3 * unit}"/>`
  const src = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${diamond}${lines}</svg>`
  return { type: 'image', src, style: { width, height, flexShrink: 0 } }
}
