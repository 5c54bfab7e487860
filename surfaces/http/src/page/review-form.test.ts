import { REVIEW_KEYWORD, type ReviewForm, readReviewForm } from '@surehand/core/host'
import { toJsonSchema } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildAnswerField } from './answer-field.ts'
import type { RejectedForm } from './answer-form.ts'
import { readAnswer } from './read-answer.ts'
import { renderReview } from './review-form.ts'

const REVIEW: ReviewForm = {
  choice: 'decision',
  fields: { 'event.title': 'Title', 'event.start': 'Begins', 'event.end': 'Ends' },
  picture: 'event.imageUrl',
  map: 'event.at',
}
const schema = toJsonSchema(
  z
    .object({
      decision: z.enum(['save', 'discard']).default('save'),
      event: z.object({
        title: z.string().min(1),
        start: z.string(),
        end: z.string().optional(),
        imageUrl: z.string().optional(),
        at: z.object({ lat: z.number(), lng: z.number() }).optional(),
      }),
    })
    .meta({ [REVIEW_KEYWORD]: REVIEW }),
)
const draft = {
  decision: 'save',
  event: {
    title: 'Jazz <b>',
    start: '2026-11-27T20:00:00+01:00',
    imageUrl: `https://other.example/artifacts/home/${'a'.repeat(32)}.jpg`,
    at: { lat: 52.5, lng: 13.4 },
  },
}
const render = (rejected?: RejectedForm): string =>
  renderReview(buildAnswerField(schema, draft, draft), REVIEW, rejected).markup

test('the summary has a line to open for each filled field, the picture of this server and the map', () => {
  expect(readReviewForm(schema)).toEqual(REVIEW)
  const markup = render()
  expect(
    [...markup.matchAll(/<summary><span>(.*?)<\/span><b>(.*?)<\/b>/g)].map((one) => one.slice(1)),
  ).toEqual([
    ['Title', '<bdi>Jazz &lt;b&gt;</bdi>'],
    ['Begins', '<bdi>Friday 27 November 2026, 20:00</bdi>'],
  ])
  expect(markup).toContain(`<img src="/artifacts/home/${'a'.repeat(32)}.jpg"`)
  expect(markup).toContain(
    'https://www.openstreetmap.org/?mlat=52.5&amp;mlon=13.4#map=16/52.5/13.4',
  )
  expect([...markup.matchAll(/<button(.*?)>(.*?)</g)].map((one) => one[2])).toEqual([
    'Save',
    'Discard',
  ])
})

test('a form whose lines were never opened is the draft, with the chosen decision', () => {
  const field = buildAnswerField(schema, draft, draft)
  const form = new URLSearchParams(
    Object.fromEntries(
      [...render().matchAll(/name="(a[\d-]*)"[^>]*?value="([^"]*)"/g)]
        .filter(([whole]) => !whole.includes('discard'))
        .map(([, name = '', value = '']) => [
          name,
          value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
        ]),
    ),
  )
  for (const [, name = '', text = ''] of render().matchAll(
    /<textarea id="\S+" name="(\S+?)"[^>]*>\n(.*?)<\/textarea>/gs,
  ))
    form.set(name, text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'))
  expect(readAnswer(field, form)).toEqual({ value: draft, problems: [] })
})

test('a line with a problem is open, and what was typed stays', () => {
  const field = buildAnswerField(schema, draft, draft)
  const title = render().match(/name="(a-1-0)"/)?.[1] ?? ''
  const form = new URLSearchParams({ [title]: 'x' })
  const markup = renderReview(field, REVIEW, {
    form,
    problems: [{ path: ['event', 'title'], error: 'is too short' }],
  }).markup
  expect(markup).toMatch(/<details open><summary><span>Title<\/span><b><bdi>x<\/bdi>/)
})
