import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRuntime, defineTool } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyHome, type RunOptions, run } from './fixtures/run.ts'
import { ann, createTestApp } from './fixtures/test-app.ts'
import type { LocalTarget } from './options.ts'

function app(): { readonly options: RunOptions; readonly sent: string[] } {
  const { local, sent } = createTestApp()
  return { options: { openLocal: async () => local }, sent }
}

describe('call', () => {
  test('a key makes a repeat an answer; the words say so', async () => {
    const { options, sent } = app()
    const first = await run(['call', 'mail.letter', '--to', 'bob', '--key', 'k1'], options)
    const again = await run(['call', 'mail.letter', '--to', 'bob', '--key', 'k1'], options)
    expect([first.out, again.out, sent.length]).toEqual([
      'receipt: receipt 1\n',
      'receipt: receipt 1\n',
      1,
    ])
    expect(again.err).toContain('the call was not made again')
  })

  test('a write that wants a key is given one, and the one that is shown works', async () => {
    const { options, sent } = app()
    const { err } = await run(['call', 'mail.letter', '--to', 'bob'], options)
    const [, key = ''] = /Key: (\S+)/.exec(err) ?? []
    await run(['call', 'mail.letter', '--to', 'bob', '--key', key], options)
    expect(sent).toHaveLength(1)
  })

  test('what cannot be undone is not given a key of our making: the guard against doing it twice holds', async () => {
    const { options, sent } = app()
    await run(['call', 'mail.final', '--to', 'bob'], options)
    const again = await run(['call', 'mail.final', '--to', 'bob'], options)
    expect(again.code).toBe(65)
    expect(again.err).toMatch(
      /TOOL_POSSIBLE_DUPLICATE[\s\S]*surehand jobs show call_\w+[\s\S]*surehand call mail.final --to bob --repeat/,
    )
    expect((await run(['call', 'mail.final', '--to', 'bob', '--repeat'], options)).code).toBe(0)
    expect(sent).toHaveLength(2)
  })

  test('without a terminal, what is missing is named with the command that helps', async () => {
    const { code, err } = await run(['call', 'shop.search'], { stdin: '' })
    expect(code).toBe(65)
    expect(err.split('\nCall:')[0]).toBe(
      [
        "TOOL_INVALID_INPUT: shop.search can't take this input:",
        '  --query  is required: expected string',
        '  --sort  is required: expected one of "price"|"name"|"newest"',
        'Try:',
        '  surehand show shop.search',
      ].join('\n'),
    )
  })

  test('--input takes a text, a file, or standard input as it is', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'surehand-cli-')), 'in.json')
    writeFileSync(file, '{"query":"x","sort":"name"}')
    for (const [given, stdin] of [
      ['{"query":"x","sort":"name"}', ''],
      [`@${file}`, ''],
      ['-', '{"query":"x","sort":"name"}'],
    ] as const)
      expect((await run(['call', 'shop.search', '--input', given], { stdin })).out).toContain(
        'query: x',
      )
    // two keys of one name: the runtime sees the text, and refuses it
    const twice = await run(['call', 'shop.search', '--input', '-'], {
      stdin: '{"query":"x","query":"y","sort":"name"}',
    })
    expect([twice.code, twice.err]).toEqual([65, expect.stringContaining('TOOL_INVALID_INPUT')])
  })

  test('a job is waited for where that is asked', async () => {
    const { options, sent } = app()
    expect(await run(['call', 'mail.bulk', '--to', 'all', '--wait', '20s'], options)).toMatchObject(
      {
        code: 0,
        out: 'receipt: receipt 1\n',
      },
    )
    const later = await run(['call', 'mail.bulk', '--to', 'others', '--json'], options)
    const { call_id } = JSON.parse(later.out).metadata
    expect((await run(['jobs', 'show', call_id], options)).out).toContain('Accepted')
    expect((await run(['jobs', 'wait', call_id, '--wait', '20s'], options)).out).toBe(
      'receipt: receipt 2\n',
    )
    expect(sent).toHaveLength(2)
  })

  test('under --json standard output holds the envelope and nothing else, progress goes beside it', async () => {
    const { out, err } = await run(['call', 'demo.steps', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      status: 'success',
      command: 'demo.steps',
      data: { steps: 3 },
    })
    expect(err.split('\n')).toHaveLength(4)
  })

  test('--help behind a tool is about the tool', async () => {
    expect((await run(['call', 'shop.search', '--help'])).out).toContain(
      '--sort price|name|newest  (required)',
    )
  })
})

describe('approvals', () => {
  async function requestApproval(
    options: RunOptions,
  ): Promise<{ readonly id: string; readonly callId: string }> {
    const { out } = await run(
      ['call', 'bank.transfer', '--amount', '5', '--recipient', 'bob', '--json'],
      options,
    )
    const { metadata } = JSON.parse(out)
    return { id: metadata.pending.approval_id, callId: metadata.call_id }
  }

  test('without a live worker, approve runs the call and shows its answer', async () => {
    const { options, sent } = app()
    const { id, callId } = await requestApproval(options)
    expect((await run(['approvals'], options)).out).toContain('Send 5 to bob?')
    const { code, out, err } = await run(
      ['approvals', 'approve', id, '--yes', '--comment', 'fine'],
      options,
    )
    expect({ code, out }).toEqual({ code: 0, out: 'receipt: receipt 1\n' })
    expect(err).toMatch(/Send 5 to bob\?[\s\S]*recipient: bob[\s\S]*Approved\. The call was made/)
    expect((await run(['jobs', 'show', callId], options)).out).toBe('receipt: receipt 1\n')
    expect(sent).toHaveLength(1)
    expect((await run(['approvals', 'approve', id, '--yes'], options)).code).toBe(75)
  })

  test('a decision is about what was shown', async () => {
    const { options, sent } = app()
    const { id } = await requestApproval(options)
    const other = await run(
      ['approvals', 'approve', id, '--yes', '--digest', '0'.repeat(64)],
      options,
    )
    expect([other.code, other.err]).toEqual([
      65,
      expect.stringContaining('has changed since it was shown'),
    ])
    expect(sent).toEqual([])
  })

  test('without a terminal and without --yes nothing is decided', async () => {
    const { options, sent } = app()
    const { id } = await requestApproval(options)
    expect((await run(['approvals', 'approve', id], options)).code).toBe(64)
    expect(sent).toEqual([])
  })

  test('a denial needs a reason, and binds', async () => {
    const { options, sent } = app()
    const { id } = await requestApproval(options)
    expect((await run(['approvals', 'deny', id, '--yes'], options)).code).toBe(64)
    expect(
      (await run(['approvals', 'deny', id, '--yes', '--reason', 'too dear'], options)).out,
    ).toContain('Denied. The call was not made')
    const again = await run(
      ['call', 'bank.transfer', '--amount', '5', '--recipient', 'bob'],
      options,
    )
    expect([again.code, again.err]).toEqual([77, expect.stringContaining('TOOL_APPROVAL_DENIED')])
    expect((await run(['approvals', 'list', '--state', 'denied'], options)).out).toContain(id)
    expect(sent).toEqual([])
  })

  test('who asked is said where it was an agent', async () => {
    const { local } = createTestApp()
    const agent = { ...local, caller: { ...ann, actor: 'ai_agent' as const } }
    const line = ['call', 'bank.transfer', '--amount', '5', '--recipient', 'eve', '--json']
    const asked = await run(line, { openLocal: async () => agent })
    const { approval_id: id } = JSON.parse(asked.out).metadata.pending
    const options = { openLocal: async () => local }
    expect((await run(['approvals', 'list'], options)).out).toContain("ann's agent")
    expect((await run(['approvals', 'show', id], options)).out).toContain(
      "Caller:      ann's agent\n",
    )
  })

  test('facts are shown; when they have changed, approve says that nothing was done, and why', async () => {
    const facts = { total: '40 EUR' }
    const order = defineTool({
      id: 'shop.order',
      description: 'Orders what is in the cart.',
      input: z.object({}),
      output: z.object({ ordered: z.boolean() }),
      contract: {
        effect: 'writes.order',
        reversible: true,
        idempotency: 'caller',
        approval: { asks: () => 'Order?', facts: async () => facts },
      },
      execute: async () => ({ ordered: true }),
    })
    const runtime = createRuntime({ tools: [order] })
    const options = { openLocal: async () => ({ ...createTestApp().local, runtime }) }
    const asked = await run(['call', 'shop.order', '--key', 'k', '--json'], options)
    const id: string = JSON.parse(asked.out).metadata.pending.approval_id
    expect((await run(['approvals', 'show', id], options)).out).toMatch(
      /What is approved:\n {2}total: 40 EUR/,
    )
    facts.total = '45\u001b EUR'
    const tried = await run(['approvals', 'approve', id, '--yes'], options)
    expect(tried.err).toMatch(
      /Approved\. But what it would do has changed since, so it was not done/,
    )
    expect(tried.out).toMatch(
      /has changed since\. Nothing has been done:\n {2}total: "40 EUR" → "45⟨U\+001B⟩ EUR"/,
    )
    expect((await run(['approvals', 'show', id], options)).out).toMatch(
      /State: {7}used \(approve by ann .*; nothing was done, because what was approved had changed: see appr_/,
    )
    const [, next = ''] = /surehand approvals approve (appr_\w+)/.exec(tried.out) ?? []
    expect((await run(['approvals', 'approve', next, '--yes'], options)).out).toBe(
      'ordered: true\n',
    )
  })

  test('an edit is a new approval request', async () => {
    const { options } = app()
    const { id } = await requestApproval(options)
    const { out } = await run(['approvals', 'edit', id, '--input', '-'], {
      ...options,
      stdin: '{"amount":"4","recipient":"bob"}',
    })
    expect(out).toContain('Send 4 to bob?')
    expect(out).toContain('Changed by:  ann')
    expect((await run(['approvals', 'show', id], options)).out).toContain('State:       replaced')
  })
})

describe('jobs', () => {
  test('an unknown outcome is settled with evidence, once', async () => {
    const { options } = app()
    const lost = await run(['call', 'post.lost', '--to', 'bob', '--json'], options)
    const { error, metadata } = JSON.parse(lost.out)
    expect([lost.code, error.code]).toEqual([70, 'TOOL_OUTCOME_UNKNOWN'])
    const id = metadata.call_id
    expect((await run(['jobs'], options)).out).toMatch(
      new RegExp(`^CALL +TOOL +BY +STATE +SINCE\\n${id} +post\\.lost +\\w+ +UNKNOWN `),
    )
    expect(
      (await run(['jobs', 'resolve', id, '--succeeded', '--evidence', 'seen'], options)).code,
    ).toBe(64)
    expect(
      (await run(['jobs', 'resolve', id, '--succeeded', '--failed', '--evidence', 'seen'], options))
        .code,
    ).toBe(64)
    const settled = await run(
      [
        'jobs',
        'resolve',
        id,
        '--succeeded',
        '--output',
        '{"receipt":"r7"}',
        '--evidence',
        'seen in the list',
      ],
      options,
    )
    expect(settled).toMatchObject({ code: 0, out: `Resolved: ${id} was done.\n` })
    expect((await run(['jobs', 'list'], options)).out).toBe('No calls are open.\n')
    expect((await run(['jobs', 'show', id], options)).out).toBe('receipt: r7\n')
    expect((await run(['jobs', 'resolve', id, '--failed', '--evidence', 'x'], options)).code).toBe(
      75,
    )
  })

  test('what waits is cancelled, what ended is not', async () => {
    const { options, sent } = app()
    const { metadata } = JSON.parse(
      (await run(['call', 'mail.bulk', '--to', 'all', '--json'], options)).out,
    )
    expect((await run(['jobs', 'cancel', metadata.call_id], options)).code).toBe(0)
    expect((await run(['jobs', 'cancel', metadata.call_id], options)).code).toBe(75)
    expect((await run(['jobs', 'cancel', 'call_none'], options)).code).toBe(65)
    expect(sent).toEqual([])
  })
})

describe('audit', () => {
  test('records are found by tool, person and time', async () => {
    const { options } = app()
    await run(['call', 'demo.steps'], options)
    await run(['call', 'mail.letter', '--to', 'bob'], options)
    const tools = async (...flags: readonly string[]): Promise<string[]> =>
      JSON.parse((await run(['audit', 'list', ...flags, '--json'], options)).out).map(
        (record: { tool_name: string }) => record.tool_name,
      )
    expect(new Set(await tools())).toEqual(new Set(['demo.steps', 'mail.letter']))
    expect(new Set(await tools('--tool', 'mail.letter'))).toEqual(new Set(['mail.letter']))
    expect(await tools('--principal', 'bob')).toEqual([])
    expect(await tools('--until', '2020-01-01')).toEqual([])
    expect((await tools('--since', '2020-01-01', '--limit', '1')).length).toBe(1)
    expect((await run(['audit', '--since', 'yesterday'], options)).code).toBe(64)
  })

  test('it is exported for its owner alone, and verified', async () => {
    const { options } = app()
    const file = join(mkdtempSync(join(tmpdir(), 'surehand-cli-')), 'audit.jsonl')
    expect((await run(['audit', 'export', file], options)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('{"format":"test"}\n{"end":true}\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await run(['audit', 'verify'], options)).code).toBe(0)
    const verifyBroken = async () => ({ kind: 'broken', flaw: { place: 3 } })
    const verifyThere = async (exported: string, at: LocalTarget) => ({
      kind: exported === file && at.data === 'elsewhere' ? 'intact' : 'broken',
    })
    const there = ['audit', 'verify', file, '--data', 'elsewhere']
    expect((await run(there, { ...options, verifyExport: verifyThere })).code).toBe(0)
    expect(
      (await run(['audit', 'verify', file], { ...options, verifyExport: verifyBroken })).code,
    ).toBe(65)
    expect((await run(['audit', 'verify', file], options)).code).toBe(64)
  })
})

describe('profile', () => {
  test('a profile says which app, as whom; its file is for its owner alone', async () => {
    const env = { XDG_CONFIG_HOME: emptyHome() }
    const seen: object[] = []
    const openLocal: RunOptions['openLocal'] = async (at) => {
      seen.push(at)
      return createTestApp().local
    }
    expect(
      (await run(['profile', 'add', 'home', '--data', '/srv/app', '--as', 'ann'], { env })).code,
    ).toBe(0)
    await run(['tools'], { env, openLocal })
    await run(['tools', '--as', 'bob', '--tenant', 't2'], { env, openLocal })
    await run(['tools', '--data', '/elsewhere'], { env, openLocal })
    expect(seen).toEqual([
      { data: '/srv/app', principal: 'ann' },
      { data: '/srv/app', principal: 'bob', tenant: 't2' },
      { data: '/elsewhere' },
    ])
    expect(statSync(join(env.XDG_CONFIG_HOME, 'surehand', 'profiles.json')).mode & 0o777).toBe(
      0o600,
    )
    expect((await run(['profile', 'remove', 'home'], { env })).code).toBe(0)
    await run(['tools'], { env, openLocal })
    expect(seen.at(-1)).toEqual({})
  })

  test('a token is read from standard input, kept, sent, and never shown', async () => {
    const env = { XDG_CONFIG_HOME: emptyHome() }
    const sent: unknown[] = []
    const fetch: RunOptions['fetch'] = async (url, { headers }) => {
      sent.push([url, new Headers(headers).get('authorization')])
      return new Response('nonsense')
    }
    await run(['profile', 'add', 'work', '--url', 'https://tools.example/'], {
      env,
      stdin: 'tok_s3cret\n',
    })
    const list = [await run(['profile'], { env }), await run(['profile', '--json'], { env })]
    expect(list.map(({ out, err }) => out + err).join()).not.toContain('s3cret')
    const answer = await run(['tools'], { env, fetch })
    await run(['tools'], { env: { ...env, SUREHAND_TOKEN: 'other' }, fetch })
    await run(['tools'], {
      env: { ...env, SUREHAND_URL: 'https://b.example', SUREHAND_TOKEN: 'third' },
      fetch,
    })
    expect(sent).toEqual([
      ['https://tools.example/v1/tools?limit=200', 'Bearer tok_s3cret'],
      ['https://tools.example/v1/tools?limit=200', 'Bearer other'],
      ['https://b.example/v1/tools?limit=200', 'Bearer third'],
    ])
    expect([answer.code, answer.err]).toEqual([
      69,
      expect.stringContaining('not with a Surehand envelope'),
    ])
  })

  test.each<[string, readonly string[]]>([
    [
      'a token as an argument',
      ['profile', 'add', 'x', '--url', 'https://a.example', '--token', 't'],
    ],
    ['a password in the address', ['profile', 'add', 'x', '--url', 'https://u:p@a.example']],
    ['neither a server nor a folder', ['profile', 'add', 'x']],
    ['another person than the token says', ['tools', '--as', 'bob']],
    ['a profile that is not there', ['tools', '--profile', 'none']],
  ])('refused: %s', async (_, argv) => {
    const { code, err } = await run(argv, {
      env: { XDG_CONFIG_HOME: emptyHome(), SUREHAND_URL: 'https://a.example' },
    })
    expect(code).toBe(64)
    expect(err).toContain('Try:')
  })
})

describe('help and the rest', () => {
  test("an option that a command of the app does not know is named, without Node's advice", async () => {
    const serve = {
      name: 'serve',
      summary: 'Starts the server',
      usage: 'surehand serve',
      run: async (args: readonly string[]) => {
        parseArgs({ args: [...args], allowPositionals: true })
        return 0
      },
    }
    expect(await run(['serve', '--prot', '1'], { commands: [serve] })).toMatchObject({
      code: 64,
      err: "Unknown option '--prot'.\nTry:\n  surehand help serve\n",
    })
  })

  test("every command has its page, the app's own alike, and gets its words as they were typed", async () => {
    const given: unknown[] = []
    const commands: RunOptions['commands'] = [
      {
        name: 'serve',
        summary: 'Starts the server',
        usage: 'surehand serve [--port N]',
        run: async (args, _, at) => {
          given.push(args, at)
          return 7
        },
      },
    ]
    const page = (await run(['--help'], { commands })).out
    for (const name of [
      'tools',
      'search',
      'show',
      'call',
      'approvals',
      'questions',
      'jobs',
      'audit',
      'profile',
      'completion',
      'serve',
    ]) {
      expect(page).toContain(`\n  ${name} `)
      const own = await run(['help', name], { commands })
      expect(own).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Usage: surehand ${name}`),
      })
      if (name !== 'call') expect((await run([name, '--help'], { commands })).out).toBe(own.out)
    }
    expect(
      (await run(['serve', '--port', '1', '--data', '/d', '--x=y', 'z'], { commands })).code,
    ).toBe(7)
    expect(given).toEqual([['--port', '1', '--x=y', 'z'], { data: '/d' }])
    expect((await run(['--version'])).out).toBe('0.0.0-test\n')
  })

  test('examples that show prints can be pasted, and do what they say', async () => {
    const { execFileSync } = await import('node:child_process')
    const { out } = await run(['show', 'shop.search'])
    const [, line = ''] = /# cheap lamps\n {2}surehand (.*)\n/.exec(out) ?? []
    const words = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`])
      .toString()
      .split('\0')
      .slice(0, -1)
    const { data } = JSON.parse((await run([...words, '--json'])).out)
    expect(data.asked).toEqual({
      query: "Ann's lamps",
      sort: 'price',
      limit: 10,
      tags: ['red', 'new'],
      price: { to: 20 },
    })
  })

  test('tools and search list what there is; --json is for programs', async () => {
    const { out } = await run(['tools'])
    expect(out).toMatch(
      /^TOOL +TITLE +EFFECT +APPROVAL\nbank\.transfer +Transfer money +writes\.payment \(final\) +confirm\n/,
    )
    expect(
      JSON.parse((await run(['tools', '--category', 'custom', '--json'])).out).map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual(['demo.fail', 'demo.steps', 'door.unlock', 'shop.search', 'surehand.answer'])
    expect((await run(['search', 'things', 'to', 'buy'])).out).toContain('shop.search')
  })
})
