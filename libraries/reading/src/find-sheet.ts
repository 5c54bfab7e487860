import { type GreyImage, otsuSplit } from './grey-image.ts'

export type Point = { readonly x: number; readonly y: number }
/** The corners of a sheet of paper in a picture, from the top left clockwise. */
export type Quad = readonly [Point, Point, Point, Point]

// Of the pixels of the picture. A smaller sheet is an object beside it, a larger one fills it.
const SHEET_SHARE = { atLeast: 0.15, atMost: 0.97 }
// A sheet fills its corners; a hand or a lamp does not.
const LEAST_FILLED = 0.88
// The difference of brightness between the paper and the table.
const LEAST_CONTRAST = 22
// In degrees; a scan that is straight is left as it is.
const LEAST_TILT = 1

/** Finds a sheet that was photographed at an angle, on a table that reaches the picture's edges. */
export function findSheet(image: GreyImage): Quad | undefined {
  const inside = fillSheet(image)
  const { width, height } = image
  const area = inside.reduce((sum, one) => sum + one, 0)
  if (area < SHEET_SHARE.atLeast * width * height) return undefined
  const quad = cornersOf(inside, width)
  const covered = areaOf(quad)
  const isSheet =
    covered <= SHEET_SHARE.atMost * width * height &&
    area / covered >= LEAST_FILLED &&
    area / covered <= 1.1
  return isSheet && tiltOf(quad) >= LEAST_TILT ? quad : undefined
}

/** Marks the largest area that is not connected to the edges through the colour of the table. */
function fillSheet({ pixels, width, height }: GreyImage): Uint8Array {
  const frame: number[] = []
  const edges: number[] = []
  for (let index = 0; index < pixels.length; index++) {
    const [x, y] = [index % width, Math.floor(index / width)]
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) continue
    edges.push(index)
    frame.push(pixels[index] ?? 0)
  }
  const table = frame.sort((one, other) => one - other)[Math.floor(frame.length / 2)] ?? 0
  const counts = new Uint32Array(256)
  for (let index = 0; index < pixels.length; index++) {
    const difference = Math.abs((pixels[index] ?? 0) - table)
    counts[difference] = (counts[difference] ?? 0) + 1
  }
  const threshold = Math.max(LEAST_CONTRAST, otsuSplit(counts).threshold)
  const isTable = (index: number): boolean => Math.abs((pixels[index] ?? 0) - table) <= threshold
  const outside = new Uint8Array(pixels.length)
  flood(edges.filter(isTable), { width, height }, (index) => {
    if (outside[index] === 1 || !isTable(index)) return false
    outside[index] = 1
    return true
  })
  return largestArea(outside, { width, height })
}

type Size = { readonly width: number; readonly height: number }

function largestArea(outside: Uint8Array, size: Size): Uint8Array {
  const seen = Uint8Array.from(outside)
  let best: readonly number[] = []
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 1) continue
    const area: number[] = []
    flood([start], size, (index) => {
      if (seen[index] === 1) return false
      seen[index] = 1
      area.push(index)
      return true
    })
    if (area.length > best.length) best = area
  }
  const inside = new Uint8Array(seen.length)
  for (const index of best) inside[index] = 1
  return inside
}

/** Visits pixels and their neighbours as long as `enter` accepts them. */
function flood(
  starts: readonly number[],
  { width, height }: Size,
  enter: (index: number) => boolean,
): void {
  const open = starts.filter(enter)
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const x = index % width
    if (x > 0 && enter(index - 1)) open.push(index - 1)
    if (x < width - 1 && enter(index + 1)) open.push(index + 1)
    if (index >= width && enter(index - width)) open.push(index - width)
    if (index < width * (height - 1) && enter(index + width)) open.push(index + width)
  }
}

// The corner at the top left has the smallest x + y, the one at the top right the largest x - y.
function cornersOf(inside: Uint8Array, width: number): Quad {
  const corners: [Point, Point, Point, Point] = [ORIGIN, ORIGIN, ORIGIN, ORIGIN]
  const best = [-Infinity, -Infinity, -Infinity, -Infinity]
  for (let index = 0; index < inside.length; index++) {
    if (inside[index] !== 1) continue
    const [x, y] = [index % width, Math.floor(index / width)]
    for (let corner = 0; corner < 4; corner++) {
      const reach = (corner === 1 || corner === 2 ? x : -x) + (corner >= 2 ? y : -y)
      if (reach <= (best[corner] ?? 0)) continue
      best[corner] = reach
      corners[corner] = { x, y }
    }
  }
  return corners
}

const ORIGIN: Point = { x: 0, y: 0 }

function areaOf(quad: Quad): number {
  const sum = quad.reduce((total, { x, y }, index) => {
    const next = quad[(index + 1) % 4] ?? ORIGIN
    return total + x * next.y - next.x * y
  }, 0)
  return Math.abs(sum) / 2
}

/** By how many degrees the most tilted edge is not level or upright. */
function tiltOf([a, b, c, d]: Quad): number {
  const level = [
    [a, b],
    [d, c],
  ] as const
  const upright = [
    [a, d],
    [b, c],
  ] as const
  const tilts = [
    ...level.map(([from, to]) => Math.atan2(to.y - from.y, to.x - from.x)),
    ...upright.map(([from, to]) => Math.atan2(to.x - from.x, to.y - from.y)),
  ]
  return (Math.max(...tilts.map(Math.abs)) * 180) / Math.PI
}

/** The part of a picture within the corners, as if it had been photographed from above. */
export function unwarp(image: GreyImage, [a, b, c, d]: Quad): GreyImage {
  const width = Math.round(Math.max(distance(a, b), distance(d, c)))
  const height = Math.round(Math.max(distance(a, d), distance(b, c)))
  // The projective map of the unit square to the four corners.
  const [sumX, sumY] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y]
  const [x1, x2, y1, y2] = [b.x - c.x, d.x - c.x, b.y - c.y, d.y - c.y]
  const divisor = x1 * y2 - x2 * y1
  const [g, h] = [(sumX * y2 - x2 * sumY) / divisor, (x1 * sumY - sumX * y1) / divisor]
  const [ax, bx, ay, by] = [
    b.x - a.x + g * b.x,
    d.x - a.x + h * d.x,
    b.y - a.y + g * b.y,
    d.y - a.y + h * d.y,
  ]
  const pixels = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [u, v] = [column / width, row / height]
      const depth = g * u + h * v + 1
      pixels[row * width + column] = sample(
        image,
        (ax * u + bx * v + a.x) / depth,
        (ay * u + by * v + a.y) / depth,
      )
    }
  }
  return { pixels, width, height }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** The brightness between four pixels. */
function sample({ pixels, width, height }: GreyImage, x: number, y: number): number {
  const left = Math.min(width - 2, Math.max(0, Math.floor(x)))
  const top = Math.min(height - 2, Math.max(0, Math.floor(y)))
  const [right, down] = [Math.min(1, Math.max(0, x - left)), Math.min(1, Math.max(0, y - top))]
  const at = top * width + left
  const above = (pixels[at] ?? 0) * (1 - right) + (pixels[at + 1] ?? 0) * right
  const below = (pixels[at + width] ?? 0) * (1 - right) + (pixels[at + width + 1] ?? 0) * right
  return Math.round(above * (1 - down) + below * down)
}
