import type { Size } from './canvas.ts'

/** Pixels as a video encoder wants them: all brightness, then a quarter of the colour each (BT.601, both sides even). */
export function toI420(rgba: Uint8Array, { width, height }: Size): Uint8Array {
  const yuv = new Uint8Array((width * height * 3) / 2)
  const quarter = (width / 2) * (height / 2)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const red = rgba[at * 4] ?? 0
      const green = rgba[at * 4 + 1] ?? 0
      const blue = rgba[at * 4 + 2] ?? 0
      yuv[at] = ((66 * red + 129 * green + 25 * blue + 128) >> 8) + 16
      if (x % 2 === 1 || y % 2 === 1) continue
      const chroma = width * height + (y / 2) * (width / 2) + x / 2
      yuv[chroma] = ((-38 * red - 74 * green + 112 * blue + 128) >> 8) + 128
      yuv[chroma + quarter] = ((112 * red - 94 * green - 18 * blue + 128) >> 8) + 128
    }
  }
  return yuv
}
