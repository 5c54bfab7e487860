/** One byte per pixel; 0 is black. */
export type GreyImage = {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

/** The number of pixels of each brightness. */
export function histogramOf({ pixels }: GreyImage): Uint32Array {
  const counts = new Uint32Array(256)
  // by index: an iterator takes ten times as long
  for (let index = 0; index < pixels.length; index++) {
    const pixel = pixels[index] ?? 0
    counts[pixel] = (counts[pixel] ?? 0) + 1
  }
  return counts
}

/** The brightness that this share of the pixels does not exceed. */
export function quantile(histogram: Uint32Array, share: number): number {
  const target = histogram.reduce((sum, count) => sum + count, 0) * share
  let seen = 0
  for (let level = 0; level < 256; level++) {
    seen += histogram[level] ?? 0
    if (seen >= target) return level
  }
  return 255
}

export type Split = {
  readonly threshold: number
  /** 0 to 1: the share of the variance that is between the two classes, not within them. */
  readonly separation: number
}

/** Otsu's threshold between text and background. */
export function otsuSplit(histogram: Uint32Array): Split {
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

/** Turns light text on a dark background into dark text on a light one. */
export function invertGrey({ pixels, width, height }: GreyImage): GreyImage {
  const inverted = new Uint8Array(pixels.length)
  for (let index = 0; index < pixels.length; index++) inverted[index] = 255 - (pixels[index] ?? 0)
  return { pixels: inverted, width, height }
}

/** Divides each pixel by its background: removes shadows and stains, keeps the text. */
export function divideByBackground(
  { pixels, width, height }: GreyImage,
  background: GreyImage,
): GreyImage {
  const divided = new Uint8Array(pixels.length)
  for (let index = 0; index < pixels.length; index++) {
    divided[index] = Math.min(
      255,
      Math.round(((pixels[index] ?? 0) * 245) / Math.max(background.pixels[index] ?? 1, 1)),
    )
  }
  return { pixels: divided, width, height }
}

/** The brightest pixel within this distance: removes thin dark text, leaves the background. */
export function maxFilter(image: GreyImage, reach: number): GreyImage {
  return maxFilterTransposed(maxFilterTransposed(image, reach), reach)
}

// Filters along the rows and swaps rows and columns: applied twice it filters both directions.
function maxFilterTransposed({ pixels, width, height }: GreyImage, reach: number): GreyImage {
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
