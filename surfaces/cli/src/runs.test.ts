import { describe, expect, test } from 'vitest'
import { type Ran, type RunOptions, run } from './fixtures/run.ts'
import { createTestApp } from './fixtures/test-app.ts'

type TestSetup = { readonly options: RunOptions; readonly sent: string[] }

function app(): TestSetup {
  const { local, sent } = createTestApp()
  return { options: { openLocal: async () => local }, sent }
}

type Started = { readonly question: string; readonly call: string; readonly ran: Ran }

async function startRun(options: RunOptions, ...argv: readonly string[]): Promise<Started> {
  const ran = await run(['call', ...argv, '--json'], options)
  const { metadata } = JSON.parse(ran.out)
  return { question: metadata.asking?.question_id, call: metadata.call_id, ran }
}

describe('a tool that asks', () => {
  test('ends the command with 75 where no person can be asked, and names the command that answers', async () => {
    const { options } = app()
    const { ran, question } = await startRun(options, 'post.write', '--about', 'lamps')
    expect([ran.code, JSON.parse(ran.out).error.code]).toEqual([75, 'TOOL_INPUT_REQUIRED'])
    const words = await run(['call', 'post.write', '--about', 'boats'], options)
    expect(words.code).toBe(75)
    expect(words.out).toMatch(
      /The call is not done[\s\S]*Is this⟨U\+001B⟩\[31m right, about boats\?[\s\S]*surehand questions answer ques_\w+\n/,
    )
    expect((await run(['questions'], options)).out).toContain(question)
    expect(JSON.parse((await run(['questions', 'list', '--json'], options)).out)).toHaveLength(2)
    expect((await run(['questions', '--state', 'answered'], options)).out).toBe('None.\n')
  })

  test('is shown whole: who asks, what it is filled in with, and the flags that answer it', async () => {
    const { options } = app()
    const { question } = await startRun(options, 'post.write', '--about', 'lamps')
    const { out } = await run(['questions', 'show', question], options)
    expect(out).toMatch(
      /right, about lamps\?[\s\S]*Answered by: a person[\s\S]*title: On lamps[\s\S]*--tone calm\|loud {2}\(required\)/,
    )
    const view = JSON.parse((await run(['questions', 'show', question, '--json'], options)).out)
    expect(out).toContain(`--digest ${view.digest}`)
    expect((await run(['questions', 'show', 'ques_none'], options)).code).toBe(65)
  })

  test('without a live worker, answer drives it on and shows what it asks next, then what came of it', async () => {
    const { options, sent } = app()
    const { question, call } = await startRun(options, 'post.write', '--about', 'lamps')
    const first = await run(
      ['questions', 'answer', question, '--title', 'On boats', '--tone', 'loud'],
      options,
    )
    expect(first).toMatchObject({
      code: 75,
      err: 'Answered. The run has another question:\n',
      out: expect.stringContaining('Publish "On boats"?'),
    })
    const [, next = ''] = /questions answer (ques_\w+)/.exec(first.out) ?? []
    const last = await run(['questions', 'answer', next, '--answer', 'true', '--json'], options)
    expect([last.code, JSON.parse(last.out)]).toMatchObject([
      0,
      // flags are laid over what it was filled in with
      {
        id: next,
        state: 'answered',
        next: { data: { title: 'On boats', tone: 'loud', tags: ['new'] } },
      },
    ])
    expect(sent).toHaveLength(2)
    expect((await run(['jobs', 'show', call], options)).out).toContain('title: On boats')
  })

  test.each<[string, readonly string[], string]>([
    ['a bare text', ['--answer', 'boat'], ''],
    ['a text that looks like a number', ['--answer', '12'], ''],
    ['a JSON text', ['--answer', '"boat"'], ''],
    ['standard input', ['--input', '-'], '"boat"'],
  ])('takes an answer as %s', async (_, words, stdin) => {
    const { options } = app()
    const { question } = await startRun(options, 'post.bare')
    const { out } = await run(['questions', 'answer', question, ...words], { ...options, stdin })
    expect(out).toContain('Which PIN?')
  })

  test('takes no secret from the arguments', async () => {
    const { options } = app()
    const { question } = await startRun(options, 'post.bare')
    const { out } = await run(
      ['questions', 'answer', question, '--answer', 'boat', '--json'],
      options,
    )
    const pin = JSON.parse(out).next.metadata.asking.question_id
    const refused = await run(['questions', 'answer', pin, '--answer', '1234'], options)
    expect([refused.code, refused.err]).toEqual([64, expect.stringContaining('answer is secret')])
    const taken = await run(['questions', 'answer', pin, '--field-from-env', 'answer=PIN'], {
      ...options,
      env: { HOME: '/dev/null', PIN: '1234' },
    })
    expect(taken.out).toContain('Which number?')
  })

  test('an answer that will not do is asked for again, with what was wrong', async () => {
    const { options } = app()
    const { question } = await startRun(options, 'post.bare')
    const { code, out } = await run(
      ['questions', 'answer', question, '--answer', 'x', '--json'],
      options,
    )
    const { next } = JSON.parse(out)
    expect([code, next.error.code]).toEqual([75, 'TOOL_INPUT_REQUIRED'])
    const page = (await run(['questions', 'show', next.metadata.asking.question_id], options)).out
    expect(page).toMatch(/!! The last answer was not accepted: .*2/)
  })

  test.each<[string, readonly string[], number]>([
    ['no answer at all', [], 64],
    ['two answers', ['--answer', '1', '--input', '2'], 64],
    ['a field that is not there', ['--nope', 'x'], 64],
    [
      'an answer to something else than was shown',
      ['--answer', 'boat', '--digest', '0'.repeat(64)],
      65,
    ],
  ])('refuses %s', async (_, words, code) => {
    const { options } = app()
    const { question } = await startRun(options, 'post.bare')
    const refused = await run(['questions', 'answer', question, ...words], options)
    expect(refused.code).toBe(code)
    expect(
      JSON.parse((await run(['questions', 'show', question, '--json'], options)).out).state,
    ).toBe('open')
  })

  test('is answered once', async () => {
    const { options } = app()
    const { question } = await startRun(options, 'post.bare')
    await run(['questions', 'answer', question, '--answer', 'boat'], options)
    const again = await run(['questions', 'answer', question, '--answer', 'ship'], options)
    expect([again.code, again.err]).toEqual([75, expect.stringContaining('answered already')])
  })
})

describe('a run', () => {
  test('is shown as a tree: places, tools, states in words, and codes', async () => {
    const { options } = app()
    const { call, question } = await startRun(options, 'trip.book', '--to', 'rome')
    const { code, out } = await run(['jobs', 'show', call], options)
    expect(code).toBe(75)
    const [head, , ...lines] = out.split('\n')
    expect(head).toBe('trip.book@1.0.0: waiting for an answer or a step')
    expect(lines.slice(0, 6)).toEqual([
      '├─ ✓ hotel          mail.letter@1.0.0  done',
      '├─ ✓ train          trip.leg@1.0.0     done',
      '│  ├─ ✓ there/seat  mail.letter@1.0.0  done',
      '│  └─ ✓ back/seat   mail.letter@1.0.0  done',
      '├─ ✗ museum         door.unlock@1.0.0  failed   TOOL_INVALID_FIELD_TYPE',
      `└─ ◌ sure           a question         waiting  ${question}`,
    ])
    const tree = JSON.parse((await run(['jobs', 'show', call, '--json'], options)).out)
    expect(tree).toMatchObject({
      call_id: call,
      state: 'parked',
      steps: [{ path: 'hotel', state: 'done' }, {}, {}, { what: 'ask' }],
    })
    expect(tree.answer.metadata.asking.question_id).toBe(question)
    expect((await run(['jobs'], options)).out).toContain('paused')
  })

  test('keeps to the width of the screen', async () => {
    const { options } = app()
    const { call } = await startRun(options, 'trip.book', '--to', 'rome')
    const { out } = await run(['jobs', 'show', call], { ...options, columns: 50 })
    const lines = out.split('\n').filter((line) => /[├└]─/.test(line))
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(50)
  })

  test('that is cancelled says what was undone and what was not', async () => {
    const { options, sent } = app()
    const { call, question } = await startRun(options, 'trip.book', '--to', 'rome')
    const { code, out } = await run(['jobs', 'cancel', call], options)
    expect(code).toBe(130)
    expect(out).toMatch(
      /was stopped\.\n\nUNDONE +TOOL\nhotel +mail\.letter@1\.0\.0\n\nNOT UNDONE +TOOL +WHY\ntrain +trip\.leg@1\.0\.0 +it declares no undo\n/,
    )
    expect(sent).toHaveLength(4)
    const again = await run(['jobs', 'cancel', call], options)
    expect([again.code, again.err]).toEqual([75, expect.stringContaining('has ended')])
    expect((await run(['questions', 'answer', question, '--answer', 'true'], options)).code).toBe(
      75,
    )
  })

  test('that is cancelled reports the same to programs', async () => {
    const { options } = app()
    const { call } = await startRun(options, 'trip.book', '--to', 'rome')
    const { out } = await run(['jobs', 'cancel', call, '--json'], options)
    expect(JSON.parse(out)).toMatchObject({
      cancelled: true,
      undone: [{ step: 'hotel' }],
      not_undone: [{ step: 'train' }],
    })
  })

  test('in the background is followed: how far it is, then its answer', async () => {
    const { options } = app()
    const waited = await run(['call', 'trip.slow', '--wait', '30s', '--key', 'k1'], options)
    expect(waited).toEqual({ code: 0, out: 'steps: 2\n', err: '50 %  half⟨U+001B⟩[2J way\n' })
    const { call } = await startRun(options, 'trip.slow', '--key', 'k2')
    const watched = await run(['jobs', 'watch', call], options)
    expect(watched).toEqual({ code: 0, out: 'steps: 2\n', err: '50 %  half⟨U+001B⟩[2J way\n' })
  })

  test('that waits for a person ends a watch', async () => {
    const { options } = app()
    const { call } = await startRun(options, 'trip.book', '--to', 'rome')
    expect(await run(['jobs', 'watch', call], options)).toMatchObject({
      code: 75,
      out: expect.stringContaining('Pay all of it?'),
    })
    expect((await run(['jobs', 'wait', call, '--wait', '50ms'], options)).code).toBe(75)
  })

  test('a plain call has no steps: it is shown by its answer, as ever', async () => {
    const { options } = app()
    const { call } = await startRun(options, 'mail.letter', '--to', 'bob')
    expect((await run(['jobs', 'show', call], options)).out).toBe('receipt: receipt 1\n')
    expect(JSON.parse((await run(['jobs', 'show', call, '--json'], options)).out)).toMatchObject({
      status: 'success',
      command: 'mail.letter',
    })
  })
})
