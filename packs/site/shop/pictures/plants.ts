import { type Dice, darken, leaf, lighten, n, place, rotate } from './paint.ts'
import type { Picture } from './picture.ts'

type Plant = Extract<Picture, { kind: 'plant' }>

export function drawPlant({ leaf: kind, pot, tint: _tint }: Plant, dice: Dice): string {
  return LEAVES[kind](dice) + (kind === 'succulent' ? bowl(pot) : drawPot(pot))
}

function drawPot(colour: string): string {
  return `<path d="M204 500H396L374 640Q300 652 226 640Z" fill="${colour}"/><path d="M300 500H396L374 640Q340 648 300 648Z" fill="${darken(colour, 0.1)}"/><path d="M192 470H408V512H192Z" fill="${lighten(colour, 0.1)}"/><path d="M300 470H408V512H300Z" fill="${colour}"/><path d="M222 530 234 620" stroke="${lighten(colour, 0.35)}" stroke-width="6" stroke-linecap="round" stroke-opacity=".6"/>`
}

function bowl(colour: string): string {
  return `<path d="M128 500H472C466 590 402 640 300 640S134 590 128 500Z" fill="${colour}"/><path d="M300 500H472C466 590 402 640 300 640Z" fill="${darken(colour, 0.1)}"/><path d="M118 484H482V510H118Z" fill="${lighten(colour, 0.14)}"/>`
}

function broad(dice: Dice): string {
  const stems = [-56, -33, -13, 10, 31, 54]
  return stems
    .map((turn, index) => {
      const length = 176 + (index % 2) * 92 + dice() * 20
      const green = ['#3f6a4c', '#4d7a57', '#356046'][index % 3] ?? '#3f6a4c'
      return place(
        300,
        490,
        turn,
        `<path d="M0 0V${n(-length)}" stroke="#6f8a5e" stroke-width="6"/><g transform="translate(0 ${n(-length + 40)})">${splitLeaf(green)}</g>`,
      )
    })
    .join('')
}

function splitLeaf(green: string): string {
  const cuts = [-1, 1]
    .flatMap((side) =>
      [38, 66, 94].map(
        (y) =>
          `<path d="M${side * 84} ${-y - 10}Q${side * 44} ${-y} ${side * 24} ${-y + 12}Q${side * 50} ${-y + 12} ${side * 84} ${-y + 8}Z" fill="#dfe7da"/>`,
      ),
    )
    .join('')
  return `<path d="M0 20C-40 30-84-10-76-66C-68-116-30-142 0-160C30-142 68-116 76-66C84-10 40 30 0 20Z" fill="${green}"/><g opacity=".85">${cuts}</g><path d="M0 20V-148" stroke="${lighten(green, 0.25)}" stroke-width="3"/>`
}

function fern(dice: Dice): string {
  const fronds = [-84, -66, -48, -30, -13, 4, 20, 37, 54, 70, 86]
  return fronds
    .map((turn, index) => {
      const green = index % 2 === 0 ? '#5c8a54' : '#6f9b5f'
      const length = 230 + dice() * 60 - Math.abs(turn) * 0.5
      const blades = Array.from({ length: 15 }, (_, step) => {
        const y = -30 - (step * (length - 40)) / 15
        const size = 44 * Math.sin(((step + 2) / 17) * Math.PI) + 8
        return [-1, 1].map((side) => place(0, y, side * 66, leaf(size, 13, green))).join('')
      }).join('')
      return place(
        300,
        486,
        turn,
        `<path d="M0 0V${n(-length)}" stroke="#3f6a3f" stroke-width="3"/>${blades}`,
      )
    })
    .join('')
}

function olive(dice: Dice): string {
  const trunk =
    '<path d="M292 490C286 420 306 380 294 300" stroke="#7b6651" stroke-width="17" fill="none"/><path d="M297 390C320 350 350 340 372 300M295 350C270 320 250 310 236 276" stroke="#7b6651" stroke-width="9" fill="none"/>'
  const leaves = Array.from({ length: 96 }, (_, index) => {
    const angle = index * 2.4
    const radius = 16 * Math.sqrt(index + 1)
    const green = ['#7d9478', '#94a98d', '#66805f', '#a9b9a2'][index % 4] ?? '#7d9478'
    return place(
      298 + Math.cos(angle) * radius,
      232 + Math.sin(angle) * radius * 0.86,
      dice() * 360,
      leaf(46, 13, green),
    )
  }).join('')
  const olives = Array.from({ length: 9 }, (_, index) => {
    const angle = index * 0.9
    return `<ellipse cx="${n(298 + Math.cos(angle) * (50 + index * 10))}" cy="${n(240 + Math.sin(angle) * (44 + index * 8))}" rx="8" ry="11" fill="#4a3f52"/>`
  }).join('')
  return trunk + leaves + olives
}

function orchid(dice: Dice): string {
  const base = [-74, -48, 50, 76]
    .map((turn) => place(300, 486, turn, leaf(190, 66, '#4d7a57')))
    .join('')
  const stems = [
    {
      d: 'M296 484C270 380 250 260 330 150',
      points: [
        [262, 330],
        [262, 278],
        [276, 228],
        [302, 184],
        [334, 150],
      ],
    },
    {
      d: 'M304 484C330 400 352 320 420 250',
      points: [
        [338, 366],
        [358, 326],
        [384, 288],
        [416, 254],
      ],
    },
  ] as const
  const flowers = stems.map(({ d, points }, stem) => {
    const blooms = points.map(([x, y], index) =>
      place(x, y, (dice() - 0.5) * 30, orchidFlower(46 - index * 4, stem)),
    )
    return `<path d="${d}" stroke="#6b8a58" stroke-width="5" fill="none"/>${blooms.join('')}`
  })
  return base + flowers.join('')
}

function orchidFlower(size: number, stem: number): string {
  const colour = stem === 0 ? '#fbf6f1' : '#f4e4ea'
  const oval = (turn: number, length: number, width: number, tone: string) =>
    rotate(
      turn,
      `<ellipse cy="${n(-length / 2)}" rx="${n(width / 2)}" ry="${n(length / 2)}" fill="${tone}"/>`,
    )
  const back = [0, 128, 232]
    .map((turn) => oval(turn, size, size * 0.5, darken(colour, 0.06)))
    .join('')
  const wings = [78, 282].map((turn) => oval(turn, size * 0.95, size * 0.86, colour)).join('')
  return `${back}${wings}<circle r="${n(size * 0.15)}" fill="#b2456b"/>${oval(180, size * 0.36, size * 0.22, '#c9688a')}`
}

function succulent(dice: Dice): string {
  const rosette = (x: number, y: number, size: number, colour: string) => {
    const rings = [1, 0.78, 0.56, 0.34].map((share, level) =>
      Array.from({ length: 8 }, (_, index) =>
        rotate(
          index * 45 + level * 22,
          leaf(size * share, size * share * 0.52, lighten(colour, level * 0.13)),
        ),
      ).join(''),
    )
    return place(x, y, dice() * 40, rings.join(''))
  }
  return [
    rosette(208, 446, 84, '#7d9c84'),
    rosette(392, 450, 80, '#9bb0a0'),
    rosette(262, 486, 60, '#c08f8a'),
    rosette(346, 492, 62, '#8aa77c'),
    rosette(300, 424, 96, '#6e8f7d'),
  ].join('')
}

function herb(dice: Dice): string {
  return Array.from({ length: 19 }, (_, index) => {
    const turn = -46 + index * 5.1 + (dice() - 0.5) * 6
    const length = 170 + dice() * 110
    const green = ['#5f7f5d', '#7f9a74', '#8fa68f'][index % 3] ?? '#5f7f5d'
    const blades = Array.from({ length: 13 }, (_, step) =>
      [-1, 1]
        .map((side) =>
          place(
            0,
            -24 - (step * (length - 20)) / 13,
            side * 46,
            leaf(index % 3 === 1 ? 30 : 24, index % 3 === 1 ? 14 : 6, green),
          ),
        )
        .join(''),
    ).join('')
    return place(
      222 + index * 8.6,
      486,
      turn * 0.6,
      `<path d="M0 0V${n(-length)}" stroke="#6b6a4e" stroke-width="2.6"/>${blades}`,
    )
  }).join('')
}

const LEAVES: Readonly<Record<Plant['leaf'], (dice: Dice) => string>> = {
  broad,
  fern,
  olive,
  orchid,
  succulent,
  herb,
}
