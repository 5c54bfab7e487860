import type { SeededRandom } from '@surehand/testing'
import sharp from 'sharp'
import { type Pixels, type Point, warp } from './warp.ts'

/** A photo by phone: rotated, in perspective, unevenly lit, noisy, slightly out of focus. */
export type Shot = {
  readonly degrees: number
  /** The shift of each corner, as a share of the width. */
  readonly corners: readonly Point[]
  readonly shadow: { readonly angle: number; readonly depth: number }
  readonly grain: number
  readonly blur: number
  readonly quality: number
  readonly table: readonly [number, number, number]
}

const MARGIN = 0.12

export function makeShot(random: SeededRandom): Shot {
  const off = (): number => random.whole(-25, 25) / 1000
  return {
    degrees: (random.is(0.5) ? 1 : -1) * (random.whole(10, 60) / 10),
    corners: [1, 2, 3, 4].map(() => ({ x: off(), y: off() })),
    shadow: { angle: random.whole(0, 359), depth: random.whole(15, 45) / 100 },
    grain: random.whole(4, 14),
    blur: random.whole(3, 9) / 10,
    quality: random.whole(62, 88),
    table: random.pick([
      [96, 72, 52],
      [58, 60, 66],
      [176, 168, 152],
    ] as const),
  }
}

/** Photographs the picture; returns a JPEG. */
export async function photograph(
  picture: Uint8Array,
  shot: Shot,
  random: SeededRandom,
): Promise<Uint8Array> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const flat: Pixels = { data, width: info.width, height: info.height }
  const seen = warp(
    flat,
    {
      width: Math.round(info.width * (1 + 2 * MARGIN)),
      height: Math.round(info.height * (1 + 2 * MARGIN)),
      table: shot.table,
    },
    placeCorners(flat, shot),
  )
  light(seen, shot, random)
  return await sharp(seen.data, { raw: { width: seen.width, height: seen.height, channels: 3 } })
    .blur(shot.blur)
    .jpeg({ quality: shot.quality })
    .toBuffer()
}

/** The positions of the corners: top left, top right, bottom right, bottom left. */
function placeCorners({ width, height }: Pixels, { degrees, corners }: Shot): readonly Point[] {
  const turn = (degrees * Math.PI) / 180
  const centre = { x: width * (0.5 + MARGIN), y: height * (0.5 + MARGIN) }
  const flat = [
    { x: -width / 2, y: -height / 2 },
    { x: width / 2, y: -height / 2 },
    { x: width / 2, y: height / 2 },
    { x: -width / 2, y: height / 2 },
  ]
  return flat.map(({ x, y }, index) => ({
    x: centre.x + x * Math.cos(turn) - y * Math.sin(turn) + (corners[index]?.x ?? 0) * width,
    y: centre.y + x * Math.sin(turn) + y * Math.cos(turn) + (corners[index]?.y ?? 0) * width,
  }))
}

function light(
  { data, width, height }: Pixels,
  { shadow, grain }: Shot,
  random: SeededRandom,
): void {
  const [across, down] = [
    Math.cos((shadow.angle * Math.PI) / 180),
    Math.sin((shadow.angle * Math.PI) / 180),
  ]
  // A table of noise is enough: its repetition at an odd length is not visible.
  const grains = Array.from(
    { length: 40_009 },
    () => (random.whole(-grain, grain) + random.whole(-grain, grain)) / 1.4,
  )
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const along = (x / width - 0.5) * across + (y / height - 0.5) * down
      const brightness = 1 - shadow.depth * smooth(along + 0.5)
      const pixel = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        const value =
          (data[pixel + channel] ?? 0) * brightness +
          (grains[(pixel + channel) % grains.length] ?? 0)
        data[pixel + channel] = Math.max(0, Math.min(255, Math.round(value)))
      }
    }
  }
}

function smooth(share: number): number {
  const held = Math.max(0, Math.min(1, share))
  return held * held * (3 - 2 * held)
}
