import { escapeHtml } from '../web/html.ts'
import { clothPattern } from './cloth.ts'
import { drawBouquet, drawFlower, drawWreath } from './flowers.ts'
import { drawGarment } from './garments.ts'
import { createDice, type Dice, darken, leaf, lighten, n, place } from './paint.ts'
import type { Picture, SmallObject, Tint } from './picture.ts'
import { drawPlant } from './plants.ts'

const TINTS: Readonly<Record<Tint, readonly [wall: string, table: string]>> = {
  blush: ['#f4e0d9', '#e6c3b8'],
  sage: ['#e0e7da', '#c3d0bd'],
  cream: ['#f6eddd', '#e6d6bb'],
  sky: ['#e0e9ec', '#c0d2d9'],
  clay: ['#f0dac8', '#dcb99d'],
  plum: ['#e6dce3', '#cab8c7'],
}

/** Draws a picture as an SVG document of 600 by 720. */
export function draw(picture: Picture, name: string): string {
  const [wall, table] = TINTS[picture.tint]
  const stands =
    picture.kind === 'bouquet' ||
    picture.kind === 'plant' ||
    (picture.kind === 'object' && ['vase', 'candle', 'pocket-square'].includes(picture.object))
  const ground = stands
    ? `<path d="M0 604H600V720H0Z" fill="${table}"/><ellipse cx="310" cy="648" rx="170" ry="22" fill="${darken(table, 0.45)}" fill-opacity=".3"/>`
    : picture.kind === 'object'
      ? ''
      : `<ellipse cx="300" cy="664" rx="200" ry="16" fill="${darken(table, 0.4)}" fill-opacity=".16"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 720" role="img"><title>${escapeHtml(name)}</title><defs><radialGradient id="light" cx="34%" cy="24%" r="95%"><stop offset="0" stop-color="#fff" stop-opacity=".75"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="${darken(table, 0.3)}" stop-opacity=".3"/></radialGradient></defs><rect width="600" height="720" fill="${wall}"/>${ground}<rect width="600" height="720" fill="url(#light)"/>${drawSubject(picture, createDice(name))}</svg>
`
}

function drawSubject(picture: Picture, dice: Dice): string {
  switch (picture.kind) {
    case 'bouquet':
      return drawBouquet(picture, dice)
    case 'wreath':
      return drawWreath(picture, dice)
    case 'plant':
      return drawPlant(picture, dice)
    case 'garment':
      return drawGarment(picture)
    case 'object':
      return drawObject(picture, dice)
  }
}

type Thing = Extract<Picture, { kind: 'object' }>
type Tones = { readonly colour: string; readonly seam: string; readonly dice: Dice }

const FILL = 'fill="url(#cloth)"'

function drawObject({ object, colour, pattern }: Thing, dice: Dice): string {
  const tones = { colour, seam: darken(colour, 0.4), dice }
  return `<defs>${clothPattern(colour, pattern)}</defs>${OBJECTS[object](tones)}`
}

const cloth = (d: string, seam: string): string =>
  `<path d="${d}" ${FILL} stroke="${seam}" stroke-width="2.4" stroke-linejoin="round"/>`

function tie({ seam, colour }: Tones): string {
  return `${cloth('M330 132 372 150 400 470 356 560 330 470Z', seam)}${cloth('M262 112H338L322 178H278Z', seam)}${cloth('M278 178H322L366 566 300 648 234 566Z', seam)}<path d="M278 178H322L326 214Q300 226 274 214Z" fill="${darken(colour, 0.5)}" fill-opacity=".35"/><path d="M300 190V640" stroke="${darken(colour, 0.4)}" stroke-opacity=".25" stroke-width="2"/>`
}

function bowTie({ seam, colour }: Tones): string {
  return `${cloth('M300 350C240 280 150 262 108 292C96 340 96 400 108 448C150 470 240 430 300 372Z', seam)}${cloth('M300 350C360 280 450 262 492 292C504 340 504 400 492 448C450 470 360 430 300 372Z', seam)}${[-1, 1].map((side) => `<path d="M${300 + side * 30} 356Q${300 + side * 110} 340 ${300 + side * 170} 320M${300 + side * 30} 368Q${300 + side * 110} 384 ${300 + side * 170} 416" stroke="${darken(colour, 0.5)}" stroke-opacity=".5" stroke-width="3" fill="none"/>`).join('')}${cloth('M268 326H332Q344 360 332 400H268Q256 360 268 326Z', seam)}`
}

function scarf({ seam, colour }: Tones): string {
  const rolled = `stroke="${lighten(colour, 0.55)}" stroke-width="9" stroke-linejoin="round" fill="none"`
  return `<g transform="rotate(-9 300 370)"><path d="M118 176H484V552H118Z" fill="#00000014" transform="translate(9 14)"/>${cloth('M112 172H488V452L392 548H112Z', seam)}<path d="M112 172H488V452M392 548H112V172" ${rolled}/><path d="M150 210H450V440L376 510H150Z" fill="none" stroke="${lighten(colour, 0.6)}" stroke-width="3" stroke-opacity=".8"/><path d="M488 452 392 548Q398 478 384 436Q430 458 488 452Z" fill="${lighten(colour, 0.35)}" stroke="${darken(colour, 0.15)}" stroke-width="2"/><path d="M300 172Q280 360 300 548M112 360Q300 340 488 352" stroke="${darken(colour, 0.4)}" stroke-opacity=".16" stroke-width="7" fill="none"/></g>`
}

function pocketSquare({ seam, colour }: Tones): string {
  const edge = '#a8323e'
  const fold = (d: string, share: number) =>
    `<path d="${d}" fill="${darken(colour, share)}" stroke="${edge}" stroke-width="6" stroke-linejoin="round"/>`
  return `${fold('M170 520 214 210 300 400Z', 0.14)}${fold('M220 520 300 150 380 520Z', 0)}${fold('M300 420 396 206 434 520Z', 0.09)}<path d="M130 430H470V600Q470 622 448 622H152Q130 622 130 600Z" fill="#2b3a52"/><path d="M130 430H470V462H130Z" fill="#35465f"/><path d="M144 446H456" stroke="#51627c" stroke-width="2" stroke-dasharray="9 6"/><path d="M150 606H450" stroke="${seam}" stroke-opacity=".4"/>`
}

function sewingKit({ colour }: Tones): string {
  const spools = ['#8e2836', '#35507a', '#5f7f5d', '#d9a441', '#4a3f52', '#e3a4a0']
    .map((tone, index) => {
      const x = 160 + (index % 3) * 108
      const y = 200 + Math.floor(index / 3) * 120
      return `<rect x="${x - 8}" y="${y - 10}" width="76" height="14" rx="4" fill="#d8bb92"/><rect x="${x}" y="${y + 4}" width="60" height="66" fill="${tone}"/>${[0, 1, 2, 3, 4].map((row) => `<path d="M${x} ${y + 12 + row * 13}H${x + 60}" stroke="${lighten(tone, 0.25)}" stroke-width="2"/>`).join('')}<rect x="${x - 8}" y="${y + 70}" width="76" height="14" rx="4" fill="#c9a878"/>`
    })
    .join('')
  const dimples = Array.from(
    { length: 24 },
    (_, index) =>
      `<circle cx="${344 + (index % 6) * 15}" cy="${520 + Math.floor(index / 6) * 18}" r="4" fill="${darken(colour, 0.28)}"/>`,
  ).join('')
  return `${spools}<path d="M322 636 342 508Q382 466 422 508L442 636Q382 656 322 636Z" fill="${colour}"/><path d="M322 636 342 508Q360 488 382 486V648Q350 648 322 636Z" fill="${lighten(colour, 0.25)}"/>${dimples}<path d="M318 616Q382 640 446 616L448 640Q382 664 316 640Z" fill="${lighten(colour, 0.3)}"/><path d="M170 640 268 470" stroke="#8d9296" stroke-width="6" stroke-linecap="round"/><ellipse cx="262" cy="482" rx="3" ry="9" fill="#e9e2d8" transform="rotate(30 262 482)"/><path d="M262 480C200 470 190 540 150 500S110 420 160 440" fill="none" stroke="#8e2836" stroke-width="3"/>`
}

function scissors({ colour }: Tones): string {
  const blade = (turn: number, tone: string) =>
    `<g transform="rotate(${turn} 300 380)"><path d="M288 380 296 92Q300 76 306 92L316 380Z" fill="${tone}"/><path d="M302 110V370" stroke="#fff" stroke-opacity=".6" stroke-width="3"/></g>`
  const ring = (turn: number) =>
    `<g transform="rotate(${turn} 300 380)"><path d="M300 380V470" stroke="${colour}" stroke-width="22" stroke-linecap="round"/><ellipse cx="300" cy="556" rx="52" ry="78" fill="none" stroke="${colour}" stroke-width="24"/></g>`
  return `${blade(-13, '#aab1b5')}${blade(13, '#c9cfd2')}${ring(24)}${ring(-24)}<circle cx="300" cy="380" r="15" fill="#d9b36a" stroke="#8b6a2c" stroke-width="3"/>`
}

function buttons({ colour, dice }: Tones): string {
  return Array.from({ length: 12 }, (_, index) => {
    const x = 150 + (index % 3) * 150 + (dice() - 0.5) * 24
    const y = 160 + Math.floor(index / 3) * 136 + (dice() - 0.5) * 24
    const tone = darken(colour, dice() * 0.14)
    const holes = [
      [-12, -12],
      [12, -12],
      [-12, 12],
      [12, 12],
    ]
      .map(([dx = 0, dy = 0]) => `<circle cx="${dx}" cy="${dy}" r="5.4" fill="#5d5348"/>`)
      .join('')
    return place(
      x,
      y,
      dice() * 90,
      `<circle r="56" cy="5" fill="#00000022"/><circle r="55" fill="${tone}"/><circle r="55" fill="none" stroke="${darken(tone, 0.16)}" stroke-width="3"/><circle r="38" fill="${lighten(tone, 0.35)}"/><path d="M-34-24A42 42 0 0 1 20-38" stroke="#fff" stroke-width="6" stroke-linecap="round" fill="none" stroke-opacity=".9"/><path d="M30 26A40 40 0 0 1-6 40" stroke="#e3a4c0" stroke-width="5" stroke-opacity=".5" fill="none"/>${holes}`,
    )
  }).join('')
}

function candle({ colour, dice }: Tones): string {
  return `<circle cx="300" cy="196" r="120" fill="#ffe9b8" fill-opacity=".45"/><path d="M300 128C326 170 334 196 318 220Q300 240 282 220C266 196 280 176 300 128Z" fill="#f2a93c"/><path d="M300 172C312 192 316 208 308 220Q300 228 292 220C284 208 292 194 300 172Z" fill="#fff1c4"/><path d="M300 224V290" stroke="#4a3a30" stroke-width="5"/><path d="M190 280H410V600Q410 636 374 636H226Q190 636 190 600Z" fill="#e9f0ef" fill-opacity=".65" stroke="#a9bab9" stroke-width="3"/><path d="M200 340H400V596Q400 626 372 626H228Q200 626 200 596Z" fill="${colour}"/><ellipse cx="300" cy="340" rx="100" ry="14" fill="${lighten(colour, 0.4)}"/><rect x="230" y="420" width="140" height="134" rx="4" fill="#fffaf2"/><path d="M244 434H356V540H244Z" fill="none" stroke="#7c2233" stroke-width="2"/>${place(300, 484, 0, drawFlower('rose', { colour: '#b9435a', size: 34, dice }))}<path d="M214 300V590" stroke="#fff" stroke-width="7" stroke-opacity=".7" stroke-linecap="round"/>`
}

function voucher({ colour, dice }: Tones): string {
  const bloom = (x: number, y: number, size: number, tone: string) =>
    place(x, y, dice() * 90, drawFlower('rose', { colour: tone, size, dice }))
  return `<g transform="rotate(-7 300 370)"><rect x="92" y="236" width="416" height="270" rx="8" fill="#00000018" transform="translate(8 12)"/><rect x="92" y="236" width="416" height="270" rx="8" fill="#fffaf1"/><rect x="110" y="254" width="380" height="234" rx="4" fill="none" stroke="${colour}" stroke-width="2.4"/>${place(160, 440, -50, leaf(90, 36, '#6f8a66'))}${place(180, 450, 30, leaf(80, 34, '#5d7a58'))}${bloom(170, 430, 58, colour)}${bloom(226, 458, 38, '#dc8f8f')}${bloom(132, 386, 30, '#e9bcae')}<path d="M300 330H450M330 356H450" stroke="#5a4a42" stroke-width="6" stroke-linecap="round"/><path d="M300 300H450" stroke="${colour}" stroke-width="12" stroke-linecap="round"/><path d="M360 440H450" stroke="#c9b7a2" stroke-width="5" stroke-linecap="round" stroke-dasharray="2 11"/></g>`
}

function apron({ seam, colour }: Tones): string {
  return `<path d="M244 190C230 110 370 110 356 190" fill="none" stroke="#7a5b41" stroke-width="13"/>${cloth('M232 186H368L384 330C430 350 452 380 456 420L466 632Q300 660 134 632L144 420C148 380 170 350 216 330Z', seam)}${cloth('M190 440H410V560Q300 580 190 560Z', seam)}<path d="M300 440V572M190 456H410" stroke="${lighten(colour, 0.4)}" stroke-width="2.5" stroke-dasharray="8 6"/><path d="M146 410C90 420 70 470 84 540M454 410C510 420 530 470 516 540" fill="none" stroke="#7a5b41" stroke-width="10" stroke-linecap="round"/><path d="M232 186H368L370 206H230Z" fill="${darken(colour, 0.25)}"/>${place(246, 452, -8, '<path d="M-6 0V-70M10 0V-58" stroke="#5d7a58" stroke-width="6"/><path d="M-20-60 12-60-4-96Z" fill="#c9a177"/>')}`
}

function vase({ colour, dice }: Tones): string {
  const stems = [-16, -4, 9, 20]
    .map((turn, index) =>
      place(
        300,
        280,
        turn,
        `<path d="M0 60V-${110 + index * 14}" stroke="#5d7a58" stroke-width="5"/><g transform="translate(0 -${140 + index * 14})">${drawFlower('tulip', { colour: ['#e2a03a', '#d96f5b', '#e9c7b4', '#c94f5f'][index] ?? '#e2a03a', size: 42, dice })}</g>`,
      ),
    )
    .join('')
  return `${stems}<path d="M262 306C266 370 196 404 196 500C196 590 236 644 300 644S404 590 404 500C404 404 334 370 338 306Z" fill="${colour}"/><path d="M300 306H338C334 370 404 404 404 500C404 590 364 644 300 644Z" fill="${darken(colour, 0.13)}"/><path d="M222 470C216 520 224 566 246 600" stroke="${lighten(colour, 0.5)}" stroke-width="9" stroke-linecap="round" fill="none"/><path d="M204 462C260 486 340 486 396 462C410 540 398 570 300 576C202 570 190 540 204 462Z" fill="${lighten(colour, 0.35)}" fill-opacity=".35"/><ellipse cx="300" cy="306" rx="38" ry="9" fill="${darken(colour, 0.35)}"/>`
}

function ribbon({ colour }: Tones): string {
  const tones = [colour, '#5f7f5d', '#d9b36a', '#8f7aa3', '#e3a4a0']
  return tones
    .map((tone, index) => {
      const x = 170 + (index % 3) * 130 + Math.floor(index / 3) * 65
      const y = 250 + Math.floor(index / 3) * 220
      return `<path d="M${x + 40} ${y + 20}C${x + 90} ${y + 60} ${x + 20} ${y + 120} ${x + 76} ${y + 176}" stroke="${darken(tone, 0.12)}" stroke-width="30" fill="none"/><circle cx="${x}" cy="${y}" r="70" fill="${tone}"/><circle cx="${x}" cy="${y}" r="${n(54)}" fill="none" stroke="${darken(tone, 0.18)}" stroke-width="3"/><circle cx="${x}" cy="${y}" r="40" fill="none" stroke="${lighten(tone, 0.25)}" stroke-width="3"/><circle cx="${x}" cy="${y}" r="24" fill="#d8bb92"/><circle cx="${x}" cy="${y}" r="10" fill="#a98a5e"/>`
    })
    .join('')
}

const OBJECTS: Readonly<Record<SmallObject, (tones: Tones) => string>> = {
  tie,
  'bow-tie': bowTie,
  scarf,
  'pocket-square': pocketSquare,
  'sewing-kit': sewingKit,
  scissors,
  buttons,
  candle,
  voucher,
  apron,
  vase,
  ribbon,
}
