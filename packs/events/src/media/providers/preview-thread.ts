import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { isToolError } from '@surehand/core'
import type { Size } from './canvas.ts'
import { openCanvas } from './canvas.ts'
import { openFonts } from './fonts.ts'
import { cardsOf, cardTexts } from './preview-cards.ts'
import type { FilmWanted, FromPreviewThread } from './preview-film.ts'
import { FRAMES_PER_SECOND, PREVIEW_SIZE, presenceAt } from './preview-timing.ts'

// a CommonJS bundle whose names the module loader can't see
const { createH264MP4Encoder } = createRequire(import.meta.url)(
  'h264-mp4-encoder',
) as typeof import('h264-mp4-encoder')

// Draws and encodes one film, in a thread of its own: the encoder computes for seconds without a
// pause, and it takes the process's uncaught errors for itself.
function tell(message: FromPreviewThread): void {
  parentPort?.postMessage(message)
}

async function makeFilm(wanted: FilmWanted): Promise<void> {
  const fonts = await openFonts()
  const texts = cardTexts(wanted, fonts)
  const canvas = await openCanvas(
    fonts,
    texts.flatMap(({ small, large, below }) => [small, large, below]),
  )
  const cards = await cardsOf(canvas, texts, wanted.style)
  const total = cards.reduce((sum, card) => sum + card.frames, 0)
  const encoder = await createH264MP4Encoder()
  Object.assign(encoder, PREVIEW_SIZE, {
    frameRate: FRAMES_PER_SECOND,
    quantizationParameter: 26,
    speed: 10,
    groupOfPictures: 60,
  })
  encoder.initialize()
  let done = 0
  for (const { frames, frame } of cards) {
    let drawn: { readonly presence: number; readonly pixels: Uint8Array } = {
      presence: -1,
      pixels: new Uint8Array(),
    }
    for (let index = 0; index < frames; index++) {
      const presence = presenceAt(index, frames)
      if (presence !== drawn.presence)
        drawn = {
          presence,
          pixels: toI420(await canvas.pixels(frame(presence), PREVIEW_SIZE), PREVIEW_SIZE),
        }
      encoder.addFrameYuv(drawn.pixels)
      done++
      if (done % FRAMES_PER_SECOND === 0) tell({ kind: 'progress', done, total })
    }
  }
  encoder.finalize()
  const bytes = encoder.FS.readFile(encoder.outputFilename)
  tell({ kind: 'made', bytes, durationSeconds: total / FRAMES_PER_SECOND })
}

makeFilm(workerData as FilmWanted).catch((thrown: unknown) => {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  tell({ kind: 'failed', code: isToolError(thrown) ? thrown.code : 'TOOL_INTERNAL_ERROR', message })
})

/**
 * Pixels as a video encoder wants them: all brightness, then a quarter of the colour each (BT.601,
 * both sides even).
 */
function toI420(rgba: Uint8Array, { width, height }: Size): Uint8Array {
  const yuv = new Uint8Array((width * height * 3) / 2)
  const quarter = (width / 2) * (height / 2)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const red = rgba[at * 4] ?? 0
      const green = rgba[at * 4 + 1] ?? 0
      const blue = rgba[at * 4 + 2] ?? 0
      yuv[at] = ((66 * red + 129 * green + 25 * blue + 128) >> 8) + 16
      if (x % 2 === 1 || y % 2 === 1) continue
      const chroma = width * height + (y / 2) * (width / 2) + x / 2
      yuv[chroma] = ((-38 * red - 74 * green + 112 * blue + 128) >> 8) + 128
      yuv[chroma + quarter] = ((112 * red - 94 * green - 18 * blue + 128) >> 8) + 128
    }
  }
  return yuv
}
