import { describe, expect, test } from 'vitest'
import { findSheet, type Point, type Quad, unwarp } from './find-sheet.ts'
import type { GreyImage } from './grey-image.ts'

const TILTED: Quad = [
  { x: 60, y: 30 },
  { x: 240, y: 50 },
  { x: 220, y: 260 },
  { x: 40, y: 240 },
]
const STRAIGHT: Quad = [
  { x: 50, y: 40 },
  { x: 250, y: 40 },
  { x: 250, y: 260 },
  { x: 50, y: 260 },
]

/** A sheet on a table of 300 by 300 pixels, with a black mark at its lower right corner. */
function drawSheet(quad: Quad, { paper, table }: { paper: number; table: number }): GreyImage {
  const [width, height] = [300, 300]
  const pixels = new Uint8Array(width * height)
  const [, , corner] = quad
  for (let index = 0; index < pixels.length; index++) {
    const point = { x: index % width, y: Math.floor(index / width) }
    const isMark = Math.hypot(point.x - corner.x + 30, point.y - corner.y + 30) < 12
    pixels[index] = !isInside(point, quad) ? table : isMark ? 255 - paper : paper
  }
  return { pixels, width, height }
}

function isInside({ x, y }: Point, quad: Quad): boolean {
  return quad.every((from, index) => {
    const to = quad[(index + 1) % 4] ?? from
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= 0
  })
}

describe.each([
  ['a light sheet', { paper: 235, table: 110 }],
  ['a dark sheet', { paper: 20, table: 120 }],
])('%s on a table', (_name, colours) => {
  test('is found by its corners', () => {
    const found = findSheet(drawSheet(TILTED, colours))
    expect(found).toHaveLength(4)
    for (const [index, corner] of TILTED.entries()) {
      expect(Math.abs((found?.[index]?.x ?? 0) - corner.x)).toBeLessThanOrEqual(2)
      expect(Math.abs((found?.[index]?.y ?? 0) - corner.y)).toBeLessThanOrEqual(2)
    }
  })

  test('is seen from above afterwards: no table, and the mark at the lower right', () => {
    const flat = unwarp(drawSheet(TILTED, colours), TILTED)
    const at = (across: number, down: number) =>
      flat.pixels[
        Math.round(down * (flat.height - 1)) * flat.width + Math.round(across * (flat.width - 1))
      ]
    expect([at(0.05, 0.05), at(0.95, 0.05), at(0.05, 0.95), at(0.5, 0.5)]).toEqual(
      Array(4).fill(colours.paper),
    )
    expect(at(1 - 30 / 181, 1 - 30 / 211)).toBe(255 - colours.paper)
  })
})

test.each([
  ['a straight scan', drawSheet(STRAIGHT, { paper: 240, table: 90 })],
  ['a page without a table', drawSheet(TILTED, { paper: 240, table: 240 })],
  ['a paper that hardly differs from its table', drawSheet(TILTED, { paper: 130, table: 120 })],
])('%s is left as it is', (_name, image) => {
  expect(findSheet(image)).toBeUndefined()
})
