import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { seededRandom } from '@surehand/testing'
import sharp from 'sharp'
import { Renderer } from 'takumi-js/node'
import type { Look, PrescriptionCase } from './case.ts'

const FONTS: Readonly<Record<Look['font'], readonly [name: string, pack: string, file: string]>> = {
  sans: ['Noto Sans', '@fontsource-variable/noto-sans', 'noto-sans-latin-wght-normal.woff2'],
  serif: ['Fraunces', '@fontsource-variable/fraunces', 'fraunces-latin-wght-normal.woff2'],
  hand: ['Caveat', '@fontsource/caveat', 'caveat-latin-400-normal.woff2'],
  scrawl: ['Homemade Apple', '@fontsource/homemade-apple', 'homemade-apple-latin-400-normal.woff2'],
}
const SIZES: Readonly<Record<Look['font'], number>> = { sans: 34, serif: 34, hand: 52, scrawl: 38 }

/** Draws a prescription as a picture, as its look says. */
export async function drawPrescription({ id, look, lines }: PrescriptionCase): Promise<Uint8Array> {
  const [name, pack, file] = FONTS[look.font]
  const folder = dirname(createRequire(import.meta.url).resolve(`${pack}/package.json`))
  const renderer = new Renderer()
  await renderer.registerFont({ name, data: await readFile(join(folder, 'files', file)) })
  const size = { width: 1200, height: 160 + lines.length * 96 }
  const children = lines.map((text) => ({
    type: 'text' as const,
    text,
    style: { fontSize: SIZES[look.font], color: '#1d2433', fontFamily: name },
  }))
  const style = {
    ...size,
    backgroundColor: '#fdfdf8',
    display: 'flex',
    flexDirection: 'column',
    padding: 60,
    gap: 30,
  } as const
  const png = await renderer.render(
    { type: 'container', style, children },
    { ...size, format: 'png', fontFamilies: [name] },
  )
  return addNoise(new Uint8Array(png), look, id)
}

async function addNoise(png: Uint8Array, look: Look, seed: string): Promise<Uint8Array> {
  const turned = sharp(png).rotate(look.degrees, { background: '#8a7f70' })
  if (look.noise === 0) return new Uint8Array(await turned.png().toBuffer())
  const { data, info } = await turned.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const random = seededRandom(seed)
  const grain = look.noise * 14
  for (let at = 0; at < data.length; at += info.channels) {
    // One side of the sheet is in shadow.
    const x = ((at / info.channels) % info.width) / info.width
    const light = 1 - 0.22 * look.noise * x
    const shift = random.whole(-grain, grain)
    for (let channel = 0; channel < info.channels; channel++)
      data[at + channel] = Math.min(255, Math.max(0, (data[at + channel] ?? 0) * light + shift))
  }
  const photo = await sharp(data, { raw: info })
    .blur(0.4 + 0.3 * look.noise)
    .jpeg({ quality: 85 - 12 * look.noise })
    .toBuffer()
  return new Uint8Array(photo)
}
