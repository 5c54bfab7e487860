import type { QuestionView } from '@surehand/core/host'
import { REVIEW_KEYWORD } from '@surehand/core/host'
import { toJsonSchema } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CANCELLED, type Prompt } from './prompt.ts'
import { reviewAnswer } from './review-answer.ts'
import type { Terminal } from './terminal.ts'

const review = {
  choice: 'decision',
  fields: { 'event.title': 'Title', 'event.location.name': 'Place', 'event.start': 'Begins' },
  map: 'event.location.at',
}
const schema = toJsonSchema(
  z
    .object({
      decision: z.enum(['save', 'discard']).default('save'),
      event: z.object({
        title: z.string(),
        start: z.string(),
        location: z
          .object({ name: z.string(), at: z.object({ lat: z.number(), lng: z.number() }) })
          .optional(),
      }),
    })
    .meta({ [REVIEW_KEYWORD]: review }),
)
const draft = {
  decision: 'save',
  event: {
    title: 'Jazz',
    start: '2026-11-27T20:00:00+01:00',
    location: { name: 'Blue\nNote', at: { lat: 52.5, lng: 13.4 } },
  },
}
const question = {
  schema,
  draft,
  shown: JSON.stringify({ asks: 'Add "Jazz" to the calendar?\nNothing else is at that time.' }),
} as QuestionView

async function answerWith(script: readonly (string | typeof CANCELLED)[]) {
  const left = [...script]
  let screen = ''
  const next = async () => left.shift() as never
  const prompt = {
    text: next,
    choose: async (_: string, choices: readonly { readonly label?: string }[]) => {
      screen += `[${choices.map(({ label }) => label).join('|')}]`
      return next()
    },
  } as unknown as Prompt
  const terminal = { stderr: { write: (text: string) => (screen += text) } } as unknown as Terminal
  return { given: await reviewAnswer(question, review, { terminal, prompt }), screen, left }
}

test('a summary on one screen, and one key to save the draft as it is', async () => {
  const { given, screen } = await answerWith(['save'])
  expect(given).toEqual({ answer: draft })
  expect(screen).toBe(`Add "Jazz" to the calendar?
Nothing else is at that time.

  Title   Jazz
  Place   Blue Note
  Begins  Friday 27 November 2026, 20:00
  Map     https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=16/52.5/13.4

[Save|Change: title|Change: place|Change: begins|Discard]`)
})

test('one field is changed, shown again, and the rest stays', async () => {
  const { given, screen } = await answerWith(['change:event.location.name', 'Cellar', 'save'])
  expect(given).toEqual({
    answer: {
      decision: 'save',
      event: { ...draft.event, location: { ...draft.event.location, name: 'Cellar' } },
    },
  })
  expect(screen.split('  Place   ')).toEqual([
    expect.anything(),
    expect.stringMatching(/^Blue Note\n/),
    expect.stringMatching(/^Cellar\n/),
  ])
})

test('it is discarded, or left as it was asked', async () => {
  expect((await answerWith(['discard'])).given).toEqual({
    answer: { ...draft, decision: 'discard' },
  })
  expect((await answerWith([CANCELLED])).given).toBe(CANCELLED)
})
