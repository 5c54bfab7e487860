export type Point = { readonly x: number; readonly y: number }
/** Three bytes per pixel. */
export type Pixels = { readonly data: Uint8Array; readonly width: number; readonly height: number }
export type Ground = {
  readonly width: number
  readonly height: number
  readonly table: readonly [number, number, number]
}

/** Projects the picture onto these corners (clockwise from the top left), on a table. */
export function warp(picture: Pixels, ground: Ground, corners: readonly Point[]): Pixels {
  const { width, height, table } = ground
  const back = homography(corners, [
    { x: 0, y: 0 },
    { x: picture.width - 1, y: 0 },
    { x: picture.width - 1, y: picture.height - 1 },
    { x: 0, y: picture.height - 1 },
  ])
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const depth = back[6] * x + back[7] * y + 1
      const from = {
        x: (back[0] * x + back[1] * y + back[2]) / depth,
        y: (back[3] * x + back[4] * y + back[5]) / depth,
      }
      copyPixel(picture, from, { data, at: (y * width + x) * 3, table })
    }
  }
  return { data, width, height }
}

type Target = { readonly data: Uint8Array; readonly at: number; readonly table: Ground['table'] }

/** Copies a pixel by bilinear interpolation; outside the picture it is the table. */
function copyPixel({ data, width, height }: Pixels, { x, y }: Point, target: Target): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) {
    target.data.set(target.table, target.at)
    return
  }
  const [right, below] = [x - left, y - top]
  const upper = (top * width + left) * 3
  const lower = upper + width * 3
  for (let channel = 0; channel < 3; channel++) {
    const above =
      (data[upper + channel] ?? 0) * (1 - right) + (data[upper + channel + 3] ?? 0) * right
    const under =
      (data[lower + channel] ?? 0) * (1 - right) + (data[lower + channel + 3] ?? 0) * right
    target.data[target.at + channel] = above * (1 - below) + under * below
  }
}

type Homography = readonly [number, number, number, number, number, number, number, number]

/** The homography that maps four points to four others. */
function homography(from: readonly Point[], to: readonly Point[]): Homography {
  const rows = from.flatMap(({ x, y }, index) => {
    const { x: u, y: v } = to[index] ?? { x: 0, y: 0 }
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ]
  })
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = solve(rows)
  return [a, b, c, d, e, f, g, h]
}

/** Gauss-Jordan elimination with pivoting; a row is its coefficients and the right-hand side. */
function solve(rows: readonly (readonly number[])[]): readonly number[] {
  const work = rows.map((row) => [...row])
  for (let pivot = 0; pivot < work.length; pivot++) {
    const size = (index: number): number => Math.abs(work[index]?.[pivot] ?? 0)
    const open = work.map((_, index) => index).slice(pivot)
    const greatest = open.reduce((best, index) => (size(index) > size(best) ? index : best), pivot)
    work.splice(pivot, 0, ...work.splice(greatest, 1))
    const leading = work[pivot] ?? []
    const scale = leading[pivot] ?? 1
    const normal = leading.map((value) => value / scale)
    work[pivot] = normal
    for (const [index, row] of work.entries()) {
      const factor = row[pivot] ?? 0
      if (index !== pivot)
        work[index] = row.map((value, column) => value - factor * (normal[column] ?? 0))
    }
  }
  return work.map((row) => row.at(-1) ?? 0)
}
