import { isToolError } from '@surehand/core'
import { withDecodeSlot } from './decode-slots.ts'
import { dividedBy, type GreyImage, histogramOf, quantile, splitOf } from './grey-image.ts'
import type { CleanUpOperation } from './image-clean-up-port.ts'
import { unreadableImage } from './open-image.ts'

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

/** Of what is worked on: more costs time and reads no better. */
const LONG_SIDE = { atLeast: 1400, atMost: 2400 }

export type CleanImage = {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
  readonly confidence: number
}

/**
 * A picture of text made easy to read: dark writing on white, straight, without shadow and noise.
 */
export function cleanImage(
  bytes: Uint8Array,
  operations: readonly CleanUpOperation[],
): Promise<CleanImage> {
  return withDecodeSlot(() => cleanGrey(bytes, operations)).catch(asUnreadable)
}

// what sharp throws is its own: of a picture too thin to be turned or scaled it speaks only here
function asUnreadable(thrown: unknown): never {
  throw isToolError(thrown) ? thrown : unreadableImage('The picture cannot be cleaned up.', thrown)
}

async function cleanGrey(
  bytes: Uint8Array,
  operations: readonly CleanUpOperation[],
): Promise<CleanImage> {
  const { greyOf, groundOf, onLight, readGrey, sharpOf } = await import('./grey-sharp.ts')
  const wants = (operation: CleanUpOperation): boolean => operations.includes(operation)
  const upright = await readGrey(bytes, LONG_SIDE)
  // a neighbourhood of three needs three
  const isThin = Math.min(upright.width, upright.height) < 3
  const calm = wants('denoise') && !isThin ? await greyOf(sharpOf(upright).median(3)) : upright
  const dark = wants('remove_background') || wants('enhance_text') ? onLight(calm) : calm
  const even = wants('remove_background') ? dividedBy(dark, await groundOf(dark)) : dark
  const straight = wants('enhance_text') ? await straighten(even) : even
  const clear = wants('enhance_text') ? await strengthenContrast(straight) : straight
  const png = await sharpOf(clear).png({ compressionLevel: 6 }).toBuffer()
  return {
    png: new Uint8Array(png),
    width: clear.width,
    height: clear.height,
    confidence: splitOf(histogramOf(clear)).separation,
  }
}

/** Was it held in front of a camera? Then it is crooked, or the light on it is uneven. */
export function isPhotographed(bytes: Uint8Array): Promise<boolean> {
  return withDecodeSlot(() => looksPhotographed(bytes)).catch(asUnreadable)
}

async function looksPhotographed(bytes: Uint8Array): Promise<boolean> {
  const { groundOf, onLight, readGrey } = await import('./grey-sharp.ts')
  const small = onLight(await readGrey(bytes, { atLeast: 1, atMost: 800 }))
  const ground = await groundOf(small)
  const light = histogramOf(ground)
  if (quantile(light, 0.05) < quantile(light, 0.95) * 0.75) return true
  const even = dividedBy(small, ground)
  return Math.abs(skewOf(even, splitOf(histogramOf(even)).threshold)) >= 1
}

async function straighten(image: GreyImage): Promise<GreyImage> {
  const { greyOf, sharpOf } = await import('./grey-sharp.ts')
  const small = await greyOf(
    sharpOf(image).resize({ width: 800, height: 800, fit: 'inside', withoutEnlargement: true }),
  )
  const degrees = skewOf(small, splitOf(histogramOf(small)).threshold)
  return Math.abs(degrees) < 0.3
    ? image
    : greyOf(sharpOf(image).rotate(-degrees, { background: '#ffffff' }))
}

// the darkest and the lightest few are taken for black and white, and edges are drawn sharper
async function strengthenContrast(image: GreyImage): Promise<GreyImage> {
  const { greyOf, sharpOf } = await import('./grey-sharp.ts')
  const histogram = histogramOf(image)
  const [black, white] = [quantile(histogram, 0.01), quantile(histogram, 0.6)]
  const gain = 255 / Math.max(white - black, 40)
  return greyOf(
    sharpOf(image)
      .linear(gain, -black * gain)
      .sharpen({ sigma: 1 }),
  )
}
