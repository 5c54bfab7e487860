import type { Node } from 'takumi-js'
import type { Canvas, Size } from './canvas.ts'
import type { PosterContent } from './poster-content.ts'
import { bar, column, drawing, scaleUnit, sheet } from './poster-parts.ts'
import { fitPosterText, textGap } from './poster-text.ts'

const PALETTES = [
  { background: '#0b1020', glow: ['#5b6cff', '#00d4c8', '#ff4d8d'], accent: '#7df9e9' },
  { background: '#12091f', glow: ['#a259ff', '#ff7a59', '#3c6bff'], accent: '#ffb199' },
  { background: '#06161a', glow: ['#00b3a4', '#f2c14e', '#2a7fff'], accent: '#f7d57e' },
] as const

/** Light on a dark background: glowing discs and thin rings, large text at the bottom left. */
export async function modernPoster(
  canvas: Canvas,
  content: PosterContent,
  size: Size,
): Promise<Node> {
  const unit = scaleUnit(size)
  const palette = PALETTES[Math.floor(content.random() * PALETTES.length)] ?? PALETTES[0]
  const pad = Math.round(84 * unit)
  const isTall = size.height > size.width * 1.2
  const mark = Math.round(10 * unit)
  const room = {
    width: size.width - 2 * pad,
    height: (isTall ? size.height * 0.64 : size.height) - 2 * pad - mark - textGap(unit),
  }
  const align = content.direction === 'rtl' ? 'right' : 'left'
  const text = await fitPosterText(canvas, content, {
    room,
    unit,
    look: {
      title: {
        color: '#ffffff',
        fontWeight: 800,
        lineHeight: 1.08,
        letterSpacing: -1.5 * unit,
        textAlign: align,
      },
      lead: { color: palette.accent, fontWeight: 600, lineHeight: 1.3, textAlign: align },
      body: {
        color: '#c9d1e6',
        fontWeight: 400,
        lineHeight: 1.45,
        textAlign: align,
        whiteSpace: 'pre-line',
      },
    },
  })
  return sheet(size, { backgroundColor: palette.background }, [
    drawing(size, glows(size, palette.glow, content.random) + rings(size, content.random)),
    drawing(size, shade(size, palette.background)),
    column(
      {
        left: pad,
        bottom: pad,
        width: room.width,
        gap: textGap(unit),
        alignItems: align === 'right' ? 'flex-end' : 'flex-start',
      },
      [
        bar({
          width: 120 * unit,
          height: mark,
          backgroundColor: palette.accent,
          borderRadius: mark,
        }),
        text.title.node,
        text.lead?.node,
        text.body?.node,
      ],
    ),
  ])
}

// A soft light for each colour, and one disc with a gradient from the first to the last.
function glows({ width, height }: Size, colours: readonly string[], random: () => number): string {
  const lights = colours.map((colour, index) => {
    const radius = Math.max(width, height) * (0.26 + random() * 0.1)
    const [x, y] = [
      width * ((index + 0.3 + random() * 0.4) / colours.length),
      height * (0.04 + random() * 0.34),
    ]
    return `<radialGradient id="g${index}"><stop offset="0" stop-color="${colour}" stop-opacity=".9"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#g${index})"/>`
  })
  const radius = Math.min(width, height) * (0.27 + random() * 0.06)
  const [x, y] = [width * (0.3 + random() * 0.4), height * (0.2 + random() * 0.06)]
  const disc = `<linearGradient id="d" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${colours[0]}"/><stop offset="1" stop-color="${colours.at(-1)}"/></linearGradient><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#d)"/>`
  return lights.join('') + disc
}

function rings({ width, height }: Size, random: () => number): string {
  const [x, y] = [width * (0.55 + random() * 0.4), height * (0.12 + random() * 0.14)]
  const step = Math.min(width, height) * 0.075
  return Array.from(
    { length: 7 },
    (_, index) =>
      `<circle cx="${x}" cy="${y}" r="${step * (index + 1)}" fill="none" stroke="#fff" stroke-opacity="${0.34 - index * 0.04}" stroke-width="${step / 26}"/>`,
  ).join('')
}

// Darkens the area behind the text.
function shade({ width, height }: Size, background: string): string {
  return `<linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset=".18" stop-color="${background}" stop-opacity="0"/><stop offset=".55" stop-color="${background}" stop-opacity=".85"/><stop offset="1" stop-color="${background}"/></linearGradient><rect width="${width}" height="${height}" fill="url(#s)"/>`
}
