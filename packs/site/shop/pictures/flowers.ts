import { type Dice, darken, leaf, lighten, n, petal, rotate } from './paint.ts'
import type { Flower } from './picture.ts'

type Head = { readonly colour: string; readonly size: number; readonly dice: Dice }

/** A flower seen from above or from the side, around the origin; it points upwards. */
export function drawFlower(flower: Flower, head: Head): string {
  return FLOWERS[flower](head)
}

function ring(count: number, start: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) =>
    rotate(start + (index * 360) / count, draw(index)),
  ).join('')
}

function rose({ colour, size, dice }: Head): string {
  const turn = dice() * 72
  const rings = [
    { count: 5, length: 1, width: 1.16, tone: darken(colour, 0.2) },
    { count: 5, length: 0.86, width: 1.02, tone: darken(colour, 0.08) },
    { count: 5, length: 0.7, width: 0.86, tone: colour },
    { count: 4, length: 0.54, width: 0.7, tone: lighten(colour, 0.1) },
    { count: 3, length: 0.37, width: 0.54, tone: lighten(colour, 0.2) },
  ]
  const petals = rings.map(({ count, length, width, tone }, level) =>
    ring(count, turn + level * 37, () =>
      petal(
        size * length,
        size * width,
        tone,
        ` stroke="${darken(tone, 0.22)}" stroke-width="1" stroke-opacity=".55"`,
      ),
    ),
  )
  const r = size * 0.2
  const heart = `<circle r="${n(r)}" fill="${darken(colour, 0.25)}"/><path d="M${n(-r * 0.7)} ${n(r * 0.1)}C${n(-r * 0.6)} ${n(-r * 0.9)} ${n(r * 0.8)} ${n(-r * 0.8)} ${n(r * 0.7)} ${n(r * 0.2)}S${n(-r * 0.4)} ${n(r * 0.7)} ${n(-r * 0.3)} 0S${n(r * 0.35)} ${n(-r * 0.3)} ${n(r * 0.3)} ${n(r * 0.2)}" fill="none" stroke="${lighten(colour, 0.3)}" stroke-width="${n(size * 0.045)}" stroke-linecap="round"/>`
  return petals.join('') + heart
}

function peony({ colour, size, dice }: Head): string {
  const turn = dice() * 60
  const rings = [
    { count: 9, length: 1, width: 0.78, tone: darken(colour, 0.12) },
    { count: 8, length: 0.84, width: 0.66, tone: colour },
    { count: 7, length: 0.66, width: 0.54, tone: lighten(colour, 0.18) },
    { count: 6, length: 0.46, width: 0.4, tone: lighten(colour, 0.34) },
    { count: 5, length: 0.28, width: 0.26, tone: lighten(colour, 0.5) },
  ]
  return rings
    .map(({ count, length, width, tone }, level) =>
      ring(count, turn + level * 23, () =>
        petal(
          size * length * (0.92 + dice() * 0.14),
          size * width,
          tone,
          ` stroke="${darken(tone, 0.16)}" stroke-width=".9" stroke-opacity=".5"`,
        ),
      ),
    )
    .join('')
}

function tulip({ colour, size }: Head): string {
  const l = size * 1.35
  const side = petal(l, size * 0.95, darken(colour, 0.14))
  return `<g transform="translate(0 ${n(size * 0.6)})">${rotate(-17, side)}${rotate(17, side)}${petal(l * 0.98, size * 0.9, colour)}<path d="M0 ${n(-l * 0.2)}V${n(-l * 0.86)}" stroke="${lighten(colour, 0.25)}" stroke-width="1.6" stroke-opacity=".7"/></g>`
}

function daisy({ colour, size, dice }: Head): string {
  const tone = darken(colour, 0.1)
  const back = ring(11, dice() * 30, () => petal(size * 0.96, size * 0.3, tone))
  const front = ring(11, dice() * 30, () => petal(size * 0.86, size * 0.28, colour))
  return `${back}${front}<circle r="${n(size * 0.26)}" fill="#d9962b"/><circle r="${n(size * 0.15)}" cx="${n(-size * 0.03)}" cy="${n(-size * 0.04)}" fill="#edb64d"/>`
}

function sunflower({ colour, size, dice }: Head): string {
  const back = ring(17, dice() * 20, () => leafPetal(size, size * 0.26, darken(colour, 0.16)))
  const front = ring(17, 10 + dice() * 20, () => leafPetal(size * 0.9, size * 0.24, colour))
  const seeds = Array.from({ length: 34 }, (_, index) => {
    const angle = index * 2.4
    const radius = size * 0.058 * Math.sqrt(index)
    return `<circle cx="${n(Math.cos(angle) * radius)}" cy="${n(Math.sin(angle) * radius)}" r="${n(size * 0.028)}" fill="#86572c"/>`
  }).join('')
  return `${back}${front}<circle r="${n(size * 0.42)}" fill="#4b2d1a"/>${seeds}`
}

function leafPetal(length: number, width: number, fill: string): string {
  const w = width / 2
  return `<path d="M0 0C${n(-w * 1.6)} ${n(-length * 0.5)} ${n(-w)} ${n(-length * 0.8)} 0 ${n(-length)}C${n(w)} ${n(-length * 0.8)} ${n(w * 1.6)} ${n(-length * 0.5)} 0 0Z" fill="${fill}"/>`
}

function lavender({ colour, size, dice }: Head): string {
  const length = size * 2.2
  const buds = Array.from({ length: 9 }, (_, level) => {
    const y = -length * 0.35 - level * length * 0.075
    const width = size * (0.3 - level * 0.022)
    const tone = level % 2 === 0 ? colour : lighten(colour, 0.16 + dice() * 0.1)
    return [-1, 1]
      .map(
        (side) =>
          `<ellipse cx="${n(side * width * 0.62)}" cy="${n(y)}" rx="${n(width * 0.62)}" ry="${n(size * 0.13)}" fill="${tone}" transform="rotate(${n(side * -28)} ${n(side * width * 0.62)} ${n(y)})"/>`,
      )
      .join('')
  }).join('')
  return `<path d="M0 ${n(size * 0.7)}V${n(-length * 0.95)}" stroke="#7d8c68" stroke-width="2.4"/>${buds}<ellipse cy="${n(-length)}" rx="${n(size * 0.09)}" ry="${n(size * 0.15)}" fill="${colour}"/>`
}

function eucalyptus({ colour, size, dice }: Head): string {
  const length = size * 2.3
  const leaves = Array.from({ length: 6 }, (_, level) => {
    const y = -level * length * 0.16
    const r = size * (0.46 - level * 0.04)
    return [-1, 1]
      .map((side) => {
        const tone = dice() > 0.5 ? colour : lighten(colour, 0.14)
        return `<g transform="translate(0 ${n(y)}) rotate(${n(side * (58 + dice() * 14))})">${leaf(r * 1.7, r * 1.5, tone)}</g>`
      })
      .join('')
  }).join('')
  return `<path d="M0 ${n(size * 0.8)}V${n(-length * 0.9)}" stroke="${darken(colour, 0.25)}" stroke-width="3"/>${leaves}<g transform="translate(0 ${n(-length * 0.86)})">${leaf(size * 0.55, size * 0.42, lighten(colour, 0.1))}</g>`
}

function berry({ colour, size, dice }: Head): string {
  const twigs = Array.from({ length: 6 }, (_, index) => {
    const x = (dice() - 0.5) * size * 1.3
    const y = -size * (0.3 + index * 0.28)
    const r = size * (0.17 + dice() * 0.05)
    return `<path d="M0 ${n(y + size * 0.5)}Q${n(x * 0.3)} ${n(y + size * 0.1)} ${n(x)} ${n(y)}" stroke="#6b5544" stroke-width="2.2" fill="none"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${colour}"/><circle cx="${n(x - r * 0.3)}" cy="${n(y - r * 0.3)}" r="${n(r * 0.3)}" fill="${lighten(colour, 0.45)}"/>`
  }).join('')
  return `<path d="M0 ${n(size * 0.9)}V${n(-size * 1.5)}" stroke="#6b5544" stroke-width="2.6"/>${twigs}`
}

function grass({ colour, size, dice }: Head): string {
  return Array.from({ length: 5 }, (_, index) => {
    const bend = (index - 2) * size * 0.36 + (dice() - 0.5) * size * 0.2
    const top = -size * (1.9 + dice() * 0.6)
    const ear = `<ellipse cx="${n(bend)}" cy="${n(top)}" rx="${n(size * 0.08)}" ry="${n(size * 0.3)}" fill="${lighten(colour, dice() * 0.25)}" transform="rotate(${n(bend * 0.3)} ${n(bend)} ${n(top)})"/>`
    return `<path d="M0 ${n(size * 0.7)}Q${n(bend * 0.1)} ${n(top * 0.5)} ${n(bend)} ${n(top)}" stroke="${darken(colour, 0.12)}" stroke-width="1.8" fill="none"/>${ear}`
  }).join('')
}

const FLOWERS: Readonly<Record<Flower, (head: Head) => string>> = {
  rose,
  peony,
  tulip,
  daisy,
  sunflower,
  lavender,
  eucalyptus,
  berry,
  grass,
}

/** Flowers whose heads hide what is behind them; the others stand out at the edge. */
export function isHead(flower: Flower): boolean {
  return !['lavender', 'eucalyptus', 'berry', 'grass'].includes(flower)
}
