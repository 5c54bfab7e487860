import type { Picture } from './picture.ts'

/** Draws a picture as an SVG document. */
export function draw(picture: Picture, name: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 720"><title>${name} ${picture.kind}</title></svg>`
}
