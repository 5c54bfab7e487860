import { execFileSync } from 'node:child_process'
import { describe, expect, test, vi } from 'vitest'
import { COMMANDS } from './commands.ts'
import { type RunOptions, run } from './fixtures/run.ts'
import { createTestApp } from './fixtures/test-app.ts'

function app(): { readonly options: RunOptions; readonly sent: string[] } {
  const { local, sent } = createTestApp()
  return { options: { openLocal: async () => local }, sent }
}

describe('what every command does', () => {
  test('a wrong command line is an error in JSON too, under the same exit code', async () => {
    for (const argv of [['tols'], ['tools', '--nonsense', '1'], ['approvals', 'show'], ['call']]) {
      const said = await run([...argv, '--json'])
      expect([argv, said.code, said.err, JSON.parse(said.out)]).toEqual([
        argv,
        64,
        '',
        { error: expect.objectContaining({ code: 'USAGE', message: expect.any(String) }) },
      ])
    }
  })

  // In this order, with the ids that came before.
  const LINES = [
    'tools',
    'search money',
    'show bank.transfer',
    'call bank.transfer --amount 2 --recipient bob',
    'approvals',
    'approvals list',
    'approvals show APPROVAL',
    'approvals delegate APPROVAL --to ben',
    'approvals edit APPROVAL --input {}',
    'approvals approve APPROVAL --yes',
    'approvals deny APPROVAL --yes --reason no',
    'questions list',
    'questions show question_0',
    'questions answer question_0',
    'jobs list',
    'jobs show CALL',
    'jobs watch CALL',
    'jobs wait CALL',
    'jobs cancel CALL',
    'jobs resolve CALL --done --text seen',
    'audit list',
    'audit export',
    'audit verify',
    'profile list',
    'profile add home --data /tmp/home',
    'profile use home',
    'profile remove home',
    'completion bash',
    'completion zsh',
    'completion fish',
  ]

  test('with --json every command and each of its actions prints one JSON value', async () => {
    const { options } = app()
    let ids: readonly [approval: string, call: string] = ['', '']
    for (const line of LINES) {
      const words = line.replace('APPROVAL', ids[0]).replace('CALL', ids[1]).split(' ')
      const { out } = await run([...words, '--json'], options)
      expect([line, JSON.parse(out)]).toEqual([line, expect.anything()])
      if (line.startsWith('call ')) ids = [idIn(out, 'approval_id'), idIn(out, 'call_id')]
    }
    expect(ids).not.toContain('')
  })

  test('no command and no action is missing there', () => {
    const named = COMMANDS.flatMap(({ name, actions = [] }) => [
      name,
      ...actions.map((action) => `${name} ${action}`),
    ])
    const isListed = (words: string): boolean =>
      LINES.some((line) => `${line} `.startsWith(`${words} `))
    expect(named.filter((words) => !isListed(words))).toEqual([])
  })

  test('an id is whole on every screen', async () => {
    const { options } = app()
    await run(['call', 'bank.transfer', '--amount', '800 EUR', '--recipient', 'landlord'], options)
    const { out } = await run(['approvals'], { ...options, columns: 40 })
    expect(out).toMatch(/^appr_[0-9a-z]{26} /m)
    expect((await run(['tools'], { ...options, columns: 20 })).out).toMatch(/^bank\.transfer /m)
  })

  test('colours are for screens; NO_COLOR takes them away, FORCE_COLOR brings them', async () => {
    const { options } = app()
    const ask = ['call', 'bank.transfer', '--amount', '1 EUR', '--recipient', 'bob']
    const isPainted = async (columns?: number): Promise<boolean> =>
      (
        await run(ask, {
          ...options,
          ...(columns === undefined ? {} : { columns, colours: 'own' }),
        })
      ).out.includes('\u001b[33m')
    try {
      vi.stubEnv('TERM', 'xterm-256color')
      // Node takes a build server for a screen without colours.
      for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS'])
        vi.stubEnv(name, undefined)
      expect([await isPainted(), await isPainted(80)]).toEqual([false, true])
      vi.stubEnv('NO_COLOR', '1')
      expect(await isPainted(80)).toBe(false)
      vi.stubEnv('NO_COLOR', undefined)
      vi.stubEnv('FORCE_COLOR', '1')
      expect(await isPainted()).toBe(true)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test.each(['Approve', 'Deny'])(
    'the command that "approvals show" prints behind %s works as it is printed',
    async (verb) => {
      const { options, sent } = app()
      const where = ['--data', "/tmp/it's here", '--as', 'ann']
      const asked = await run(
        ['call', 'bank.transfer', '--amount', '2 EUR', '--recipient', 'bob', ...where],
        options,
      )
      const show = printedCommand(asked.out, 'Show the request')
      const shown = await run(show, options)
      const decide = printedCommand(shown.out, verb)
      expect(decide.slice(0, 4)).toEqual(where)
      const decided = await run(decide, options)
      expect([decided.code, sent.length]).toEqual([0, verb === 'Approve' ? 1 : 0])
    },
  )
})

function idIn(json: string, field: string): string {
  return new RegExp(`"${field}": "([^"]+)"`).exec(json)?.[1] ?? ''
}

/** The words of a printed command, as a shell reads them. */
function printedCommand(text: string, label: string): readonly string[] {
  const [, command = ''] = new RegExp(`^${label}: +(.*)$`, 'm').exec(text) ?? []
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`]).toString()
  return words.split('\0').slice(1, -1)
}
