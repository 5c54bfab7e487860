/** One byte a pixel, 0 black. */
export type GreyImage = {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

/** How many pixels of each brightness. */
export function histogramOf({ pixels }: GreyImage): Uint32Array {
  const counts = new Uint32Array(256)
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1
  return counts
}

/** The brightness below which this share of the pixels is. */
export function quantile(histogram: Uint32Array, share: number): number {
  const wanted = histogram.reduce((sum, count) => sum + count, 0) * share
  let seen = 0
  for (let level = 0; level < 256; level++) {
    seen += histogram[level] ?? 0
    if (seen >= wanted) return level
  }
  return 255
}

export type Split = {
  readonly threshold: number
  /** 0 to 1: how much of all difference is between the two sides and not within them. */
  readonly separation: number
}

/** Otsu's split of writing from ground. */
export function splitOf(histogram: Uint32Array): Split {
  const levels = [...histogram]
  const total = levels.reduce((sum, count) => sum + count, 0)
  const sum = levels.reduce((weighted, count, level) => weighted + count * level, 0)
  const variance =
    levels.reduce((weighted, count, level) => weighted + count * (level - sum / total) ** 2, 0) /
    total
  let best: Split = { threshold: 128, separation: 0 }
  for (let level = 0, below = 0, belowSum = 0; level < 255; level++) {
    below += levels[level] ?? 0
    belowSum += (levels[level] ?? 0) * level
    if (below === 0 || below === total) continue
    const between =
      (below / total) *
      (1 - below / total) *
      (belowSum / below - (sum - belowSum) / (total - below)) ** 2
    if (between / variance > best.separation)
      best = { threshold: level, separation: Math.min(1, between / variance) }
  }
  return best
}

/** Light writing on a dark ground turned round. */
export function invertGrey({ pixels, width, height }: GreyImage): GreyImage {
  return { pixels: pixels.map((pixel) => 255 - pixel), width, height }
}

/** Each pixel as a share of the ground behind it: shadows and stains go, writing stays. */
export function dividedBy({ pixels, width, height }: GreyImage, ground: GreyImage): GreyImage {
  const divided = new Uint8Array(pixels.length)
  for (let index = 0; index < pixels.length; index++) {
    divided[index] = Math.min(
      255,
      Math.round(((pixels[index] ?? 0) * 245) / Math.max(ground.pixels[index] ?? 1, 1)),
    )
  }
  return { pixels: divided, width, height }
}

/** The brightest within this many pixels: writing thinner than that is gone, the ground is left. */
export function brightestAround(image: GreyImage, reach: number): GreyImage {
  return transposedBrightest(transposedBrightest(image, reach), reach)
}

// along the rows, handed back with rows and columns swapped: done twice it is both ways
function transposedBrightest({ pixels, width, height }: GreyImage, reach: number): GreyImage {
  const out = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let brightest = 0
      for (let near = Math.max(0, x - reach); near <= Math.min(width - 1, x + reach); near++)
        brightest = Math.max(brightest, pixels[y * width + near] ?? 0)
      out[x * height + y] = brightest
    }
  }
  return { pixels: out, width: height, height: width }
}
