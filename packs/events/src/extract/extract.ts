import { type Caller, defineTool, ToolError } from '@surehand/core'
import { dayOf, isTimeZone } from '@surehand/dates'
import {
  decodeImageBytes,
  ImageBytes,
  MAX_IMAGE_INPUT_BYTES,
  type OcrPort,
  ocrPort,
} from '@surehand/reading'
import { z } from 'zod'
import { type PagesPort, pagesPort } from '../url/pages-port.ts'
import { type EventDraft, EventDraft as EventDraftShape } from './draft.ts'
import { eventModelPort } from './event-model-port.ts'
import { type ExtractSource, extractEvent } from './extract-event.ts'
import { holdAgainstRules } from './hold-against-rules.ts'
import { pageFacts } from './page-facts.ts'

export const ExtractInput = {
  text: z
    .string()
    .min(1)
    .max(20_000)
    .optional()
    .describe('What somebody wrote: a message, a mail, the text of a flyer'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .max(2_000)
    .optional()
    .describe('A page about the event'),
  imageBytes: ImageBytes.optional().describe(
    'A photo or picture of a flyer, in base64, at most 16 MiB',
  ),
  timezone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .optional()
    .describe(
      "Where the event's times are meant, unless it says so itself; the caller's own where left out",
    ),
}

const Input = z.object({
  ...ExtractInput,
  languages: z
    .array(z.enum(['en', 'de', 'fr', 'es']))
    .min(1)
    .max(4)
    .optional(),
})
type Input = z.output<typeof Input>

export const eventsExtract = defineTool({
  id: 'events.extract',
  title: 'Read an event',
  category: 'integration',
  aliases: ['events_extract'],
  description:
    'Reads an event out of a text, a link or a picture of a flyer: title, start, end, place, price, how it repeats. Every field has a confidence from 0 to 1; show a person what is under 0.6 before you use it. It writes nothing: to put an event into a calendar use events.capture.',
  input: Input,
  output: EventDraftShape,
  contract: {
    effect: 'read',
    timeout: '30s',
    retries: 0,
    maxInputBytes: MAX_IMAGE_INPUT_BYTES,
    latencyBudget: '3s',
    // without its model the house still reads, by rules
    fallback: async ({ input, ports, caller, now }, failure) => {
      // of a text there is nobody else to ask
      if (failure.details?.reader !== 'model' && input.text === undefined) return undefined
      return draftOf(
        await sourceOf(input, { ports, caller }, new AbortController().signal),
        { input, caller },
        now(),
      )
    },
  },
  ports: { ocr: ocrPort, pages: pagesPort, eventModel: eventModelPort },
  examples: [
    {
      name: 'a message',
      input: { text: 'Dinner with Anna at Casa Lucio on Friday 27 November 2026 at 8pm' },
    },
    {
      name: 'a message in German',
      input: {
        text: 'Konzert am 12. Dezember um 20 Uhr im Stadtpark, Eintritt frei',
        timezone: 'Europe/Berlin',
      },
    },
  ],
  check: ({ input }) => refuseUnlessOne(input),
  execute: async ({ input, ports, caller, now, signal }) => {
    const source = await sourceOf(input, { ports, caller }, signal)
    const rules = draftOf(source, { input, caller }, now())
    const timeZone = zoneOf(input, caller)
    const today = dayOf(now(), timeZone)
    const read = await ports.eventModel.read(
      { tenant: caller.tenant, text: textOf(source, today), today, timeZone },
      signal,
    )
    return read === null ? rules : holdAgainstRules(read, rules)
  },
})

/** Exactly one of the three is given: of two nobody could say which is meant. */
export function refuseUnlessOne({
  text,
  url,
  imageBytes,
}: Pick<Input, 'text' | 'url' | 'imageBytes'>): void {
  const given = [text, url, imageBytes].filter((one) => one !== undefined).length
  if (given === 1) return
  throw new ToolError(
    'TOOL_INVALID_INPUT',
    `Give one of text, url and imageBytes; ${given === 0 ? 'there is none' : `there are ${given}`}.`,
  )
}

type Outside = {
  readonly ports: { readonly ocr: OcrPort; readonly pages: PagesPort }
  readonly caller: Caller
}

async function sourceOf(
  input: Input,
  { ports, caller: { tenant } }: Outside,
  signal: AbortSignal,
): Promise<ExtractSource> {
  if (input.url !== undefined)
    return { page: await ports.pages.expand({ tenant, url: input.url }, signal) }
  if (input.imageBytes === undefined) return { text: input.text ?? '' }
  const languages = input.languages === undefined ? {} : { languages: input.languages }
  const { text, lines } = await ports.ocr.read(
    { tenant, image: decodeImageBytes(input.imageBytes), ...languages },
    signal,
  )
  return { text, lines }
}

function draftOf(
  source: ExtractSource,
  { input, caller }: { readonly input: Input; readonly caller: Caller },
  now: number,
): EventDraft {
  const region = regionOf(caller)
  return extractEvent(source, {
    now,
    timeZone: zoneOf(input, caller),
    ...(input.languages === undefined ? {} : { languages: input.languages }),
    ...(region === undefined ? {} : { region }),
  })
}

function textOf({ text, page }: ExtractSource, today: string): string {
  if (page === undefined) return text ?? ''
  const facts = pageFacts(page, today)
  return [
    ...facts.titles,
    facts.structured === undefined ? '' : JSON.stringify(facts.structured),
    facts.text,
  ].join('\n')
}

/** Where the person is, as far as anybody said. */
export function zoneOf(
  { timezone }: { readonly timezone?: string | undefined },
  { timeZone }: Caller,
): string {
  return timezone ?? (timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC')
}

/** `US` of en-US. */
export function regionOf({ locale }: Caller): string | undefined {
  return locale === undefined ? undefined : /[-_]([A-Z]{2})\b/.exec(locale)?.[1]
}
