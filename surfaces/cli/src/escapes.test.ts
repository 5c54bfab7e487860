import { describe, expect, test } from 'vitest'
import { run } from './fixtures/run.ts'
import { safeJson, safeLine, safeText } from './safe-text.ts'
import { formatTable } from './table.ts'
import { valueText } from './value-text.ts'

// everything a terminal obeys or a reader does not see
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const NASTY = 'a\u001b[31m\u009b2J\u0007\r\u0000\u007f\u202e\u2066\u200b\ufeff\u2028\u{e0041}z'

describe('what a terminal would obey is spelled out', () => {
  test('in texts, lines and cells', () => {
    expect(safeText(NASTY)).toBe(
      'a⟨U+001B⟩[31m⟨U+009B⟩2J⟨U+0007⟩⟨U+000D⟩⟨U+0000⟩⟨U+007F⟩⟨U+202E⟩⟨U+2066⟩⟨U+200B⟩⟨U+FEFF⟩⟨U+2028⟩⟨U+E0041⟩z',
    )
    expect(safeLine('a\nb\tc')).toBe('a b c')
    for (const width of [Number.POSITIVE_INFINITY, 30]) {
      expect(formatTable([NASTY, 'b'], [[NASTY, { deep: NASTY }]], width)).not.toMatch(OBEYED)
      expect(
        valueText({ [NASTY]: [NASTY, [{ [NASTY]: NASTY }], { x: { y: NASTY } }] }, width),
      ).not.toMatch(OBEYED)
    }
  })

  test('in JSON as escapes that mean the same', () => {
    const value = { [NASTY]: [NASTY, '\ud800'] }
    expect(safeJson(value)).not.toMatch(OBEYED)
    expect(JSON.parse(safeJson(value))).toEqual(value)
  })

  test.each([
    ['words', []],
    ['json', ['--json']],
  ])("in a tool's output, as %s", async (_, flags) => {
    const { code, out } = await run([
      'call',
      'shop.search',
      '--query',
      NASTY.replaceAll('\u0000', ''),
      '--sort',
      'name',
      ...flags,
    ])
    expect(code).toBe(0)
    expect(out).toMatch(/lamp/)
    expect(out).not.toMatch(OBEYED)
  })

  test.each([
    ['words', []],
    ['json', ['--json']],
  ])('in errors, their fields and suggestions, as %s', async (_, flags) => {
    const { out, err } = await run(['call', 'demo.fail', '--code', 'TOOL_GATE_CLOSED', ...flags])
    expect(out + err).toContain('TOOL_GATE_CLOSED')
    expect(out).not.toMatch(OBEYED)
    expect(err).not.toMatch(OBEYED)
  })

  test('in progress', async () => {
    const { err } = await run(['call', 'demo.steps'])
    expect(err).toBe('25 %  step⟨U+001B⟩[2J 1\n50 %  step⟨U+001B⟩[2J 2\n100 %  step⟨U+001B⟩[2J 4\n')
  })

  test('in what was typed and is said back', async () => {
    for (const argv of [
      [`x\u001b]0;t\u0007`],
      ['call', 'shop.search', `--q\u001b[1m`, 'v'],
      ['call', `no\u202esuch`, '--x', '1'],
      ['jobs', 'show', 'c\u001b[1m'],
    ]) {
      const { code, err } = await run(argv)
      expect(code).not.toBe(0)
      expect(err).not.toMatch(OBEYED)
    }
  })

  test('in an approval request', async () => {
    const { createTestApp } = await import('./fixtures/test-app.ts')
    const { local } = createTestApp()
    const openLocal = async () => local
    const asked = await run(['call', 'bank.transfer', '--input=-', '--json'], {
      openLocal,
      stdin: JSON.stringify({ amount: '1\u202e0', recipient: `bob\u001b[8m${'x'.repeat(3_000)}` }),
    })
    const { approval_id } = JSON.parse(asked.out).metadata.pending
    const { out } = await run(['approvals', 'show', approval_id], { openLocal, columns: 40 })
    expect(out).not.toMatch(OBEYED)
    expect(out).toContain('amount: 1⟨U+202E⟩0')
    expect(out).toContain('invisible or direction-changing characters')
    // whole, however narrow the screen
    expect(out).toContain('x'.repeat(3_000))
    expect(out).toContain('A long text of 3014 characters')
    expect((await run(['approvals'], { openLocal, columns: 60 })).out).not.toMatch(OBEYED)
  })
})

test('a table gives way to a narrow screen and cuts where one sees it; a pipe gets all of it', () => {
  const rows = [['id_1', 'a very long text that does not fit', '日本語']]
  const narrow = formatTable(['ID', 'TEXT', 'WIDE'], rows, 30)
  expect(narrow.split('\n')).toEqual([
    'ID    TEXT              WIDE',
    'id_1  a very long tex…  日本語',
  ])
  expect(formatTable(['ID', 'TEXT', 'WIDE'], rows, Number.POSITIVE_INFINITY)).toContain(
    'a very long text that does not fit',
  )
})

test('a member without a value is not shown', () => {
  expect(valueText({ position: 3, id: undefined, what: 'a gap' }, 80)).toBe(
    'position: 3\nwhat: a gap',
  )
})
