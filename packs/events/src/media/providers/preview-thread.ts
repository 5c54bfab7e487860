import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { isToolError } from '@surehand/core'
import type { Size } from './canvas.ts'
import { openCanvas } from './canvas.ts'
import { openFonts } from './fonts.ts'
import { cardTexts, layOutCards } from './preview-cards.ts'
import { FRAMES_PER_SECOND, PREVIEW_SIZE, visibilityAt } from './preview-timing.ts'
import type { PreviewThreadMessage, VideoRequest } from './preview-video.ts'

// A CommonJS bundle whose exports the module loader does not detect.
const { createH264MP4Encoder } = createRequire(import.meta.url)(
  'h264-mp4-encoder',
) as typeof import('h264-mp4-encoder')

// Draws and encodes one video in a worker thread: the encoder computes for seconds without a pause,
// and it installs a handler for uncaught errors of the process.
function post(message: PreviewThreadMessage): void {
  parentPort?.postMessage(message)
}

async function renderVideo(request: VideoRequest): Promise<void> {
  const fonts = await openFonts()
  const texts = cardTexts(request, fonts)
  const canvas = await openCanvas(
    fonts,
    texts.flatMap(({ small, large, below }) => [small, large, below]),
  )
  const cards = await layOutCards(canvas, texts, request.style)
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
    let drawn: { readonly visibility: number; readonly pixels: Uint8Array } = {
      visibility: -1,
      pixels: new Uint8Array(),
    }
    for (let index = 0; index < frames; index++) {
      const visibility = visibilityAt(index, frames)
      if (visibility !== drawn.visibility)
        drawn = {
          visibility,
          pixels: toI420(await canvas.pixels(frame(visibility), PREVIEW_SIZE), PREVIEW_SIZE),
        }
      encoder.addFrameYuv(drawn.pixels)
      done++
      if (done % FRAMES_PER_SECOND === 0) post({ kind: 'progress', done, total })
    }
  }
  encoder.finalize()
  const bytes = encoder.FS.readFile(encoder.outputFilename)
  post({ kind: 'made', bytes, durationSeconds: total / FRAMES_PER_SECOND })
}

renderVideo(workerData as VideoRequest).catch((thrown: unknown) => {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  post({ kind: 'failed', code: isToolError(thrown) ? thrown.code : 'TOOL_INTERNAL_ERROR', message })
})

/** Converts RGBA to I420: luma, then chroma at a quarter of the pixels (BT.601, even sides). */
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
