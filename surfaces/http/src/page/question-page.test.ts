import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../fixtures/open-test-server.ts'
import { DRAFT } from '../fixtures/trip-pack.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

type Asked = { readonly id: string; readonly callId: string }

async function ask(tool: string, key: string, to = 'Oslo'): Promise<Asked> {
  const more = { token: server.tokens.bot, headers: { 'idempotency-key': key } }
  const response = await server.send('POST', `/v1/tools/${tool}/call`, { to }, more)
  const { metadata } = (await response.json()) as {
    readonly metadata: {
      readonly call_id: string
      readonly asking: { readonly question_id: string }
    }
  }
  return { id: metadata.asking.question_id, callId: metadata.call_id }
}

const post = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: server.url, ...headers },
    redirect: 'manual',
  })

async function signIn(token = server.tokens.ann): Promise<string> {
  return (
    (await post('/sign-in', { token, next: '/approvals' })).headers
      .get('set-cookie')
      ?.split(';')[0] ?? ''
  )
}

type Opened = {
  readonly status: number
  readonly text: string
  readonly fields: Record<string, string>
  readonly headers: Headers
}

async function open(path: string, cookie: string): Promise<Opened> {
  const response = await fetch(server.url + path, { headers: { cookie }, redirect: 'manual' })
  return readResponse(response)
}

async function readResponse(response: Response): Promise<Opened> {
  const text = await response.text()
  return { status: response.status, text, fields: fieldsOf(text), headers: response.headers }
}

/** The form as a browser would send it, with nothing changed. */
function fieldsOf(page: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, type, rest] of page.matchAll(/<input type="(\w+)"([^>]*)>/g)) {
    if (type === 'radio' && !/ checked$/.test(rest ?? '')) continue
    fields[/name="([^"]*)"/.exec(rest ?? '')?.[1] ?? ''] = plain(
      /value="([^"]*)"/.exec(rest ?? '')?.[1] ?? '',
    )
  }
  for (const [, name, text] of page.matchAll(
    /<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g,
  ))
    fields[name ?? ''] = plain(text ?? '').replaceAll('\n', '\r\n')
  for (const [, name, options] of page.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/g,
  ))
    fields[name ?? ''] = plain(/value="([^"]*)" selected/.exec(options ?? '')?.[1] ?? '')
  return fields
}

function plain(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
}

const readable = (page: string): string =>
  plain(page.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ''))

/** The names of the form's fields, by the order of the plan's own. */
const [
  NAME,
  DAY,
  LEAVES,
  SEATS,
  PRICE,
  CLASS,
  COUNTRY,
  QUIET,
  NOTE,
  STOPS,
  CITY,
  ZIP,
  EXTRAS,
  CARD,
] = [
  ...Array.from({ length: 10 }, (_, index) => `a-${index}`),
  'a-10-0',
  'a-10-1',
  'a-11',
  'a-12',
] as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]

const answerOf = async (id: string): Promise<unknown> => {
  const { answer } = await server.runtime.questions.getFor(
    { tenant: 'home', principal: 'ann', actor: 'user', roles: ['user'], capabilities: [] },
    id,
  )
  return answer === undefined ? undefined : JSON.parse(answer.json)
}

describe('the question page', () => {
  test('shows who asks what, with which tool, until when, the draft and the digest', async () => {
    const { id, callId } = await ask('trip.plan', 'page-1')
    const { text } = await open(`/questions/${id}`, await signIn())
    const { digest } = await server.runtime.questions.getFor(
      { tenant: 'home', principal: 'ann', actor: 'user', roles: [], capabilities: [] },
      id,
    )
    for (const part of [
      'Is this the trip to Oslo?',
      "ann's agent",
      'Plan a trip (trip.plan, version 1.0.0)',
      'Asked ofa person',
      'Graz',
      '…4711 (sha256',
      'Signed in as ann',
      digest,
      callId,
    ])
      expect(readable(text)).toContain(part)
    expect(text).not.toContain('card-secret')
  })

  test('contains no script, cannot be framed and sends its form only to this server', async () => {
    const { id } = await ask('trip.plan', 'page-2')
    const { headers, text } = await open(`/questions/${id}`, await signIn())
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([
      'DENY',
      'no-store',
    ])
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
  })

  test('sent back as it came answers the draft, to the byte and with its secret', async () => {
    const { id } = await ask('trip.plan', 'page-3')
    const cookie = await signIn()
    const { fields } = await open(`/questions/${id}`, cookie)
    const taken = await post(`/questions/${id}`, fields, { cookie })
    expect([taken.status, taken.headers.get('location')]).toEqual([303, `/questions/${id}`])
    expect(await answerOf(id)).toEqual(DRAFT)
  })

  test('takes every kind of field as it was typed', async () => {
    const { id } = await ask('trip.plan', 'page-4')
    const cookie = await signIn()
    const { fields } = await open(`/questions/${id}`, cookie)
    const typed = {
      [NAME]: 'Bob & "Co"',
      [DAY]: '2027-01-02',
      [LEAVES]: '2027-01-02T10:00:00Z',
      [SEATS]: ' 4 ',
      [PRICE]: '12.5',
      [CLASS]: '"first"',
      [COUNTRY]: '"NO"',
      [QUIET]: 'false',
      [NOTE]: 'one\r\ntwo\r\n',
      [STOPS]: 'Bergen\r\n\r\nVoss\r\n',
      [CITY]: '',
      [ZIP]: '',
      [EXTRAS]: '{"dogs": 2}',
      [CARD]: 'new-card',
    }
    expect((await post(`/questions/${id}`, { ...fields, ...typed }, { cookie })).status).toBe(303)
    expect(await answerOf(id)).toEqual({
      name: 'Bob & "Co"',
      day: '2027-01-02',
      leaves: '2027-01-02T10:00:00Z',
      seats: 4,
      price: 12.5,
      class: 'first',
      country: 'NO',
      quiet: false,
      note: 'one\ntwo',
      stops: ['Bergen', 'Voss'],
      extras: { dogs: 2 },
      card: 'new-card',
    })
  })

  test('says what happens now, leads to the next question and to how the call stands', async () => {
    const { id, callId } = await ask('trip.plan', 'page-5')
    const cookie = await signIn()
    const { fields } = await open(`/questions/${id}`, cookie)
    await post(`/questions/${id}`, fields, { cookie })
    const after = await open(`/questions/${id}`, cookie)
    for (const part of [
      'Answered by ann',
      'The call continues by itself',
      'The answer contains a secret',
      'Book 2 seats to Oslo?',
    ])
      expect(readable(after.text)).toContain(part)
    expect(after.text).not.toContain('card-secret')
    const next = /href="(\/questions\/[^"]+)">/.exec(after.text)?.[1] ?? ''
    const second = await open(next, cookie)
    expect(second.text).toMatch(
      /<button name="a" value="false">No<\/button><button class="yes" name="a" value="true">Yes</,
    )
    await post(next, { ...second.fields, a: 'true' }, { cookie })
    expect(readable((await open(next, cookie)).text)).toMatch(
      /The answer:true[\s\S]*The call is done/,
    )
    const call = readable((await open(`/calls/${callId}`, cookie)).text)
    for (const part of [
      'Plan a trip',
      'The call is done.',
      '"seats": 2',
      'plan: a question, done',
      'sure: a question, done',
    ])
      expect(call).toContain(part)
  })

  test('answered already takes no other answer', async () => {
    const { id } = await ask('trip.plan', 'page-6')
    const cookie = await signIn()
    const { fields } = await open(`/questions/${id}`, cookie)
    await post(`/questions/${id}`, fields, { cookie })
    expect((await post(`/questions/${id}`, { ...fields, [SEATS]: '3' }, { cookie })).status).toBe(
      409,
    )
    expect(await answerOf(id)).toMatchObject({ seats: 2 })
  })
})

describe('a wrong answer', () => {
  test('comes back with what is wrong at its fields, and nothing that was typed is lost', async () => {
    const { id } = await ask('trip.plan', 'wrong-1')
    const cookie = await signIn()
    // of radio buttons none is sent where none is chosen
    const { [QUIET]: _, ...fields } = (await open(`/questions/${id}`, cookie)).fields
    const typed = {
      ...fields,
      [NAME]: '<b>A',
      [DAY]: 'Friday',
      [SEATS]: 'two',
      [PRICE]: '1,5',
      [STOPS]: 'Bergen\r\nVoss',
      [EXTRAS]: '{"dogs": ',
    }
    const back = await readResponse(await post(`/questions/${id}`, typed, { cookie }))
    expect(back.status).toBe(400)
    expect(back.fields).toEqual(typed)
    for (const [name, words] of [
      [SEATS, 'is not a number'],
      [PRICE, 'is not a number'],
      [QUIET, 'is missing'],
      [EXTRAS, 'cannot be read'],
    ])
      expect(back.text).toMatch(new RegExp(`id="${name}.wrong">[^/]*${words}`))
    expect(readable(back.text)).toContain('What you typed is still in the form')
    expect(await answerOf(id)).toBeUndefined()
  })

  test('that only its schema refuses comes back alike, also from within a group or a list', async () => {
    const { id } = await ask('trip.plan', 'wrong-2')
    const cookie = await signIn()
    const { fields } = await open(`/questions/${id}`, cookie)
    const typed = {
      ...fields,
      [NAME]: 'A',
      [DAY]: 'Friday',
      [SEATS]: '99',
      [ZIP]: 'x',
      [STOPS]: 'Bergen\r\nV',
    }
    const back = await readResponse(await post(`/questions/${id}`, typed, { cookie }))
    expect([back.status, back.fields]).toEqual([400, typed])
    for (const [name, words] of [
      [NAME, 'at least 2 characters'],
      [DAY, 'must be a date, such as 2026-11-15'],
      [SEATS, '9'],
      [ZIP, 'must match the pattern'],
      [STOPS, '\\[1\\] must have at least 2'],
    ])
      expect(back.text).toMatch(new RegExp(`id="${name}.wrong">.*?${words}.*?</p>`))
    expect(back.text).toMatch(new RegExp(`<a href="#${ZIP}"><bdi>Zip</bdi></a>`))
    expect(await answerOf(id)).toBeUndefined()
    // what was wrong is put right in the form that came back
    expect((await post(`/questions/${id}`, { ...back.fields, ...fields }, { cookie })).status).toBe(
      303,
    )
  })
})

describe('a deceptive question', () => {
  test('is read back with everything invisible spelled out, and its markup stays text', async () => {
    const { id } = await ask(
      'trip.plan',
      'trick-1',
      'Os\u202Elo"><img src=x onerror=alert(1)><form action="https://evil.example">',
    )
    const { text } = await open(`/questions/${id}`, await signIn())
    expect(text).not.toMatch(/\u202E|<img/)
    expect(text.match(/<form/g)).toHaveLength(1)
    expect(text).toContain('<mark>⟨U+202E⟩</mark>')
    expect(readable(text)).toContain('It contains invisible or direction-changing characters.')
  })
})

describe('a forged answer', () => {
  test("without the session's CSRF token, with another's, or that of another question answers nothing", async () => {
    const [mine, other] = [await ask('trip.plan', 'forge-1'), await ask('trip.plan', 'forge-2')]
    const [ann, admin] = [await signIn(), await signIn(server.tokens.root)]
    const { fields } = await open(`/questions/${mine.id}`, ann)
    const stolen = (await open(`/questions/${other.id}`, ann)).fields
    const tries = [
      post(`/questions/${mine.id}`, { ...fields, seal: '' }, { cookie: ann }),
      post(`/questions/${mine.id}`, fields, { cookie: admin }),
      post(`/questions/${mine.id}`, stolen, { cookie: ann }),
      post(`/questions/${mine.id}`, { ...fields, digest: 'a'.repeat(64) }, { cookie: ann }),
      post(`/questions/${mine.id}`, fields, { cookie: ann, origin: 'https://evil.example' }),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([
      403, 403, 403, 403, 403,
    ])
    expect((await post(`/questions/${mine.id}`, fields)).status).toBe(401)
    expect(await answerOf(mine.id)).toBeUndefined()
  })

  test("for another person's question finds nothing, and neither do their calls", async () => {
    const { id, callId } = await ask('trip.plan', 'forge-3')
    for (const token of [server.tokens.bob, server.tokens.foreigner]) {
      const cookie = await signIn(token)
      const looks = [await open(`/questions/${id}`, cookie), await open(`/calls/${callId}`, cookie)]
      expect(looks.map(({ status }) => status)).toEqual([404, 404])
    }
  })

  test('is asked to sign in first, and led back', async () => {
    const { id, callId } = await ask('trip.plan', 'forge-4')
    for (const path of [`/questions/${id}`, `/calls/${callId}`]) {
      const page = await open(path, '')
      expect([page.status, page.fields.next]).toEqual([401, path])
    }
    const response = await post('/sign-in', { token: server.tokens.ann, next: `/questions/${id}` })
    expect(response.headers.get('location')).toBe(`/questions/${id}`)
  })
})

test('the list shows open questions to the people who may answer them', async () => {
  const { id } = await ask('trip.plan', 'list-1')
  const look = async (token: string) => (await open('/approvals', await signIn(token))).text
  for (const token of [server.tokens.ann, server.tokens.kim])
    expect(await look(token)).toContain(`href="/questions/${id}"`)
  expect(await look(server.tokens.bob)).not.toContain(id)
})
