import type { Canvas, FittedText, Size, TextStyle } from './canvas.ts'
import type { PosterContent } from './poster-content.ts'

export type TextLook = {
  readonly title: TextStyle
  readonly lead: TextStyle
  readonly body: TextStyle
}

export type PosterText = {
  readonly title: FittedText
  readonly lead: FittedText | undefined
  readonly body: FittedText | undefined
}

/** Fits the texts into their space: the title as large as the other texts allow. */
export async function fitPosterText(
  canvas: Canvas,
  { title, lead, body }: PosterContent,
  { room, look, unit }: { readonly room: Size; readonly look: TextLook; readonly unit: number },
): Promise<PosterText> {
  const gap = textGap(unit)
  const rest = descriptionShare(lead, body)
  const fittedTitle = await canvas.fit({
    text: title,
    room: { width: room.width, height: room.height * (1 - rest) },
    largest: 190 * unit,
    whole: 72 * unit,
    smallest: 20 * unit,
    style: { ...look.title, textWrap: 'balance' },
  })
  const left = room.height - fittedTitle.height - gap
  const fittedLead =
    lead === ''
      ? undefined
      : await canvas.fit({
          text: lead,
          room: { width: room.width, height: body === '' ? left : left * 0.4 },
          largest: Math.min(56 * unit, fittedTitle.fontSize * 0.8),
          smallest: 16 * unit,
          style: { ...look.lead, textWrap: 'balance' },
        })
  const remaining = left - (fittedLead === undefined ? 0 : fittedLead.height + gap)
  const fittedBody =
    body === ''
      ? undefined
      : await canvas.fit({
          text: body,
          room: { width: room.width, height: remaining },
          largest: Math.min(44 * unit, fittedTitle.fontSize * 0.7),
          smallest: 13 * unit,
          style: { ...look.body, textWrap: 'balance' },
        })
  return { title: fittedTitle, lead: fittedLead, body: fittedBody }
}

/** The gap between two texts. */
export function textGap(unit: number): number {
  return Math.round(34 * unit)
}

// The share of the space for the description, by its length.
function descriptionShare(lead: string, body: string): number {
  const characters = lead.length * 2 + body.length
  return characters === 0 ? 0 : Math.min(0.7, 0.25 + characters / 1600)
}
