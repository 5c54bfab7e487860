import type { Node } from 'takumi-js'
import { FONT_STACK, type Fonts } from './fonts.ts'

export type Size = { readonly width: number; readonly height: number }
export type TextStyle = NonNullable<Node['style']>

/** A text and the room it has. */
export type TextBox = {
  readonly text: string
  readonly room: Size
  /** Font sizes in pixels. */
  readonly largest: number
  readonly smallest: number
  /** Down to this size words stay whole: a very long one is rather broken than set smaller. */
  readonly whole?: number
  readonly style: TextStyle
}

export type FittedText = {
  readonly node: Node
  readonly fontSize: number
  readonly height: number
  readonly isCut: boolean
}

/** Measures and draws. */
export type Canvas = {
  /** As large as the room allows; too long at the smallest size, it ends in an ellipsis. */
  readonly fit: (box: TextBox) => Promise<FittedText>
  readonly png: (node: Node, size: Size) => Promise<Uint8Array>
  /** Rows of red, green, blue and alpha bytes. */
  readonly pixels: (node: Node, size: Size) => Promise<Uint8Array>
}

/** A canvas that has the fonts for these texts. */
export async function openCanvas(fonts: Fonts, texts: readonly string[]): Promise<Canvas> {
  // native code, loaded when somebody draws
  const { Renderer } = await import('takumi-js/node')
  const renderer = new Renderer()
  // one after another: the order they are registered in is the order they are asked in
  for (const font of await fonts.load(`${texts.join('')} …`)) await renderer.registerFont(font)

  // the renderer itself fetches nothing, so an emoji can't send it to the network
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
  // a line's last blank hangs over the edge and is not seen
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

// between characters as a reader sees them: half of one is another one
function cut(text: string, count: number): string {
  if (count >= text.length) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text,
  )) {
    if (kept.length + segment.length > count) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
