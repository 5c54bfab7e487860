import { isToolError } from '@surehand/core'
import { withDecodeSlot } from './decode-slots.ts'
import { findSheet, type Point, type Quad, unwarp } from './find-sheet.ts'
import {
  divideByBackground,
  type GreyImage,
  histogramOf,
  otsuSplit,
  quantile,
} from './grey-image.ts'
import type { CleanUpOperation, ImageCleanUpPort } from './image-clean-up-port.ts'
import { unreadableImage } from './open-image.ts'

const MAX_SKEW_DEGREES = 15

type InkEdges = { readonly x: Float32Array; readonly y: Float32Array; readonly rows: number }

/** By how many degrees the lines of a text slope downwards; 0 if that cannot be measured. */
export function measureSkew(image: GreyImage, threshold: number): number {
  const ink = findInkEdges(image, threshold)
  if (ink.x.length < 200) return 0
  const coarse = findSharpest(ink, { from: -MAX_SKEW_DEGREES, to: MAX_SKEW_DEGREES, step: 0.5 })
  const fine = findSharpest(ink, {
    from: coarse.degrees - 0.5,
    to: coarse.degrees + 0.5,
    step: 0.1,
  })
  // A picture without lines of text is about as sharp at any angle: it is not rotated.
  return fine.sharpness > sharpnessAt(ink, 0) * 1.1 ? fine.degrees : 0
}

function findSharpest(
  ink: InkEdges,
  { from, to, step }: { readonly from: number; readonly to: number; readonly step: number },
): { readonly degrees: number; readonly sharpness: number } {
  let best = { degrees: 0, sharpness: -1 }
  for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
    const sharpness = sharpnessAt(ink, degrees)
    if (sharpness > best.sharpness) best = { degrees, sharpness }
  }
  return best
}

// At the angle of the lines, rows with much ink alternate with rows without any.
function sharpnessAt({ x, y, rows }: InkEdges, degrees: number): number {
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

// Only the upper and lower edges of ink: a filled area says nothing about lines.
function findInkEdges({ pixels, width, height }: GreyImage, threshold: number): InkEdges {
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

/** The long side while a picture is cleaned: more pixels take longer and read no better. */
const WORKING_SIZE = { atLeast: 1400, atMost: 2400 }

export type CleanImage = {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
  readonly confidence: number
}

/**
 * Makes a picture of text easy to read: dark on white, straight, without shadows and noise. What is
 * read at once and not kept needs little compression.
 */
export function cleanImage(
  bytes: Uint8Array,
  operations: readonly CleanUpOperation[],
  compressionLevel = 6,
): Promise<CleanImage> {
  return withDecodeSlot(() => cleanGrey(bytes, operations, compressionLevel)).catch(asUnreadable)
}

// sharp throws its own errors, for example for a picture too thin to be rotated or scaled.
function asUnreadable(thrown: unknown): never {
  throw isToolError(thrown) ? thrown : unreadableImage('The picture cannot be cleaned up.', thrown)
}

async function cleanGrey(
  bytes: Uint8Array,
  operations: readonly CleanUpOperation[],
  compressionLevel: number,
): Promise<CleanImage> {
  const { toGrey, estimateBackground, toDarkOnLight, readGrey, toSharp } = await import(
    './grey-sharp.ts'
  )
  const includes = (operation: CleanUpOperation): boolean => operations.includes(operation)
  const opened = await readGrey(bytes, WORKING_SIZE)
  const upright = includes('enhance_text') ? await flatten(opened) : opened
  // The median filter needs at least three pixels in each direction.
  const isThin = Math.min(upright.width, upright.height) < 3
  const denoised =
    includes('denoise') && !isThin ? await toGrey(toSharp(upright).median(3)) : upright
  const dark =
    includes('remove_background') || includes('enhance_text') ? toDarkOnLight(denoised) : denoised
  const even = includes('remove_background')
    ? divideByBackground(dark, await estimateBackground(dark))
    : dark
  const straight = includes('enhance_text') ? await straighten(even) : even
  const clear = includes('enhance_text') ? await strengthenContrast(straight) : straight
  const png = await toSharp(clear).png({ compressionLevel }).toBuffer()
  return {
    png: new Uint8Array(png),
    width: clear.width,
    height: clear.height,
    confidence: otsuSplit(histogramOf(clear)).separation,
  }
}

/** Whether the picture is a photograph: of a sheet at an angle, skewed, or unevenly lit. */
export function isPhotographed(bytes: Uint8Array): Promise<boolean> {
  return withDecodeSlot(() => looksPhotographed(bytes)).catch(asUnreadable)
}

async function looksPhotographed(bytes: Uint8Array): Promise<boolean> {
  const { estimateBackground, toDarkOnLight, readGrey } = await import('./grey-sharp.ts')
  const grey = await readGrey(bytes, { atLeast: 1, atMost: 800 })
  if ((await locateSheet(grey)) !== undefined) return true
  const small = toDarkOnLight(grey)
  const background = await estimateBackground(small)
  const light = histogramOf(background)
  if (quantile(light, 0.05) < quantile(light, 0.95) * 0.75) return true
  const even = divideByBackground(small, background)
  return Math.abs(measureSkew(even, otsuSplit(histogramOf(even)).threshold)) >= 1
}

// The long side on which a sheet is looked for: enough for its corners, too little for its text.
const SHEET_SIZE = 300

async function locateSheet(image: GreyImage): Promise<Quad | undefined> {
  const { toGrey, toSharp } = await import('./grey-sharp.ts')
  if (Math.min(image.width, image.height) < 3) return undefined
  const small = await toGrey(
    toSharp(image)
      .resize({ width: SHEET_SIZE, height: SHEET_SIZE, fit: 'inside', withoutEnlargement: true })
      .median(3),
  )
  if (Math.min(small.width, small.height) < 3) return undefined
  const quad = findSheet(small)
  if (quad === undefined) return undefined
  const [across, down] = [image.width / small.width, image.height / small.height]
  const scale = ({ x, y }: Point): Point => ({ x: x * across, y: y * down })
  const [a, b, c, d] = quad
  return [scale(a), scale(b), scale(c), scale(d)]
}

/** Cuts a sheet that was photographed at an angle out of the picture, seen from above. */
async function flatten(image: GreyImage): Promise<GreyImage> {
  const quad = await locateSheet(image)
  return quad === undefined ? image : unwarp(image, quad)
}

async function straighten(image: GreyImage): Promise<GreyImage> {
  const { toGrey, toSharp } = await import('./grey-sharp.ts')
  const small = await toGrey(
    toSharp(image).resize({ width: 800, height: 800, fit: 'inside', withoutEnlargement: true }),
  )
  const degrees = measureSkew(small, otsuSplit(histogramOf(small)).threshold)
  return Math.abs(degrees) < 0.3
    ? image
    : toGrey(toSharp(image).rotate(-degrees, { background: '#ffffff' }))
}

// Stretches the histogram so that its ends become black and white, and sharpens the edges.
async function strengthenContrast(image: GreyImage): Promise<GreyImage> {
  const { toGrey, toSharp } = await import('./grey-sharp.ts')
  const histogram = histogramOf(image)
  const [black, white] = [quantile(histogram, 0.01), quantile(histogram, 0.6)]
  const gain = 255 / Math.max(white - black, 40)
  return toGrey(
    toSharp(image)
      .linear(gain, -black * gain)
      .sharpen({ sigma: 1 }),
  )
}

/** Cleans pictures up locally, with filters that add nothing to the picture. */
export function localImageCleanUp(): ImageCleanUpPort {
  return {
    async edit({ image, operations }) {
      const { png, confidence } = await cleanImage(image, operations)
      return {
        image: png,
        mediaType: 'image/png',
        confidence: Math.round(confidence * 1000) / 1000,
        provider: 'local',
      }
    },
  }
}
