import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { isToolError } from '@surehand/core'
import { openCanvas } from './canvas.ts'
import { openFonts } from './fonts.ts'
import { toI420 } from './i420.ts'
import { cardsOf, cardTexts } from './preview-cards.ts'
import type { FilmWanted, FromPreviewThread } from './preview-film.ts'
import { FRAMES_PER_SECOND, PREVIEW_SIZE, presenceAt } from './preview-timing.ts'

// a CommonJS bundle whose names the module loader can't see
const { createH264MP4Encoder } = createRequire(import.meta.url)(
  'h264-mp4-encoder',
) as typeof import('h264-mp4-encoder')

// Draws and encodes one film, in a thread of its own: the encoder computes for seconds without a pause,
// and it takes the process's uncaught errors for itself.
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
