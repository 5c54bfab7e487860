import { drawFlower } from './flowers.ts'
import { createDice, darken, lighten, mix, place } from './paint.ts'
import type { Pattern } from './picture.ts'

/** The definition of a woven or printed cloth; it is used as `fill="url(#cloth)"`. */
export function clothPattern(colour: string, pattern: Pattern): string {
  const { size, marks } = MARKS[pattern](colour)
  return `<pattern id="cloth" width="${size}" height="${size}" patternUnits="userSpaceOnUse"><rect width="${size}" height="${size}" fill="${colour}"/>${marks}</pattern>`
}

const contrast = (colour: string): string => {
  const green = Number.parseInt(colour.slice(3, 5), 16)
  return green > 150 ? mix(colour, '#35507a', 0.75) : lighten(colour, 0.62)
}

const MARKS: Readonly<
  Record<Pattern, (colour: string) => { readonly size: number; readonly marks: string }>
> = {
  // A fine weave, so that plain cloth is not a flat area.
  plain: (colour) => ({
    size: 6,
    marks: `<path d="M0 0 6 6M6 0 0 6" stroke="${darken(colour, 0.07)}" stroke-width=".7"/>`,
  }),
  stripe: (colour) => ({
    size: 15,
    marks: `<path d="M4 0V15" stroke="${contrast(colour)}" stroke-width="3.4"/>`,
  }),
  check: (colour) => ({
    size: 44,
    marks: `<path d="M0 9H44M9 0V44" stroke="${darken(colour, 0.34)}" stroke-width="12" stroke-opacity=".45"/><path d="M0 31H44M31 0V44" stroke="${lighten(colour, 0.5)}" stroke-width="3" stroke-opacity=".8"/>`,
  }),
  dots: (colour) => ({
    size: 30,
    marks: `<circle cx="8" cy="8" r="4.2" fill="${contrast(colour)}"/><circle cx="23" cy="23" r="4.2" fill="${contrast(colour)}"/>`,
  }),
  floral: (colour) => {
    const dice = createDice(colour)
    const bloom = (x: number, y: number, size: number, tone: string) =>
      place(x, y, dice() * 90, drawFlower('peony', { colour: tone, size, dice }))
    return {
      size: 92,
      marks: `<path d="M10 70Q30 46 52 62M60 20Q76 34 84 14" stroke="#6f8a66" stroke-width="4" fill="none"/>${bloom(26, 28, 19, '#b9435a')}${bloom(70, 64, 16, '#e6a08f')}${bloom(74, 16, 9, '#f3d9c6')}${bloom(22, 78, 9, '#8f6aa0')}`,
    }
  },
}
