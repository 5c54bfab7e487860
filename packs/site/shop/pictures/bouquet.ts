import { drawFlower, isHead } from './flowers.ts'
import { type Dice, darken, leaf, lighten, n, place } from './paint.ts'
import type { Flower, Picture } from './picture.ts'

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
