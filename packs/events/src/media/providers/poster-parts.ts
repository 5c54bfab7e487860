import type { Node } from 'takumi-js'
import type { Size, TextStyle } from './canvas.ts'

/** The scale of a sheet: 1 for 1080×1920. */
export function scaleUnit({ width, height }: Size): number {
  // For a long strip the short side decides, or a word would not fit into it.
  return Math.min(Math.sqrt(width * height) / 1440, (Math.min(width, height) / 1080) * 1.4)
}

/** The whole sheet with its layers. */
export function sheet(size: Size, style: TextStyle, layers: readonly Node[]): Node {
  return {
    type: 'container',
    style: { ...size, position: 'relative', overflow: 'hidden', ...style },
    children: [...layers],
  }
}

/** SVG shapes over the whole sheet. */
export function drawing({ width, height }: Size, shapes: string): Node {
  const src = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes}</svg>`
  return { type: 'image', src, style: { position: 'absolute', left: 0, top: 0, width, height } }
}

/** A column of nodes at a position on the sheet. */
export function column(style: TextStyle, children: readonly (Node | undefined)[]): Node {
  return {
    type: 'container',
    style: { position: 'absolute', display: 'flex', flexDirection: 'column', ...style },
    children: children.filter((child) => child !== undefined),
  }
}

export function bar(style: TextStyle): Node {
  return { type: 'container', style: { flexShrink: 0, ...style } }
}
