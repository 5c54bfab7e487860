import { type Caller, defineTool, ToolError } from '@surehand/core'
import { isTimeZone } from '@surehand/dates'
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
import { mergeModelReading } from './merge-model-reading.ts'
import { toModelRequest } from './to-model-request.ts'

export const ExtractInput = {
  text: z
    .string()
    .min(1)
    .max(20_000)
    .optional()
    .describe('A message, an email or the text of a flyer'),
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
    .describe("The time zone of the event, unless the source states one; by default the caller's"),
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
    'Reads an event from a text, a link or a picture of a flyer: title, start, end, place, price, recurrence. Every field has a confidence from 0 to 1; have a person check values below 0.6 before you use them. It writes nothing: to put an event into a calendar use events.capture.',
  input: Input,
  output: EventDraftShape,
  contract: {
    effect: 'read',
    // Twice the text recognition of a photograph, and the model's time between them.
    timeout: '45s',
    retries: 0,
    maxInputBytes: MAX_IMAGE_INPUT_BYTES,
    latencyBudget: '3s',
    // Without the model, the rules still read the event.
    fallback: async ({ input, ports, caller, now }, failure) => {
      // A failed page or picture leaves nothing to read; a text is still there.
      if (failure.details?.reader !== 'model' && input.text === undefined) return undefined
      return draftByRules(
        await readSource(input, { ports, caller }, new AbortController().signal),
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
  check: ({ input }) => requireOneSource(input),
  execute: async ({ input, ports, caller, now, signal }) => {
    const source = await readSource(input, { ports, caller }, signal)
    const rules = draftByRules(source, { input, caller }, now())
    const request = toModelRequest(source, {
      ...(input.imageBytes === undefined ? {} : { image: decodeImageBytes(input.imageBytes) }),
      tenant: caller.tenant,
      now: now(),
      timeZone: callerTimeZone(input, caller),
      locale: caller.locale,
    })
    const read = await ports.eventModel.read(request, signal)
    return read === null ? rules : mergeModelReading(read, rules, request)
  },
})

/** Requires exactly one source. */
export function requireOneSource({
  text,
  url,
  imageBytes,
}: Pick<Input, 'text' | 'url' | 'imageBytes'>): void {
  const given = [text, url, imageBytes].filter((one) => one !== undefined).length
  if (given === 1) return
  throw new ToolError(
    'TOOL_INVALID_INPUT',
    `Give exactly one of text, url and imageBytes; the input has ${given === 0 ? 'none' : given}.`,
  )
}

type SourceAccess = {
  readonly ports: { readonly ocr: OcrPort; readonly pages: PagesPort }
  readonly caller: Caller
}

async function readSource(
  input: Input,
  { ports, caller: { tenant } }: SourceAccess,
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

function draftByRules(
  source: ExtractSource,
  { input, caller }: { readonly input: Input; readonly caller: Caller },
  now: number,
): EventDraft {
  const region = callerRegion(caller)
  return extractEvent(source, {
    now,
    timeZone: callerTimeZone(input, caller),
    ...(input.languages === undefined ? {} : { languages: input.languages }),
    ...(region === undefined ? {} : { region }),
  })
}

/** The time zone of the input, else of the caller, else UTC. */
export function callerTimeZone(
  { timezone }: { readonly timezone?: string | undefined },
  { timeZone }: Caller,
): string {
  return timezone ?? (timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC')
}

/** The region of the caller's locale: `US` for en-US. */
export function callerRegion({ locale }: Caller): string | undefined {
  return locale === undefined ? undefined : /[-_]([A-Z]{2})\b/.exec(locale)?.[1]
}
