import type { Node } from 'takumi-js'
import type { PreviewStyle } from '../day-previews-port.ts'
import type { Canvas, FittedText, TextStyle } from './canvas.ts'
import { bar, column, sheet } from './poster-parts.ts'
import type { CardText } from './preview-cards.ts'
import { PREVIEW_SIZE } from './preview-timing.ts'

type Look = (canvas: Canvas, text: CardText) => Promise<(visibility: number) => Node>

export const PREVIEW_LOOKS: Readonly<Record<PreviewStyle, Look>> = { cinematic, documentary }

const { width, height } = PREVIEW_SIZE
const HUES = [222, 268, 316, 18, 168, 196, 246] as const

type Fitted = {
  readonly small: FittedText
  readonly large: FittedText
  readonly below: FittedText | undefined
}
type CardStyle = {
  readonly room: number
  readonly small: TextStyle
  readonly large: TextStyle
  readonly below: TextStyle
}

async function fitCard(
  canvas: Canvas,
  { small, large, below }: CardText,
  style: CardStyle,
): Promise<Fitted> {
  const line = (text: string, size: number, look: TextStyle): Promise<FittedText> =>
    canvas.fit({
      text,
      room: { width: style.room, height: size * 1.6 },
      largest: size,
      smallest: 16,
      style: look,
    })
  return {
    small: await line(small, 46, style.small),
    large: await canvas.fit({
      text: large,
      room: { width: style.room, height: 250 },
      largest: 92,
      whole: 44,
      smallest: 24,
      style: { ...style.large, textWrap: 'balance' },
    }),
    below: below === '' ? undefined : await line(below, 36, style.below),
  }
}

/** Dark, with a moving light behind the text and letterbox bars. */
async function cinematic(canvas: Canvas, text: CardText): Promise<(visibility: number) => Node> {
  const hue = HUES[text.index % HUES.length] ?? HUES[0]
  const fitted = await fitCard(canvas, text, {
    room: width - 260,
    small: {
      color: `hsl(${hue}, 90%, 80%)`,
      fontWeight: 600,
      letterSpacing: 3,
      textAlign: 'center',
    },
    large: { color: '#ffffff', fontWeight: 800, lineHeight: 1.12, textAlign: 'center' },
    below: { color: '#cdd3e4', fontWeight: 400, textAlign: 'center' },
  })
  return (shown) => {
    const light = `radial-gradient(circle at ${24 + shown * 14}% ${30 + shown * 8}%, hsl(${hue}, 70%, ${20 + 16 * shown}%), rgba(0, 0, 0, 0) 62%)`
    const second = `radial-gradient(circle at ${86 - shown * 10}% ${88 - shown * 8}%, hsl(${(hue + 320) % 360}, 65%, ${12 + 12 * shown}%), rgba(0, 0, 0, 0) 55%)`
    return sheet(PREVIEW_SIZE, { backgroundColor: '#07080f' }, [
      bar({ position: 'absolute', left: 0, top: 0, width, height, backgroundImage: light }),
      bar({ position: 'absolute', left: 0, top: 0, width, height, backgroundImage: second }),
      column(
        {
          left: 130,
          top: (1 - shown) * 26,
          width: width - 260,
          height,
          justifyContent: 'center',
          alignItems: 'center',
          gap: 22,
          opacity: shown,
        },
        [fitted.small.node, fitted.large.node, rule(hue, shown), fitted.below?.node],
      ),
      dots(text, `hsl(${hue}, 90%, 80%)`),
      bar({ position: 'absolute', left: 0, top: 0, width, height: 62, backgroundColor: '#000000' }),
      bar({
        position: 'absolute',
        left: 0,
        bottom: 0,
        width,
        height: 62,
        backgroundColor: '#000000',
      }),
    ])
  }
}

function rule(hue: number, shown: number): Node {
  return bar({
    width: 40 + 120 * shown,
    height: 4,
    borderRadius: 2,
    backgroundColor: `hsl(${hue}, 90%, 70%)`,
  })
}

// The position of the event in the day.
function dots({ index, count }: CardText, colour: string): Node {
  const shown = Array.from({ length: count }, (_, place) =>
    bar({
      width: place + 1 === index ? 34 : 12,
      height: 12,
      borderRadius: 6,
      backgroundColor: place + 1 <= index ? colour : 'rgba(255, 255, 255, 0.28)',
    }),
  )
  return {
    type: 'container',
    style: {
      position: 'absolute',
      left: 0,
      bottom: 88,
      width,
      display: 'flex',
      flexDirection: 'row',
      justifyContent: 'center',
      gap: 10,
    },
    children: shown,
  }
}

/** Paper and ink: a plain background, a line at the left, the texts below each other. */
async function documentary(canvas: Canvas, text: CardText): Promise<(visibility: number) => Node> {
  const fitted = await fitCard(canvas, text, {
    room: width - 320,
    small: { color: '#b3402a', fontWeight: 700, textAlign: 'left' },
    large: { color: '#1c1c1a', fontWeight: 700, lineHeight: 1.14, textAlign: 'left' },
    below: { color: '#4d4b45', fontWeight: 400, textAlign: 'left' },
  })
  const used = fitted.small.height + fitted.large.height + (fitted.below?.height ?? 0) + 44
  return (shown) => {
    const passed =
      text.count === 0
        ? 0
        : Math.max(0, text.index - 1 + (text.index === 0 ? 0 : shown)) / text.count
    return sheet(PREVIEW_SIZE, { backgroundColor: '#f3efe6' }, [
      bar({
        position: 'absolute',
        left: 120,
        top: (height - used * shown) / 2,
        width: 10,
        height: used * shown,
        backgroundColor: '#b3402a',
      }),
      column(
        {
          left: 170 + (1 - shown) * 40,
          top: 0,
          width: width - 320,
          height,
          justifyContent: 'center',
          gap: 22,
          opacity: shown,
        },
        [fitted.small.node, fitted.large.node, fitted.below?.node],
      ),
      bar({
        position: 'absolute',
        left: 120,
        bottom: 70,
        width: width - 240,
        height: 3,
        backgroundColor: '#d8d1c1',
      }),
      bar({
        position: 'absolute',
        left: 120,
        bottom: 68,
        width: Math.max(0, (width - 240) * passed),
        height: 7,
        backgroundColor: '#1c1c1a',
      }),
    ])
  }
}
