import type { Node } from 'takumi-js'
import type { Size, TextStyle } from './canvas.ts'

/** How large things are on a sheet: 1 on 1080×1920. */
export function unitOf({ width, height }: Size): number {
  // a long strip is set by its short side, else a word would not fit into it
  return Math.min(Math.sqrt(width * height) / 1440, (Math.min(width, height) / 1080) * 1.4)
}

/** The whole sheet, with its layers upon one another. */
export function sheet(size: Size, style: TextStyle, layers: readonly Node[]): Node {
  return {
    type: 'container',
    style: { ...size, position: 'relative', overflow: 'hidden', ...style },
    children: [...layers],
  }
}

/** A drawing over the whole sheet. */
export function drawing({ width, height }: Size, shapes: string): Node {
  const src = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes}</svg>`
  return { type: 'image', src, style: { position: 'absolute', left: 0, top: 0, width, height } }
}

/** Things under one another at a place of the sheet. */
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
