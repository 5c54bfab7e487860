import { contractSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { localWorld } from '../fixtures/local-world.ts'
import { artifactPictures, keepPicture } from './keep-picture.ts'

function pictures() {
  const kept: Uint8Array[] = []
  const port = artifactPictures({
    values: memoryStores().values,
    keepArtifact: async ({ bytes }) => ({ url: `https://server.example/${kept.push(bytes)}.jpg` }),
  })
  return { port, kept }
}

contractSuite(keepPicture, {
  open: localWorld(() => {
    const { port, kept } = pictures()
    return { providers: { pictures: port }, effects: () => kept.length }
  }),
})

test('a small copy is stored once for a key, without what the phone wrote into it', async () => {
  const { port, kept } = pictures()
  const photo = await sharp({
    create: { width: 2_400, height: 1_200, channels: 3, background: '#fff' },
  })
    .withExif({ IFD0: { Artist: 'Ann' } })
    .jpeg()
    .toBuffer()
  const picture = {
    tenant: 'home',
    idempotencyKey: 'k',
    imageBytes: photo.toString('base64'),
  }
  const { signal } = new AbortController()
  const first = await port.keep(picture, signal)
  expect(await port.keep(picture, signal)).toEqual(first)
  expect(kept).toHaveLength(1)
  const { width, height, exif } = await sharp(kept[0]).metadata()
  expect({ width, height, exif }).toEqual({ width: 1_200, height: 600, exif: undefined })
})
