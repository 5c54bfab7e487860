import type { Node } from 'takumi-js'
import { FONT_STACK, type Fonts } from './fonts.ts'

export type Size = { readonly width: number; readonly height: number }
export type TextStyle = NonNullable<Node['style']>

/** A text and the space for it. */
export type TextBox = {
  readonly text: string
  readonly room: Size
  /** Font sizes in pixels. */
  readonly largest: number
  readonly smallest: number
  /** Words are not broken above this size; below it a very long word is broken, not made smaller. */
  readonly whole?: number
  readonly style: TextStyle
}

export type FittedText = {
  readonly node: Node
  readonly fontSize: number
  readonly height: number
  readonly isCut: boolean
}

/** Measures and draws text and shapes. */
export type Canvas = {
  /** As large as the space allows; too long even at the smallest size, it ends in an ellipsis. */
  readonly fit: (box: TextBox) => Promise<FittedText>
  readonly png: (node: Node, size: Size) => Promise<Uint8Array>
  /** Rows of red, green, blue and alpha bytes. */
  readonly pixels: (node: Node, size: Size) => Promise<Uint8Array>
}

/** A canvas with the fonts for these texts. */
export async function openCanvas(fonts: Fonts, texts: readonly string[]): Promise<Canvas> {
  // Native code, loaded on first use.
  const { Renderer } = await import('takumi-js/node')
  const renderer = new Renderer()
  // In sequence, because the order of registration is the order of lookup.
  for (const font of await fonts.load(`${texts.join('')} …`)) await renderer.registerFont(font)

  // The renderer itself fetches nothing: an emoji causes no request.
  const draw = async (node: Node, size: Size, format: 'png' | 'raw'): Promise<Uint8Array> =>
    new Uint8Array(await renderer.render(node, { ...size, format, fontFamilies: [...FONT_STACK] }))

  async function measureNode(node: Node, width: number): Promise<Size> {
    const { height, runs } = await renderer.measure(node, { width, fontFamilies: [...FONT_STACK] })
    return { width: Math.max(0, ...runs.map((run) => run.x + run.width)), height }
  }

  return {
    fit: (box) => fit(box, measureNode),
    png: (node, size) => draw(node, size, 'png'),
    pixels: (node, size) => draw(node, size, 'raw'),
  }
}

type Measure = (node: Node, width: number) => Promise<Size>

async function fit(box: TextBox, measure: Measure): Promise<FittedText> {
  const { text, smallest, largest, whole = smallest + 1 } = box
  const fits = async (given: Trial): Promise<boolean> =>
    isWithin(box, await tryRender(box, given, measure))
  const plain = await largestWhere(whole, largest, (fontSize) =>
    fits({ text, fontSize, words: 'whole' }),
  )
  if (plain !== undefined)
    return {
      ...(await tryRender(box, { text, fontSize: plain, words: 'whole' }, measure)),
      isCut: false,
    }
  const broken = await largestWhere(smallest, Math.min(whole, largest), (fontSize) =>
    fits({ text, fontSize, words: 'broken' }),
  )
  if (broken !== undefined)
    return {
      ...(await tryRender(box, { text, fontSize: broken, words: 'broken' }, measure)),
      isCut: false,
    }
  const last = (count: number): Trial => ({
    text: cut(text, count),
    fontSize: Math.ceil(smallest),
    words: 'broken',
  })
  const length = await largestWhere(1, text.length, (count) => fits(last(count)))
  return { ...(await tryRender(box, last(length ?? 1), measure)), isCut: true }
}

type Trial = {
  readonly text: string
  readonly fontSize: number
  readonly words: 'whole' | 'broken'
}

async function tryRender(
  { room, style }: TextBox,
  { text, fontSize, words }: Trial,
  measure: Measure,
): Promise<Tried> {
  const breaking: TextStyle = words === 'broken' ? { overflowWrap: 'anywhere' } : {}
  const node: Node = {
    type: 'text',
    text,
    style: { ...style, ...breaking, fontSize, width: room.width },
  }
  const { width, height } = await measure(node, room.width)
  return { node, fontSize, height, lineWidth: width }
}

type Tried = Omit<FittedText, 'isCut'> & { readonly lineWidth: number }

function isWithin({ room }: TextBox, { height, lineWidth }: Tried): boolean {
  // The space at the end of a line may extend over the edge.
  return height <= room.height && lineWidth <= room.width * 1.02
}

async function largestWhere(
  from: number,
  to: number,
  holds: (value: number) => Promise<boolean>,
): Promise<number | undefined> {
  let [low, high] = [Math.ceil(from), Math.floor(to)]
  let found: number | undefined
  while (low <= high) {
    const middle = (low + high) >> 1
    if (await holds(middle)) {
      found = middle
      low = middle + 1
    } else high = middle - 1
  }
  return found
}

// Cuts between graphemes, so that no character is split.
function cut(text: string, count: number): string {
  if (count >= text.length) return text
  let result = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  )) {
    if (result.length + segment.length > count) break
    result += segment
  }
  return `${result.trimEnd()}…`
}
