import type { Flyer } from './flyer.ts'
import type { Layout } from './layouts.ts'
import { DARK, LIGHT, type Look } from './look.ts'
import { box, column, fitFontSize, line } from './markup.ts'

/** The layouts that are not held out. */
export const OPEN_LAYOUTS: readonly Layout[] = [
  { name: 'centred', width: 900, height: 1200, looks: LIGHT, draw: centred },
  { name: 'gradient', width: 900, height: 1300, looks: DARK, draw: gradient },
  { name: 'date-block', width: 900, height: 1150, looks: LIGHT, draw: dateBlock },
  { name: 'labels', width: 850, height: 1200, looks: LIGHT, draw: labels },
  { name: 'columns', width: 1200, height: 920, looks: LIGHT, draw: columns },
  { name: 'band', width: 900, height: 1200, looks: [...LIGHT, ...DARK], draw: band },
  { name: 'bottom-title', width: 900, height: 1200, looks: LIGHT, draw: bottomTitle },
  { name: 'capitals', width: 850, height: 1250, looks: DARK, draw: capitals },
  { name: 'ticket', width: 1300, height: 660, looks: LIGHT, draw: ticket },
]

function centred(flyer: Flyer, look: Look): string {
  return column(
    `width:100%;height:100%;align-items:center;text-align:center;padding:70px 60px;background:${look.paper};color:${look.ink}`,
    line('font-size:28px;font-style:italic', flyer.presenter),
    line(
      `font-size:${fitFontSize(flyer.title, { width: 760, lines: 2, most: 96 })}px;font-weight:800;line-height:1.1;margin-top:30px`,
      flyer.title,
    ),
    line(`font-size:32px;color:${look.quiet};margin-top:24px`, flyer.tagline),
    box(`width:220px;height:8px;background:${look.accent};margin:50px 0`),
    line('font-size:44px;font-weight:700', flyer.dayLine),
    line('font-size:38px;margin-top:14px', flyer.timeLine),
    line('font-size:40px;font-weight:600;margin-top:50px', flyer.venue),
    line('font-size:30px;margin-top:8px', flyer.address),
    line('font-size:34px;margin-top:40px', flyer.priceLine),
    foot(flyer, `color:${look.quiet};align-items:center`),
  )
}

function gradient(flyer: Flyer, look: Look): string {
  return column(
    `width:100%;height:100%;padding:80px 70px;background:linear-gradient(160deg,${look.paper},#5b3a6b);color:${look.ink}`,
    line(
      `font-size:44px;font-weight:600;color:${look.accent}`,
      [flyer.dayLine, flyer.timeLine].filter(Boolean).join(' · '),
    ),
    line(
      `font-size:${fitFontSize(flyer.title, { width: 760, lines: 3, most: 120 })}px;font-weight:900;line-height:1.05;margin-top:60px`,
      flyer.title,
    ),
    line('font-size:34px;margin-top:30px', flyer.tagline),
    line('font-size:28px;margin-top:20px;font-style:italic', flyer.presenter),
    line('font-size:42px;font-weight:700;margin-top:80px', flyer.venue),
    line('font-size:32px;margin-top:8px', flyer.address),
    line(`font-size:36px;margin-top:36px;color:${look.accent}`, flyer.priceLine),
    foot(flyer, `color:${look.quiet}`),
  )
}

function dateBlock(flyer: Flyer, look: Look): string {
  const { block } = flyer
  const day = block
    ? column(
        `width:280px;height:300px;align-items:center;justify-content:center;background:${look.accent};color:${look.onAccent}`,
        line('font-size:34px;font-weight:600', block.top),
        line('font-size:120px;font-weight:900;line-height:1.1', block.middle),
        line('font-size:30px;font-weight:600', block.bottom),
      )
    : column(
        `width:280px;height:300px;align-items:center;justify-content:center;text-align:center;padding:20px;background:${look.accent};color:${look.onAccent}`,
        line('font-size:40px;font-weight:800;line-height:1.2', flyer.dayLine),
      )
  return column(
    `width:100%;height:100%;padding:60px;background:${look.paper};color:${look.ink}`,
    line(
      `font-size:${fitFontSize(flyer.title, { width: 780, lines: 2, most: 100 })}px;font-weight:800;line-height:1.1`,
      flyer.title,
    ),
    line(`font-size:32px;color:${look.quiet};margin-top:20px`, flyer.tagline),
    box(
      'margin-top:60px',
      day,
      column(
        'margin-left:40px;width:440px;justify-content:center',
        line('font-size:36px;font-weight:700', flyer.timeLine),
        line('font-size:36px;font-weight:600;margin-top:24px', flyer.venue),
        line('font-size:28px;margin-top:6px', flyer.address),
        line('font-size:32px;margin-top:24px', flyer.priceLine),
      ),
    ),
    line('font-size:28px;margin-top:50px', flyer.presenter),
    foot(flyer, `color:${look.quiet}`),
  )
}

function labels(flyer: Flyer, look: Look): string {
  const row = (label: string, ...texts: readonly (string | undefined)[]): string =>
    texts.every((text) => text === undefined)
      ? ''
      : box(
          'margin-top:36px',
          line(
            `width:200px;font-size:32px;font-weight:800;color:${look.accent === '#f2c230' ? look.ink : look.accent}`,
            `${label}:`,
          ),
          column(
            'width:520px',
            ...texts.map((text) => line('font-size:34px;line-height:1.3', text)),
          ),
        )
  return column(
    `width:100%;height:100%;padding:70px 60px;background:${look.paper};color:${look.ink}`,
    line('font-size:28px', flyer.presenter),
    line(
      `font-size:${fitFontSize(flyer.title, { width: 720, lines: 2, most: 90 })}px;font-weight:800;line-height:1.1;margin-top:16px`,
      flyer.title,
    ),
    line(`font-size:30px;margin-top:20px;color:${look.quiet}`, flyer.tagline),
    column(
      'margin-top:40px',
      row(flyer.labels.when, flyer.dayLine),
      row(flyer.labels.time, flyer.timeLine),
    ),
    row(flyer.labels.where, flyer.venue, flyer.address),
    row(flyer.labels.admission, flyer.priceLine),
    foot(flyer, `color:${look.quiet}`),
  )
}

function columns(flyer: Flyer, look: Look): string {
  return column(
    `width:100%;height:100%;padding:60px 70px;background:${look.paper};color:${look.ink}`,
    line(
      `font-size:${fitFontSize(flyer.title, { width: 1060, lines: 2, most: 96 })}px;font-weight:900;line-height:1.1`,
      flyer.title,
    ),
    line(`font-size:32px;margin-top:16px;color:${look.quiet}`, flyer.tagline),
    box(
      `margin-top:50px;border-top:4px solid ${look.accent};padding-top:40px`,
      column(
        'width:500px',
        line('font-size:38px;font-weight:700', flyer.dayLine),
        line('font-size:34px;margin-top:12px', flyer.timeLine),
        line('font-size:32px;margin-top:24px', flyer.priceLine),
      ),
      column(
        'width:500px;margin-left:60px',
        line('font-size:38px;font-weight:700', flyer.venue),
        line('font-size:30px;margin-top:12px', flyer.address),
      ),
    ),
    line('font-size:26px;margin-top:40px;font-style:italic', flyer.presenter),
    foot(flyer, `color:${look.quiet}`),
  )
}

function band(flyer: Flyer, look: Look): string {
  return column(
    `width:100%;height:100%;background:${look.paper};color:${look.ink}`,
    column(
      `width:100%;padding:60px;background:${look.accent};color:${look.onAccent}`,
      line(
        `font-size:${fitFontSize(flyer.title, { width: 760, lines: 2, most: 100 })}px;font-weight:900;line-height:1.1`,
        flyer.title,
      ),
      line('font-size:32px;margin-top:16px', flyer.tagline),
    ),
    column(
      'flex-grow:1;padding:60px',
      line('font-size:40px;font-weight:700', flyer.dayLine),
      line('font-size:40px;margin-top:10px', flyer.timeLine),
      line('font-size:36px;margin-top:50px', `${flyer.venue}, ${flyer.address}`),
      line('font-size:34px;margin-top:40px;font-weight:600', flyer.priceLine),
      line('font-size:28px;margin-top:40px', flyer.presenter),
      foot(flyer, `color:${look.quiet}`),
    ),
  )
}

function bottomTitle(flyer: Flyer, look: Look): string {
  return column(
    `width:100%;height:100%;padding:70px;background:${look.paper};color:${look.ink}`,
    box(
      'justify-content:space-between',
      column(
        'width:440px',
        line('font-size:34px;font-weight:600', flyer.dayLine),
        line('font-size:34px;margin-top:6px', flyer.timeLine),
      ),
      column(
        'width:300px;align-items:flex-end;text-align:right',
        line('font-size:30px', flyer.priceLine),
      ),
    ),
    box(
      `width:240px;height:240px;flex-shrink:0;border-radius:120px;background:${look.accent};margin:70px 0 60px 240px`,
    ),
    line(
      `font-size:${fitFontSize(flyer.title, { width: 740, lines: 2, most: 92 })}px;font-weight:800;line-height:1.1`,
      flyer.title,
    ),
    line(`font-size:30px;margin-top:16px;color:${look.quiet}`, flyer.tagline),
    line('font-size:34px;font-weight:600;margin-top:40px', flyer.venue),
    line('font-size:28px;margin-top:6px', flyer.address),
    foot(flyer, `color:${look.quiet}`),
  )
}

function capitals(flyer: Flyer, look: Look): string {
  const loud = (text: string | undefined): string | undefined => text?.toUpperCase()
  return column(
    `width:100%;height:100%;padding:70px 60px;align-items:center;text-align:center;background:${look.paper};color:${look.ink};font-stretch:80%`,
    line('font-size:28px;letter-spacing:4px', loud(flyer.presenter)),
    line(
      `font-size:${fitFontSize(flyer.title, { width: 700, lines: 3, most: 112 })}px;font-weight:900;line-height:1.05;margin-top:40px;color:${look.accent}`,
      loud(flyer.title),
    ),
    line('font-size:46px;font-weight:700;margin-top:70px', loud(flyer.dayLine)),
    line('font-size:42px;margin-top:12px', loud(flyer.timeLine)),
    line('font-size:42px;font-weight:700;margin-top:60px', loud(flyer.venue)),
    line('font-size:30px;margin-top:8px', loud(flyer.address)),
    line('font-size:36px;margin-top:40px', loud(flyer.priceLine)),
    foot(flyer, `color:${look.quiet};align-items:center`),
  )
}

function ticket(flyer: Flyer, look: Look): string {
  return box(
    `width:100%;height:100%;padding:30px;background:${look.paper};color:${look.ink}`,
    column(
      `width:860px;padding:30px 40px;border:4px solid ${look.ink}`,
      line('font-size:24px', flyer.presenter),
      line(
        `font-size:${fitFontSize(flyer.title, { width: 760, lines: 2, most: 72 })}px;font-weight:800;line-height:1.1;margin-top:8px`,
        flyer.title,
      ),
      line(
        'font-size:30px;margin-top:30px',
        [flyer.dayLine, flyer.timeLine].filter(Boolean).join(' | '),
      ),
      line('font-size:30px;margin-top:12px;font-weight:600', flyer.venue),
      line('font-size:26px;margin-top:4px', flyer.address),
      foot(flyer, `color:${look.quiet}`),
    ),
    column(
      `width:370px;padding:30px;border:4px dashed ${look.ink};align-items:center;justify-content:center;text-align:center`,
      line('font-size:34px;font-weight:700', flyer.priceLine),
      line(`font-size:24px;margin-top:20px;color:${look.quiet}`, flyer.tagline),
    ),
  )
}

/** Small text at the bottom of its container. */
export function foot(flyer: Flyer, style: string): string {
  return column(
    `margin-top:auto;padding-top:30px;${style}`,
    ...flyer.notes.map((note) => line('font-size:22px;line-height:1.45', note)),
  )
}
