import sharp, { type Sharp } from 'sharp'
import { type GreyImage, histogramOf, invertGrey, maxFilter, quantile } from './grey-image.ts'
import { openImage, unreadableImage } from './open-image.ts'

/** The background is estimated on a copy this many times smaller. */
const BACKGROUND_SCALE = 12

export type SideLimits = { readonly atLeast: number; readonly atMost: number }

/** Opens an untrusted picture upright, in grey, with its long side within the limits. */
export async function readGrey(
  bytes: Uint8Array,
  { atLeast, atMost }: SideLimits,
): Promise<GreyImage> {
  const { image, width, height } = await openImage(bytes)
  const long = Math.max(width, height)
  const target = Math.min(atMost, Math.max(long, Math.min(atLeast, long * 2)))
  const sized =
    target === long
      ? image
      : image.resize({ width: target, height: target, fit: 'inside', kernel: 'lanczos3' })
  try {
    return await toGrey(sized.flatten({ background: '#ffffff' }))
  } catch (cause) {
    throw unreadableImage('The picture is broken.', cause)
  }
}

export function toSharp({ pixels, width, height }: GreyImage): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
}

export async function toGrey(image: Sharp): Promise<GreyImage> {
  const { data, info } = await image
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: new Uint8Array(data), width: info.width, height: info.height }
}

/** Inverts the picture if its background is dark. */
export function toDarkOnLight(image: GreyImage): GreyImage {
  return quantile(histogramOf(image), 0.5) < 110 ? invertGrey(image) : image
}

/** Estimates the background behind the text, in the size of the picture. */
export async function estimateBackground(image: GreyImage): Promise<GreyImage> {
  const [width, height] = [
    Math.max(1, Math.round(image.width / BACKGROUND_SCALE)),
    Math.max(1, Math.round(image.height / BACKGROUND_SCALE)),
  ]
  const small = await toGrey(toSharp(image).resize(width, height, { fit: 'fill' }))
  const background = toSharp(maxFilter(small, 3)).blur(3)
  return toGrey(background.resize(image.width, image.height, { fit: 'fill', kernel: 'cubic' }))
}
