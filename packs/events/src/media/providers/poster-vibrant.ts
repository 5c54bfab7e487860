import type { Node } from 'takumi-js'
import type { Canvas, Size } from './canvas.ts'
import type { PosterContent } from './poster-content.ts'
import { column, drawing, scaleUnit, sheet } from './poster-parts.ts'
import { fitPosterText, textGap } from './poster-text.ts'

const PALETTES = [
  {
    background: ['#ff2e7e', '#ff6a3d'],
    shapes: ['#ffd60a', '#3a0ca3', '#00e0c6', '#ffffff'],
    lead: '#ffd60a',
    panel: '#2b0a57',
  },
  {
    background: ['#6a11cb', '#d61f8f'],
    shapes: ['#ffe14d', '#18d8ff', '#ff5d5d', '#ffffff'],
    lead: '#ffe14d',
    panel: '#2a0a4f',
  },
  {
    background: ['#0066ff', '#00b894'],
    shapes: ['#ff4f9a', '#ffe45e', '#10206b', '#ffffff'],
    lead: '#ffe45e',
    panel: '#071a52',
  },
] as const

/** Saturated colours: geometric shapes, and the text on a dark wave below them. */
export async function vibrantPoster(
  canvas: Canvas,
  content: PosterContent,
  size: Size,
): Promise<Node> {
  const unit = scaleUnit(size)
  const palette = PALETTES[Math.floor(content.random() * PALETTES.length)] ?? PALETTES[0]
  const pad = Math.round(84 * unit)
  const isTall = size.height > size.width * 1.2
  const waveTop = isTall ? size.height * 0.42 : size.height * 0.12
  const room = { width: size.width - 2 * pad, height: size.height - waveTop - 70 * unit - pad }
  const align = content.direction === 'rtl' ? 'right' : 'left'
  const text = await fitPosterText(canvas, content, {
    room,
    unit,
    look: {
      title: {
        color: '#ffffff',
        fontWeight: 900,
        lineHeight: 1.06,
        letterSpacing: -1 * unit,
        textAlign: align,
      },
      lead: { color: palette.lead, fontWeight: 800, lineHeight: 1.25, textAlign: align },
      body: {
        color: '#ffffff',
        fontWeight: 500,
        lineHeight: 1.42,
        textAlign: align,
        whiteSpace: 'pre-line',
      },
    },
  })
  const used =
    text.title.height + (text.lead?.height ?? 0) + (text.body?.height ?? 0) + 3 * textGap(unit)
  // With little text the wave begins further down.
  const top = Math.max(waveTop, size.height - pad - used - 70 * unit)
  const gradient = `linear-gradient(150deg, ${palette.background[0]}, ${palette.background[1]})`
  return sheet(size, { backgroundImage: gradient }, [
    drawing(size, shapes({ width: size.width, height: top }, palette.shapes, content.random)),
    drawing(size, wave(size, top, palette.panel, palette.shapes[0])),
    column(
      {
        left: pad,
        bottom: pad,
        width: room.width,
        gap: textGap(unit),
        alignItems: align === 'right' ? 'flex-end' : 'flex-start',
      },
      [text.title.node, text.lead?.node, text.body?.node],
    ),
  ])
}

// One shape per cell of a grid, so that they neither cluster nor leave gaps.
function shapes({ width, height }: Size, colours: readonly string[], random: () => number): string {
  const cell = Math.max(Math.min(width, height) / 3.4, 1)
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell) + 1]
  return Array.from({ length: columns * rows }, (_, index) => {
    const x = ((index % columns) + 0.5 + (random() - 0.5) * 0.3) * cell
    const y = (Math.floor(index / columns) + 0.5 + (random() - 0.5) * 0.3) * cell
    const colour = colours[Math.floor(random() * colours.length)] ?? '#ffffff'
    return shape(
      {
        x,
        y,
        radius: cell * (0.32 + random() * 0.24),
        colour,
        turn: Math.floor(random() * 8) * 45,
      },
      random(),
    )
  }).join('')
}

type Shape = {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: string
  readonly turn: number
}

function shape({ x, y, radius, colour, turn }: Shape, kind: number): string {
  const rotation = `transform="rotate(${turn} ${x} ${y})"`
  if (kind < 0.25) return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`
  if (kind < 0.45)
    return `<circle cx="${x}" cy="${y}" r="${radius * 0.8}" fill="none" stroke="${colour}" stroke-width="${radius * 0.34}"/>`
  if (kind < 0.65)
    return `<path d="M${x - radius} ${y}A${radius} ${radius} 0 0 1 ${x + radius} ${y}Z" fill="${colour}" ${rotation}/>`
  if (kind < 0.85)
    return `<rect x="${x - radius}" y="${y - radius * 0.3}" width="${radius * 2}" height="${radius * 0.6}" rx="${radius * 0.3}" fill="${colour}" ${rotation}/>`
  return `<path d="M${x} ${y - radius}L${x + radius} ${y + radius * 0.8}H${x - radius}Z" fill="${colour}" ${rotation}/>`
}

function wave({ width, height }: Size, top: number, panel: string, edge: string): string {
  const lift = Math.min(width, height) * 0.05
  const line = (y: number): string =>
    `M0 ${y}C${width * 0.25} ${y - lift * 1.6} ${width * 0.4} ${y + lift * 1.2} ${width * 0.62} ${y}S${width * 0.9} ${y - lift} ${width} ${y - lift * 0.4}V${height}H0Z`
  return `<path d="${line(top - lift * 0.5)}" fill="${edge}"/><path d="${line(top)}" fill="${panel}"/>`
}
