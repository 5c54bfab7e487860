import type { Flyer } from './flyer.ts'
import type { Layout } from './layouts.ts'
import { DARK, LIGHT, type Look } from './look.ts'
import { box, column, fitFontSize, line } from './markup.ts'
import { foot } from './open-layouts.ts'

/** Held-out layouts, which are not shown to the developers of the extractor. */
export const HELD_OUT_LAYOUTS: readonly Layout[] = [
  { name: 'postcard', width: 1250, height: 850, looks: LIGHT, draw: postcard },
  { name: 'ribbon', width: 900, height: 1370, looks: [...LIGHT, ...DARK], draw: ribbon },
  { name: 'notice', width: 850, height: 1150, looks: LIGHT.slice(0, 3), draw: notice },
]

function postcard(flyer: Flyer, look: Look): string {
  const dot = (size: number, style: string): string =>
    box(`position:absolute;width:${size}px;height:${size}px;border-radius:${size / 2}px;${style}`)
  return box(
    `width:100%;height:100%;background:${look.paper};color:${look.ink}`,
    box(
      `position:relative;width:400px;height:100%;background:${look.accent};overflow:hidden`,
      dot(320, `top:-60px;left:-80px;background:${look.paper};opacity:0.35`),
      dot(240, `top:340px;left:180px;background:${look.ink};opacity:0.2`),
      dot(160, `top:640px;left:60px;background:${look.paper};opacity:0.5`),
    ),
    column(
      'width:850px;padding:60px',
      line(`font-size:28px;font-style:italic;color:${look.quiet}`, flyer.tagline),
      line(
        `font-size:${fitFontSize(flyer.title, { width: 720, lines: 2, most: 84 })}px;font-weight:800;font-style:italic;line-height:1.1;margin-top:10px`,
        flyer.title,
      ),
      line('font-size:34px;margin-top:44px', `${flyer.venue} · ${flyer.address}`),
      line(
        'font-size:40px;font-weight:700;margin-top:36px',
        [flyer.dayLine, flyer.timeLine].filter(Boolean).join(', '),
      ),
      line('font-size:30px;margin-top:24px', flyer.priceLine),
      line('font-size:24px;margin-top:24px', flyer.presenter),
      foot(flyer, `color:${look.quiet}`),
    ),
  )
}

function ribbon(flyer: Flyer, look: Look): string {
  return column(
    `width:100%;height:100%;padding:60px;align-items:center;text-align:center;background:${look.paper};color:${look.ink}`,
    line('font-size:28px', flyer.presenter),
    column(
      `width:780px;margin-top:40px;padding:40px;border:6px solid ${look.ink};align-items:center`,
      line(
        `font-size:${fitFontSize(flyer.title, { width: 660, lines: 2, most: 90 })}px;font-weight:900;line-height:1.1`,
        flyer.title,
      ),
      line('font-size:28px;margin-top:16px', flyer.tagline),
    ),
    column(
      `width:700px;margin-top:70px;padding:24px;background:${look.accent};color:${look.onAccent};transform:rotate(-4deg);align-items:center`,
      line('font-size:42px;font-weight:800', flyer.dayLine),
      line('font-size:36px;font-weight:600;margin-top:6px', flyer.timeLine),
    ),
    line('font-size:38px;font-weight:700;margin-top:90px', flyer.venue),
    ...flyer.address.split(', ').map((part) => line('font-size:30px;margin-top:6px', part)),
    flyer.priceLine === undefined
      ? ''
      : box(
          `margin-top:50px;padding:20px 40px;border-radius:60px;border:4px solid ${look.ink}`,
          line('font-size:32px;font-weight:600', flyer.priceLine),
        ),
    foot(flyer, `color:${look.quiet};align-items:center`),
  )
}

/** A typed notice: one size, few lines, all facts in running text. */
function notice(flyer: Flyer, look: Look): string {
  const { labels } = flyer
  return column(
    `width:100%;height:100%;padding:80px 70px;background:${look.paper};color:${look.ink}`,
    line('font-size:30px', flyer.presenter),
    line(
      `font-size:${fitFontSize(flyer.title, { width: 690, lines: 2, most: 56 })}px;font-weight:700;line-height:1.2;margin-top:30px`,
      flyer.title,
    ),
    line('font-size:30px;margin-top:24px;line-height:1.4', flyer.tagline),
    line(
      'font-size:30px;margin-top:40px;line-height:1.5',
      `${flyer.dayLine}${flyer.timeLine ? `, ${flyer.timeLine}` : ''}`,
    ),
    line('font-size:30px;line-height:1.5', `${labels.where}: ${flyer.venue}, ${flyer.address}`),
    line('font-size:30px;line-height:1.5', flyer.priceLine),
    box(`width:100%;height:3px;background:${look.quiet};margin-top:60px`),
    foot(flyer, `color:${look.quiet}`),
  )
}
