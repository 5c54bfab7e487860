import type { Node } from 'takumi-js'
import type { Canvas, Size } from './canvas.ts'
import type { PosterContent } from './poster-content.ts'
import { bar, column, drawing, sheet, unitOf } from './poster-parts.ts'
import { fitPosterText, gapOf } from './poster-text.ts'

const PALETTES = [
  { ground: '#0b1020', glow: ['#5b6cff', '#00d4c8', '#ff4d8d'], accent: '#7df9e9' },
  { ground: '#12091f', glow: ['#a259ff', '#ff7a59', '#3c6bff'], accent: '#ffb199' },
  { ground: '#06161a', glow: ['#00b3a4', '#f2c14e', '#2a7fff'], accent: '#f7d57e' },
] as const

/** Light on a dark ground: glowing discs and thin rings, the text large at the bottom left. */
export async function modernPoster(
  canvas: Canvas,
  content: PosterContent,
  size: Size,
): Promise<Node> {
  const unit = unitOf(size)
  const palette = PALETTES[Math.floor(content.chance() * PALETTES.length)] ?? PALETTES[0]
  const pad = Math.round(84 * unit)
  const isTall = size.height > size.width * 1.2
  const mark = Math.round(10 * unit)
  const room = {
    width: size.width - 2 * pad,
    height: (isTall ? size.height * 0.64 : size.height) - 2 * pad - mark - gapOf(unit),
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
  return sheet(size, { backgroundColor: palette.ground }, [
    drawing(size, glows(size, palette.glow, content.chance) + rings(size, content.chance)),
    drawing(size, shade(size, palette.ground)),
    column(
      {
        left: pad,
        bottom: pad,
        width: room.width,
        gap: gapOf(unit),
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

// a soft light for each colour, and one clear disc that fades from the first to the last
function glows({ width, height }: Size, colours: readonly string[], chance: () => number): string {
  const lights = colours.map((colour, index) => {
    const radius = Math.max(width, height) * (0.26 + chance() * 0.1)
    const [x, y] = [
      width * ((index + 0.3 + chance() * 0.4) / colours.length),
      height * (0.04 + chance() * 0.34),
    ]
    return `<radialGradient id="g${index}"><stop offset="0" stop-color="${colour}" stop-opacity=".9"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#g${index})"/>`
  })
  const radius = Math.min(width, height) * (0.27 + chance() * 0.06)
  const [x, y] = [width * (0.3 + chance() * 0.4), height * (0.2 + chance() * 0.06)]
  const disc = `<linearGradient id="d" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${colours[0]}"/><stop offset="1" stop-color="${colours.at(-1)}"/></linearGradient><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#d)"/>`
  return lights.join('') + disc
}

function rings({ width, height }: Size, chance: () => number): string {
  const [x, y] = [width * (0.55 + chance() * 0.4), height * (0.12 + chance() * 0.14)]
  const step = Math.min(width, height) * 0.075
  return Array.from(
    { length: 7 },
    (_, index) =>
      `<circle cx="${x}" cy="${y}" r="${step * (index + 1)}" fill="none" stroke="#fff" stroke-opacity="${0.34 - index * 0.04}" stroke-width="${step / 26}"/>`,
  ).join('')
}

// the text stands on dark whatever glows behind it
function shade({ width, height }: Size, ground: string): string {
  return `<linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset=".18" stop-color="${ground}" stop-opacity="0"/><stop offset=".55" stop-color="${ground}" stop-opacity=".85"/><stop offset="1" stop-color="${ground}"/></linearGradient><rect width="${width}" height="${height}" fill="url(#s)"/>`
}
