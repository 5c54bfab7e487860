import { type Dice, darken, leaf, lighten, n, petal, place, rotate } from './paint.ts'
import type { Flower, Picture } from './picture.ts'

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
function isHead(flower: Flower): boolean {
  return !['lavender', 'eucalyptus', 'berry', 'grass'].includes(flower)
}

type Bouquet = Extract<Picture, { kind: 'bouquet' }>
type Wreath = Extract<Picture, { kind: 'wreath' }>
type Stem = readonly [Flower, colour: string]

const GREENS = ['#5d7a58', '#6f8a66', '#4c6a4d', '#84996f'] as const
const GOLDEN_ANGLE = 2.399963
const CENTRE = { x: 300, y: 292 }

function greenOf(dice: Dice): string {
  return GREENS[Math.floor(dice() * GREENS.length)] ?? GREENS[0]
}

export function drawBouquet(picture: Bouquet, dice: Dice): string {
  if (picture.holder === 'stem') return singleStem(picture, dice)
  if (picture.holder === 'box') return hatBox(picture, dice)
  const heads = picture.flowers.filter(([flower]) => isHead(flower))
  const fillers = picture.flowers.filter(([flower]) => !isHead(flower))
  const top = leaves(dice, 22) + sprays(fillers, dice) + blooms(heads, picture.count, dice)
  const [back, front] = picture.holder === 'vase' ? vase(dice) : paper()
  return back + top + front
}

// Leaves all around, so that no gap shows between the heads.
function leaves(dice: Dice, count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const angle = -205 + (index * 230) / (count - 1)
    const turn = angle + 90 + (dice() - 0.5) * 18
    const reach = 120 + dice() * 46
    const rad = (angle * Math.PI) / 180
    return place(
      CENTRE.x + Math.cos(rad) * reach * 0.72,
      CENTRE.y + 14 + Math.sin(rad) * reach * 0.62,
      turn,
      leaf(86 + dice() * 42, 40 + dice() * 14, greenOf(dice)),
    )
  }).join('')
}

function sprays(fillers: readonly Stem[], dice: Dice): string {
  if (fillers.length === 0) return ''
  const count = 5 + fillers.length * 2
  return Array.from({ length: count }, (_, index) => {
    const [flower, colour] = fillers[index % fillers.length] ?? ['grass', '#9aa66a']
    const angle = -168 + (index * 156) / (count - 1) + (dice() - 0.5) * 8
    const rad = (angle * Math.PI) / 180
    return place(
      CENTRE.x + Math.cos(rad) * 124,
      CENTRE.y + Math.sin(rad) * 104,
      angle + 90,
      drawFlower(flower, { colour, size: 46 + dice() * 10, dice }),
    )
  }).join('')
}

// Heads in a spiral like the seeds of a sunflower; the outer ones first, so that inner ones overlap.
function blooms(heads: readonly Stem[], count: number, dice: Dice): string {
  if (heads.length === 0) return ''
  const spread = 154 / Math.sqrt(count)
  return Array.from({ length: count }, (_, index) => {
    const [flower, colour] = heads[index % heads.length] ?? ['rose', '#b01e33']
    const radius = spread * Math.sqrt(index + 0.35)
    const angle = index * GOLDEN_ANGLE + 0.6
    const x = CENTRE.x + Math.cos(angle) * radius * 1.08
    const y = CENTRE.y - 6 + Math.sin(angle) * radius * 0.88
    const size = (count > 9 ? 62 : 76) * (0.92 + dice() * 0.16)
    const turn = flower === 'tulip' ? (x - CENTRE.x) * 0.16 : dice() * 40 - 20
    return { radius, drawing: place(x, y, turn, drawFlower(flower, { colour, size, dice })) }
  })
    .sort((one, other) => other.radius - one.radius)
    .map(({ drawing }) => drawing)
    .join('')
}

function paper(): readonly [back: string, front: string] {
  const back =
    '<path d="M118 300 300 640 486 296 452 236 150 240Z" fill="#d9c3a3"/><path d="M150 240 118 300 300 640Z" fill="#c9b08c"/>'
  const front = `<path d="M126 372Q210 424 296 428L330 640H272Z" fill="#e7d5b9"/><path d="M474 366Q392 424 296 428L270 640H330Z" fill="#decaa9"/><path d="M126 372Q210 424 296 428" fill="none" stroke="#f3e6d1" stroke-width="3"/><path d="M474 366Q392 424 296 428" fill="none" stroke="#efe0c8" stroke-width="3"/><path d="M296 428 301 640" stroke="#c4ab86" stroke-width="1.6"/>
<path d="M243 540Q300 562 357 540L352 566Q300 586 249 566Z" fill="#7c2233"/><path d="M300 556C262 520 236 556 262 572S300 566 300 556C338 520 366 552 340 572S300 566 300 556Z" fill="#8f2b3e" stroke="#5e1826" stroke-width="1.5"/><path d="M296 566 268 632 284 626 292 640 304 570M306 566 330 634 318 626 308 642 300 570" fill="#7c2233"/>`
  return [back, front]
}

function vase(dice: Dice): readonly [back: string, front: string] {
  const stems = Array.from({ length: 7 }, (_, index) => {
    const x = 258 + index * 14
    return `<path d="M${x} 380Q${n(x + (dice() - 0.5) * 16)} 480 ${n(300 + (index - 3) * 9)} 610" stroke="${greenOf(dice)}" stroke-width="5" fill="none"/>`
  }).join('')
  const glass =
    '<path d="M236 392C240 452 206 490 206 566C206 628 240 648 300 648S394 628 394 566C394 490 360 452 364 392Z" fill="#dfeaec" fill-opacity=".62" stroke="#9fb4b8" stroke-width="2"/><path d="M212 536C262 550 338 550 388 536C398 600 378 640 300 642C222 640 202 600 212 536Z" fill="#b9d3d6" fill-opacity=".55"/><path d="M226 560C224 590 232 616 246 628" stroke="#fff" stroke-opacity=".8" stroke-width="5" stroke-linecap="round" fill="none"/><ellipse cx="300" cy="392" rx="64" ry="9" fill="none" stroke="#9fb4b8" stroke-width="2"/>'
  return [stems, glass]
}

function hatBox({ flowers, count }: Bouquet, dice: Dice): string {
  const body =
    '<path d="M120 380V566C120 616 480 616 480 566V380Z" fill="#4c6150"/><path d="M120 380V566C120 592 210 604 300 604V400Z" fill="#55705a"/><path d="M120 470C120 512 480 512 480 470V498C480 540 120 540 120 498Z" fill="#e9d8c4"/><ellipse cx="300" cy="380" rx="180" ry="66" fill="#3b4d3f"/>'
  const heads = Array.from({ length: count }, (_, index) => {
    const [flower, colour] = flowers[index % flowers.length] ?? ['rose', '#b01e33']
    const radius = 42 * Math.sqrt(index + 0.3)
    const angle = index * GOLDEN_ANGLE
    const y = 352 + Math.sin(angle) * radius * 0.42
    const x = 300 + Math.cos(angle) * radius * 0.96
    return { y, drawing: place(x, y, dice() * 60, drawFlower(flower, { colour, size: 52, dice })) }
  })
  const sorted = heads.sort((one, other) => one.y - other.y).map(({ drawing }) => drawing)
  return body + sorted.join('')
}

function singleStem({ flowers }: Bouquet, dice: Dice): string {
  const [flower, colour] = flowers[0] ?? ['rose', '#b01e33']
  const side = (x: number, y: number, turn: number) =>
    place(x, y, turn, leaf(104, 52, greenOf(dice)))
  return `<path d="M292 250C300 380 318 500 296 650" stroke="#4c6a4d" stroke-width="9" fill="none" stroke-linecap="round"/>${side(304, 404, 62)}${side(306, 470, -58)}${side(305, 540, 54)}${place(290, 286, -38, leaf(60, 26, '#5d7a58'))}${place(292, 286, 38, leaf(60, 26, '#4c6a4d'))}${place(290, 214, -8, drawFlower(flower, { colour, size: 104, dice }))}`
}

export function drawWreath({ flowers }: Wreath, dice: Dice): string {
  const at = (angle: number, radius: number) => ({
    x: 300 + Math.cos(angle) * radius,
    y: 372 + Math.sin(angle) * radius,
  })
  const vine = [176, 184, 192].map(
    (radius, index) =>
      `<ellipse cx="300" cy="372" rx="${radius}" ry="${radius - index * 4}" fill="none" stroke="${['#7a5b41', '#8e6c4f', '#6b4e37'][index]}" stroke-width="7" transform="rotate(${index * 24} 300 372)"/>`,
  )
  const green = Array.from({ length: 54 }, (_, index) => {
    const angle = (index / 54) * Math.PI * 2
    const { x, y } = at(angle, 182 + (dice() - 0.5) * 34)
    const turn = (angle * 180) / Math.PI + 90 + (dice() - 0.5) * 110
    return place(x, y, turn, leaf(54 + dice() * 26, 24 + dice() * 8, greenOf(dice)))
  })
  const heads = Array.from({ length: 22 }, (_, index) => {
    const [flower, colour] = flowers[index % flowers.length] ?? ['rose', '#b5543d']
    const angle = (index / 22) * Math.PI * 2 + 0.12
    const { x, y } = at(angle, 184 + (dice() - 0.5) * 26)
    const turn = (angle * 180) / Math.PI + (isHead(flower) ? dice() * 60 : 130 + dice() * 60)
    const size = isHead(flower) ? 36 + dice() * 10 : 30
    return place(x, y, turn, drawFlower(flower, { colour, size, dice }))
  })
  const ribbon = `<path d="M300 90V186" stroke="#7c2233" stroke-width="15"/><path d="M300 90V186" stroke="${lighten('#7c2233', 0.16)}" stroke-width="3"/><circle cx="300" cy="86" r="8" fill="${darken('#c7a76a', 0.1)}"/>`
  return ribbon + vine.join('') + green.join('') + heads.join('')
}
