import sharp, { type Sharp } from 'sharp'
import { brightestAround, type GreyImage, histogramOf, invertGrey, quantile } from './grey-image.ts'
import { openImage, unreadableImage } from './open-image.ts'

/** The ground is looked for on a copy this many times smaller. */
const SMALLER = 12

export type LongSide = { readonly atLeast: number; readonly atMost: number }

/** A picture that somebody sent, upright, grey and of a workable size. */
export async function readGrey(
  bytes: Uint8Array,
  { atLeast, atMost }: LongSide,
): Promise<GreyImage> {
  const { image, width, height } = await openImage(bytes)
  const long = Math.max(width, height)
  const wanted = Math.min(atMost, Math.max(long, Math.min(atLeast, long * 2)))
  const sized =
    wanted === long
      ? image
      : image.resize({ width: wanted, height: wanted, fit: 'inside', kernel: 'lanczos3' })
  try {
    return await greyOf(sized.flatten({ background: '#ffffff' }))
  } catch (cause) {
    throw unreadableImage('The picture is broken.', cause)
  }
}

export function sharpOf({ pixels, width, height }: GreyImage): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
}

export async function greyOf(image: Sharp): Promise<GreyImage> {
  const { data, info } = await image
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: new Uint8Array(data), width: info.width, height: info.height }
}

/** Dark writing on a light ground, whichever way it was. */
export function onLight(image: GreyImage): GreyImage {
  return quantile(histogramOf(image), 0.5) < 110 ? invertGrey(image) : image
}

/** The ground behind the writing, as large as the picture. */
export async function groundOf(image: GreyImage): Promise<GreyImage> {
  const [width, height] = [
    Math.max(1, Math.round(image.width / SMALLER)),
    Math.max(1, Math.round(image.height / SMALLER)),
  ]
  const small = await greyOf(sharpOf(image).resize(width, height, { fit: 'fill' }))
  const ground = sharpOf(brightestAround(small, 3)).blur(3)
  return greyOf(ground.resize(image.width, image.height, { fit: 'fill', kernel: 'cubic' }))
}
