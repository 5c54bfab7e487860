import { describe, expect, test } from 'vitest'
import { onTerminal } from './fixtures/on-terminal.ts'

const ENTER = '\r'
const CTRL_C = '\u0003'
const BACKSPACE = '\u007f'

const PAGE =
  /right, about lamps\?[\s\S]*Answered by: a person[\s\S]*title: On lamps[\s\S]*Digest of this question[\s\S]*title \(what stands above it\) \[On lamps\]/

describe('what a run asks, in a real pseudo-terminal', () => {
  test('is put right there, round after round; what was changed is read back before it is sent', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'post.write', '--about', 'lamps'],
      [
        { see: PAGE, type: `On boats${ENTER}` },
        { see: /tone[\s\S]*calm[\s\S]*loud/, type: ENTER },
        { see: /draft[\s\S]*Yes[\s\S]*No/, type: 'n' },
        { see: 'tags, item 1 [new]', type: `sea${ENTER}` },
        { see: 'tags, item 2 (leave empty to finish)', type: ENTER },
        { see: 'link [leave out]', type: ENTER },
        {
          see: /title: On boats[\s\S]*draft: false[\s\S]*1\. sea[\s\S]*Send exactly this\?/,
          type: 'y',
        },
        { see: /Publish "On boats"\?[\s\S]*answer[\s\S]*Yes[\s\S]*No/, type: 'y' },
      ],
    )
    expect(code).toBe(0)
    expect(screen.slice(screen.lastIndexOf('Publish "On boats"?'))).toMatch(
      /title: On boats\r\ntone: calm\r\ntags:\r\n {2}- sea/,
    )
    expect(screen).not.toContain('\u001b[31m')
  })

  test('is sent as it stands where nothing was changed; what was not liked is asked again', async () => {
    const kept = await onTerminal(
      ['questions', 'answer', 'ASKED'],
      [
        { see: PAGE, type: ENTER },
        { see: /tone[\s\S]*loud/, type: ENTER },
        { see: /draft[\s\S]*Yes[\s\S]*No/, type: ENTER },
        { see: 'item 1 [new]', type: ENTER },
        { see: 'link [leave out]', type: ENTER },
      ],
    )
    expect([kept.code, kept.screen]).toEqual([75, expect.stringContaining('Publish "On lamps"?')])
    expect(kept.screen).not.toContain('Send exactly this?')
    const again = await onTerminal(
      ['questions', 'answer', 'ASKED'],
      [
        { see: PAGE, type: `Boats${ENTER}` },
        { see: /tone[\s\S]*loud/, type: ENTER },
        { see: /draft[\s\S]*Yes[\s\S]*No/, type: ENTER },
        { see: 'item 1 [new]', type: ENTER },
        { see: 'link [leave out]', type: ENTER },
        { see: 'Send exactly this?', type: 'n' },
        { see: 'title (what stands above it) [Boats]', type: CTRL_C },
      ],
    )
    expect([again.code, again.screen]).toEqual([
      130,
      expect.stringContaining('Nothing was answered.'),
    ])
  })

  test('left with Ctrl-C it waits, and the command that answers it is named', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'post.write', '--about', 'lamps'],
      [{ see: PAGE, type: CTRL_C }],
    )
    expect(code).toBe(130)
    expect(screen).toMatch(/The call is not done[\s\S]*surehand questions answer ques_\w+/)
  })

  test('a secret is not shown, and an answer that will not do is asked for again', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'post.bare'],
      [
        { see: /Which word\?[\s\S]*Digest[\s\S]*answer/, type: `x${ENTER}` },
        {
          see: /The last answer was not accepted: [\s\S]*Digest[\s\S]*answer/,
          type: `boat${ENTER}`,
        },
        { see: /Which PIN\?[\s\S]*Digest[\s\S]*answer/, type: `s3cret${ENTER}` },
        { see: /Which number\?[\s\S]*Digest[\s\S]*answer/, type: `many${ENTER}` },
        { see: 'Enter a number', type: `${BACKSPACE.repeat(4)}7${ENTER}` },
      ],
    )
    expect(code).toBe(0)
    expect(screen).toContain('boat 6 7')
    expect(screen).not.toContain('s3cret')
  })

  test('a program that reads JSON is not asked', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'post.write', '--about', 'lamps', '--json'],
      [],
    )
    expect([code, screen]).toEqual([75, expect.stringContaining('"question_id"')])
  })
})

test('how far a run in the background is, is a bar that leaves no trace', async () => {
  const { code, screen } = await onTerminal(
    ['call', 'trip.slow', '--wait', '60s', '--key', 'k'],
    [],
  )
  expect(code).toBe(0)
  expect(screen.split('\r\u001b[K')).toEqual([
    '',
    `[${'█'.repeat(12)}${'░'.repeat(12)}] 50 %  half⟨U+001B⟩[2J way`,
    'steps: 2\r\n',
  ])
})
