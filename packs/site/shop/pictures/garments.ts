import { clothPattern } from './cloth.ts'
import { darken, lighten } from './paint.ts'
import type { Cut, Picture } from './picture.ts'

type Garment = Extract<Picture, { kind: 'garment' }>
type Tones = { readonly cloth: string; readonly seam: string; readonly shade: string }

const FILL = 'fill="url(#cloth)"'
const HANGER =
  '<path d="M300 62C300 40 328 40 328 60C328 76 300 78 300 98" fill="none" stroke="#8a8078" stroke-width="5" stroke-linecap="round"/><path d="M300 96C262 116 196 142 164 168Q158 178 170 180H430Q442 178 436 168C404 142 338 116 300 96Z" fill="#b48a5e"/><path d="M300 96C262 116 196 142 164 168" fill="none" stroke="#c9a177" stroke-width="4"/>'

/** A garment on a hanger. */
export function drawGarment({ cut, cloth, pattern }: Garment): string {
  const tones = { cloth, seam: darken(cloth, 0.34), shade: darken(cloth, 0.5) }
  return `<defs>${clothPattern(cloth, pattern)}</defs>${HANGER}${CUTS[cut](tones)}`
}

const line = (d: string, colour: string, width = 2.4): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const part = (d: string, { seam }: Tones): string =>
  `<path d="${d}" ${FILL} stroke="${seam}" stroke-width="2.4" stroke-linejoin="round"/>`
const shadow = (d: string, { shade }: Tones, opacity = 0.13): string =>
  `<path d="${d}" fill="${shade}" fill-opacity="${opacity}"/>`
const button = (x: number, y: number, colour: string): string =>
  `<circle cx="${x}" cy="${y}" r="6" fill="${colour}" stroke="#00000055" stroke-width="1"/><circle cx="${x - 1.6}" cy="${y - 1.6}" r="1" fill="#00000077"/><circle cx="${x + 1.6}" cy="${y + 1.6}" r="1" fill="#00000077"/>`

function shirt(tones: Tones): string {
  const { seam } = tones
  const sleeves =
    part('M182 162C140 184 112 230 96 316L74 486 128 500 176 330Z', tones) +
    part('M418 162C460 184 488 230 504 316L526 486 472 500 424 330Z', tones) +
    line('M80 452 136 466M520 452 464 466', seam)
  const body = part(
    'M250 122C226 138 200 152 176 166L170 640Q300 662 430 640L424 166C400 152 374 138 350 122L300 150Z',
    tones,
  )
  const folds =
    shadow('M176 166 170 640Q196 645 214 647L206 300Z', tones) +
    shadow('M424 166 430 640Q404 645 386 647L394 300Z', tones) +
    shadow('M286 200H314V656H286Z', tones, 0.06)
  const collar =
    part('M250 122C262 146 282 166 300 182L262 222 226 142Z', tones) +
    part('M350 122C338 146 318 166 300 182L338 222 374 142Z', tones) +
    shadow('M252 122Q300 168 348 122Q300 140 252 122Z', tones, 0.4)
  const pocket = part('M336 292H392V344L364 358 336 344Z', tones)
  const front = line('M286 198V654M314 198V654', seam, 1.6)
  const buttons = [236, 300, 364, 428, 492, 556].map((y) => button(300, y, '#f7f1e6')).join('')
  return sleeves + body + folds + pocket + front + collar + buttons
}

function blouse(tones: Tones): string {
  const { seam } = tones
  const sleeves =
    part(
      'M192 160C136 176 96 236 84 322C76 380 92 432 122 448L168 430C176 380 178 330 190 300Z',
      tones,
    ) +
    part(
      'M408 160C464 176 504 236 516 322C524 380 508 432 478 448L432 430C424 380 422 330 410 300Z',
      tones,
    ) +
    shadow('M96 400Q130 420 172 404L168 430 122 448Q104 438 96 400Z', tones) +
    shadow('M504 400Q470 420 428 404L432 430 478 448Q496 438 504 400Z', tones)
  const body = part(
    'M244 126C222 140 206 150 186 164C200 260 196 330 178 420C168 480 162 540 160 604Q300 640 440 604C438 540 432 480 422 420C404 330 400 260 414 164C394 150 378 140 356 126Q300 196 244 126Z',
    tones,
  )
  const folds =
    shadow(
      'M186 164C200 260 196 330 178 420L160 604Q184 610 204 614C206 520 224 400 214 250Z',
      tones,
    ) +
    shadow(
      'M414 164C400 260 404 330 422 420L440 604Q416 610 396 614C394 520 376 400 386 250Z',
      tones,
    )
  const collar =
    part('M244 126C220 158 214 190 250 200C284 206 298 190 300 172Q266 158 244 126Z', tones) +
    part('M356 126C380 158 386 190 350 200C316 206 302 190 300 172Q334 158 356 126Z', tones)
  const front = line('M300 188V622', seam, 1.8)
  const buttons = [226, 286, 346, 406, 466, 526]
    .map((y) => button(300, y, lighten(seam, 0.5)))
    .join('')
  return sleeves + body + folds + front + collar + buttons
}

function jacket(tones: Tones): string {
  const { seam, cloth } = tones
  const dark = { ...tones, seam: darken(cloth, 0.5) }
  const shirtFront =
    '<path d="M250 122 300 360 350 122Q300 148 250 122Z" fill="#f4efe6"/><path d="M288 150H312L308 172 318 300 300 344 282 300 292 172Z" fill="#8e2836"/><path d="M250 122 300 156 282 190 240 140ZM350 122 300 156 318 190 360 140Z" fill="#fffaf2" stroke="#cfc5b5" stroke-width="1.5"/>'
  const sleeves =
    part('M180 160C134 182 112 236 104 320L92 560Q112 574 146 566L182 340Z', dark) +
    part('M420 160C466 182 488 236 496 320L508 560Q488 574 454 566L418 340Z', dark) +
    [508, 524, 540]
      .map((y) => button(112, y, lighten(cloth, 0.25)) + button(488, y, lighten(cloth, 0.25)))
      .join('')
  const body =
    part('M246 122C222 140 200 150 176 164L168 606Q190 640 262 632L300 372Z', dark) +
    part('M354 122C378 140 400 150 424 164L432 606Q410 640 330 632L286 400 300 372Z', dark) +
    shadow('M176 164 168 606Q180 626 206 632L214 300Z', tones, 0.25) +
    shadow('M424 164 432 606Q420 626 394 632L386 300Z', tones, 0.25)
  const lapels =
    part('M246 122C232 132 226 138 214 146L206 226 238 236 222 262 298 376 260 190Z', dark) +
    part('M354 122C368 132 374 138 386 146L394 226 362 236 378 262 302 376 340 190Z', dark)
  const pockets =
    part('M190 470H256V490H190Z', dark) +
    part('M344 470H410V490H344Z', dark) +
    '<path d="M352 300 396 290 394 302 354 312Z" fill="#f3ede2"/><path d="M356 300 366 274 376 292 388 270 394 292Z" fill="#f7f1e6"/>'
  const buttons = button(306, 404, lighten(seam, 0.3)) + button(306, 470, lighten(seam, 0.3))
  return sleeves + shirtFront + body + lapels + pockets + buttons
}

function waistcoat(tones: Tones): string {
  const shirtPart =
    '<path d="M180 162C140 184 116 230 102 316L84 470 134 482 184 330ZM420 162C460 184 484 230 498 316L516 470 466 482 416 330Z" fill="#f2ece1" stroke="#cfc5b5" stroke-width="2"/><path d="M244 124 176 166 186 300H414L424 166 356 124Q300 152 244 124Z" fill="#f6f1e7"/><path d="M250 122 300 164 274 206 232 142ZM350 122 300 164 326 206 368 142Z" fill="#fffaf2" stroke="#cfc5b5" stroke-width="2"/>'
  const body =
    part('M214 150C200 230 204 300 180 340L176 556 250 620 300 560V352Z', tones) +
    part('M386 150C400 230 396 300 420 340L424 556 350 620 300 560V352Z', tones) +
    shadow('M180 340 176 556 214 588 220 320Z', tones, 0.2) +
    shadow('M420 340 424 556 386 588 380 320Z', tones, 0.2)
  const pockets =
    part('M200 480 260 472V490L200 498Z', tones) + part('M400 480 340 472V490L400 498Z', tones)
  const buttons = [372, 412, 452, 492, 532].map((y) => button(310, y, '#3b2b20')).join('')
  return shirtPart + body + pockets + line('M300 352V560', tones.seam) + buttons
}

function trousers(tones: Tones): string {
  const { seam } = tones
  const rail = '<path d="M190 176H410" stroke="#c9a177" stroke-width="7"/>'
  const legs =
    part('M206 186H394L430 646Q392 660 346 652L304 340 296 340 254 652Q208 660 170 646Z', tones) +
    shadow('M206 186 170 646Q184 654 204 656L240 300Z', tones) +
    shadow('M394 186 430 646Q416 654 396 656L360 300Z', tones)
  const waist =
    part('M202 176H398V212H202Z', tones) +
    [224, 268, 332, 376].map((x) => part(`M${x - 5} 172H${x + 5}V216H${x - 5}Z`, tones)).join('')
  const pleats = line(
    'M250 214 234 640M350 214 366 640M270 214 262 300M330 214 338 300M300 212V340M212 226 236 268M388 226 364 268',
    seam,
    2,
  )
  return rail + legs + waist + pleats + button(300, 194, '#3a3634')
}

function dress(tones: Tones): string {
  const { seam } = tones
  const body = part(
    'M232 140C228 190 236 230 224 290 L222 356H378L376 290C364 230 372 190 368 140L344 134C340 186 326 206 300 208S260 186 256 134Z',
    tones,
  )
  const skirt =
    part(
      'M222 356C196 450 152 560 130 640Q214 672 300 668T470 640C448 560 404 450 378 356Z',
      tones,
    ) +
    [214, 262, 338, 386]
      .map((x, index) =>
        shadow(
          `M${252 + index * 32} 362Q${x} 520 ${x - 20} 660L${x + 12} 662Q${x + 8} 520 ${262 + index * 30} 362Z`,
          tones,
          0.14,
        ),
      )
      .join('')
  const straps = line('M240 138 262 112M360 138 338 112', seam, 9)
  const belt = `<path d="M220 342H380V368H220Z" fill="${darken(tones.cloth, 0.25)}"/><path d="M300 356C276 336 256 352 272 364S300 362 300 356C324 336 344 352 328 364S300 362 300 356ZM298 360 280 410 290 408 302 364M304 360 322 412 312 408 300 366" fill="${darken(tones.cloth, 0.36)}"/>`
  return straps + skirt + body + line('M300 208V342', seam, 1.6) + belt
}

function skirt(tones: Tones): string {
  const rail = '<path d="M190 176H410" stroke="#c9a177" stroke-width="7"/>'
  const body = part(
    'M212 190H388C400 340 440 500 466 620Q300 660 134 620C160 500 200 340 212 190Z',
    tones,
  )
  const pleats = Array.from({ length: 10 }, (_, index) => {
    const top = 222 + index * 17.4
    const bottom = 152 + index * 32.8
    return shadow(`M${top} 200 ${bottom} 634 ${bottom + 14} 640 ${top + 4} 200Z`, tones, 0.24)
  }).join('')
  return rail + body + pleats + part('M206 172H394V206H206Z', tones)
}

function coat(tones: Tones): string {
  const { seam, cloth } = tones
  const sleeves =
    part('M178 162C130 186 104 250 94 340L80 560Q104 576 144 566L180 350Z', tones) +
    part('M422 162C470 186 496 250 506 340L520 560Q496 576 456 566L420 350Z', tones) +
    shadow('M84 510Q112 524 150 514L144 566Q104 576 80 560Z', tones) +
    shadow('M516 510Q488 524 450 514L456 566Q496 576 520 560Z', tones)
  const body =
    part(
      'M244 124C222 140 198 152 172 166L152 662Q300 690 448 662L428 166C402 152 378 140 356 124L300 170Z',
      tones,
    ) +
    shadow('M172 166 152 662Q178 668 204 672L210 300Z', tones, 0.2) +
    shadow('M428 166 448 662Q422 668 396 672L390 300Z', tones, 0.2)
  const collar =
    part('M244 124 300 172 280 300 196 222 212 144Z', tones) +
    part('M356 124 300 172 320 300 404 222 388 144Z', tones)
  const pockets =
    part('M184 470 250 460V490L184 500Z', tones) + part('M416 470 350 460V490L416 500Z', tones)
  const horn = lighten(cloth, 0.4)
  const buttons = [336, 404, 472, 540]
    .map((y) => button(286, y, horn) + button(330, y, horn))
    .join('')
  return sleeves + body + line('M308 300V676', seam) + collar + pockets + buttons
}

const CUTS: Readonly<Record<Cut, (tones: Tones) => string>> = {
  shirt,
  blouse,
  jacket,
  waistcoat,
  trousers,
  dress,
  skirt,
  coat,
}
