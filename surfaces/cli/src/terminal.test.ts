import { describe, expect, test } from 'vitest'
import { onTerminal } from './fixtures/on-terminal.ts'

const ENTER = '\r'
const CTRL_C = '\u0003'
const DOWN = '\u001b[B'
const CLEARED = '\r\u001b[K'

describe('in a real pseudo-terminal', () => {
  test('required fields that are missing are asked for: texts and choices', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'shop.search', '--no-inStock'],
      [
        { see: 'query (what to look for)', type: `red lamps${ENTER}` },
        { see: /sort[\s\S]*price[\s\S]*name[\s\S]*newest/, type: `${DOWN}${ENTER}` },
      ],
    )
    expect(code).toBe(0)
    expect(screen).toMatch(/query: red lamps/)
    expect(screen).toMatch(/sort: name/)
    expect(screen).toMatch(/inStock: false/)
  })

  test('a secret is asked for without being shown', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'door.unlock'],
      [
        { see: 'code', type: `s3cret${ENTER}` },
        { see: /door[\s\S]*front[\s\S]*back/, type: `${DOWN}${ENTER}` },
        { see: /loud[\s\S]*Yes[\s\S]*No/, type: 'y' },
      ],
    )
    expect(code).toBe(0)
    expect(screen).toContain('opened: back 6 true')
    expect(screen).not.toContain('s3cret')
  })

  test('Ctrl-C at a prompt ends the command without a call', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'shop.search'],
      [{ see: 'query (what to look for)', type: CTRL_C }],
    )
    expect(code).toBe(130)
    expect(screen).not.toContain('items')
  })

  test('progress is a bar that is redrawn in place and removed at the end', async () => {
    const { code, screen } = await onTerminal(['call', 'demo.steps', '--pauseMs', '30'], [])
    expect(code).toBe(0)
    expect(screen.split(CLEARED)).toEqual([
      '',
      `[${'█'.repeat(6)}${'░'.repeat(18)}] 25 %  step⟨U+001B⟩[2J 1`,
      `[${'█'.repeat(12)}${'░'.repeat(12)}] 50 %  step⟨U+001B⟩[2J 2`,
      `[${'█'.repeat(24)}] 100 %  step⟨U+001B⟩[2J 4`,
      'steps: 3\r\n',
    ])
  })

  test('Ctrl-C cancels a call that runs, and says so', async () => {
    const { code, screen } = await onTerminal(
      ['call', 'demo.steps', '--pauseMs', '60000'],
      [{ see: '25 %', type: CTRL_C }],
    )
    expect(code).toBe(130)
    expect(screen).toContain('TOOL_CANCELLED')
  })

  test('the person who decides is shown the whole request, and asked', async () => {
    const approve = ['approvals', 'approve', 'FIRST']
    const question =
      /Send 5 to bob\?[\s\S]*cannot be undone[\s\S]*recipient: bob[\s\S]*Type "approve" to approve exactly this call, once/
    // Enter alone agrees to nothing.
    const refused = await onTerminal(approve, [{ see: question, type: ENTER }])
    expect(refused.code).toBe(130)
    expect(refused.screen).toContain('Nothing was decided')
    expect(refused.screen).not.toContain('receipt')
    // What cannot be undone is not approved by a letter.
    const letter = await onTerminal(approve, [{ see: question, type: `y${ENTER}` }])
    expect(letter.code).toBe(130)
    const agreed = await onTerminal(approve, [{ see: question, type: `approve${ENTER}` }])
    expect(agreed.code).toBe(0)
    expect(agreed.screen).toContain('receipt: receipt 1')
  })

  test('what was typed before the question appeared answers nothing', async () => {
    const approve = ['approvals', 'approve', 'FIRST']
    const typed = await onTerminal(
      approve,
      [{ see: 'Type "approve"', type: ENTER }],
      `approve${ENTER}`,
    )
    expect(typed.screen).not.toContain('receipt: receipt 1')
    expect(typed.code).toBe(130)
    const letter = await onTerminal(
      ['approvals', 'deny', 'FIRST', '--reason', 'No.'],
      [{ see: 'Deny this call?', type: ENTER }],
      'y',
    )
    expect([letter.code, letter.screen]).toEqual([
      130,
      expect.stringContaining('Nothing was decided'),
    ])
  })

  test('a table keeps to the width of the screen', async () => {
    const { screen } = await onTerminal(['tools'], [])
    const lines = screen.split('\r\n')
    expect(lines[0]).toMatch(/^TOOL/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  })

  test("a server's token is asked for without being shown", async () => {
    const { code, screen } = await onTerminal(
      ['profile', 'add', 'work', '--url', 'https://tools.example'],
      [{ see: 'Token (leave empty to use SUREHAND_TOKEN)', type: `tok_s3cret${ENTER}` }],
    )
    expect(code).toBe(0)
    expect(screen).toContain('work is in use')
    expect(screen).not.toContain('s3cret')
  })
})
