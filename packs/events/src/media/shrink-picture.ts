import { openImage, withDecodeSlot } from '@surehand/reading'

/**
 * A JPEG of a picture, upright, with at most this many pixels on its longer side and without the
 * position and other data that a phone adds.
 */
export function shrinkPicture(bytes: Uint8Array, longestSide: number): Promise<Uint8Array> {
  return withDecodeSlot(async () => {
    const { image } = await openImage(bytes)
    return image
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 80 })
      .toBuffer()
  })
}
