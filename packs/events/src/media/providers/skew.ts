import type { GreyImage } from './grey-image.ts'

const WIDEST_DEGREES = 15

type Ink = { readonly x: Float32Array; readonly y: Float32Array; readonly rows: number }

/** By how many degrees the lines of a text run downhill; 0 where there is no telling. */
export function skewOf(image: GreyImage, threshold: number): number {
  const ink = inkOf(image, threshold)
  if (ink.x.length < 200) return 0
  const coarse = sharpest(ink, { from: -WIDEST_DEGREES, to: WIDEST_DEGREES, step: 0.5 })
  const fine = sharpest(ink, { from: coarse.degrees - 0.5, to: coarse.degrees + 0.5, step: 0.1 })
  // a picture without lines is about as sharp at any angle: then it is left as it is
  return fine.sharpness > sharpnessAt(ink, 0) * 1.1 ? fine.degrees : 0
}

function sharpest(
  ink: Ink,
  { from, to, step }: { readonly from: number; readonly to: number; readonly step: number },
): { readonly degrees: number; readonly sharpness: number } {
  let best = { degrees: 0, sharpness: -1 }
  for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
    const sharpness = sharpnessAt(ink, degrees)
    if (sharpness > best.sharpness) best = { degrees, sharpness }
  }
  return best
}

// seen along its lines a text is rows of much ink and rows of none
function sharpnessAt({ x, y, rows }: Ink, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const counts = new Float64Array(rows * 3)
  for (let index = 0; index < x.length; index++) {
    const row = Math.round((y[index] ?? 0) - (x[index] ?? 0) * slope) + rows
    if (row >= 0 && row < counts.length) counts[row] = (counts[row] ?? 0) + 1
  }
  let sharpness = 0
  for (let row = 1; row < counts.length; row++)
    sharpness += ((counts[row] ?? 0) - (counts[row - 1] ?? 0)) ** 2
  return sharpness
}

// only edges of ink, top to bottom: a filled area says nothing about lines
function inkOf({ pixels, width, height }: GreyImage, threshold: number): Ink {
  const x: number[] = []
  const y: number[] = []
  for (let row = 1; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const isInk = (pixels[row * width + column] ?? 255) <= threshold
      const isInkAbove = (pixels[(row - 1) * width + column] ?? 255) <= threshold
      if (isInk === isInkAbove) continue
      x.push(column - width / 2)
      y.push(row)
    }
  }
  return {
    x: Float32Array.from(x),
    y: Float32Array.from(y),
    rows: height + Math.ceil(width * 0.15),
  }
}
