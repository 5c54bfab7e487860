import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type CliOptions, type LocalApp, runCli } from '@surehand/cli'
import {
  type Caller,
  createRuntime,
  definePack,
  definePort,
  defineTool,
  memoryStores,
  sensitive,
  ToolError,
  undoWith,
  unrecoverable,
} from '@surehand/core'
import { miniSearchIndex } from '@surehand/discovery'
import { httpHandler, listen } from '@surehand/http'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

type Post = {
  readonly send: (
    order: { readonly to: string },
    signal: AbortSignal,
  ) => Promise<{ readonly receipt: string }>
}
const post = definePort<Post>('post', { send: unrecoverable })

const look = defineTool({
  id: 'shelf.look',
  title: 'Look',
  category: 'custom',
  description: 'Looks at a shelf.',
  input: z.object({
    shelf: z.string().max(20),
    deep: z.boolean().optional(),
    password: sensitive(z.string()).optional(),
  }),
  output: z.object({ items: z.array(z.object({ name: z.string(), count: z.number() })) }),
  contract: { effect: 'read' },
  examples: [{ name: 'the first', input: { shelf: 'a' } }],
  execute: async ({ input, report }) => {
    report({ fraction: 0.5, message: 'half way' })
    return { items: [{ name: `${input.shelf}\u001b[1m`, count: 2 }] }
  },
})

const pay = defineTool({
  id: 'bank.pay',
  title: 'Pay',
  category: 'integration',
  description: 'Pays somebody.',
  input: z.object({ to: z.string() }),
  output: z.object({ receipt: z.string() }),
  contract: {
    effect: 'writes.payment',
    reversible: false,
    idempotency: 'caller',
    approval: ({ to }) => `Pay ${to}?`,
  },
  ports: { post },
  examples: [{ name: 'bob', input: { to: 'bob' } }],
  execute: ({ input, ports, signal }) => ports.post.send(input, signal),
})

const letter = defineTool({
  id: 'mail.letter',
  title: 'Send a letter',
  category: 'integration',
  description: 'Sends a letter.',
  input: z.object({ to: z.string() }),
  output: z.object({ receipt: z.string() }),
  contract: { effect: 'writes.mail', reversible: true, idempotency: 'caller' },
  ports: { post },
  examples: [{ name: 'bob', input: { to: 'bob' } }],
  execute: ({ input, ports, signal }) => ports.post.send(input, signal),
})

const bulk = defineTool({
  id: 'mail.bulk',
  title: 'Send many',
  category: 'integration',
  description: 'Sends letters, later.',
  kind: 'async',
  input: z.object({ to: z.string() }),
  output: z.object({ receipt: z.string() }),
  contract: { effect: 'writes.mail', reversible: true, idempotency: 'caller' },
  ports: { post },
  examples: [{ name: 'all', input: { to: 'all' } }],
  execute: ({ input, ports, signal }) => ports.post.send(input, signal),
})

const write = defineTool({
  id: 'post.write',
  title: 'Write a post',
  category: 'integration',
  kind: 'interactive',
  description: 'Writes a post with somebody.',
  input: z.object({ about: z.string() }),
  output: z.object({ title: z.string() }),
  contract: { effect: 'writes.post', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'lamps', input: { about: 'lamps' } }],
  execute: async ({ input, step, ask }) => {
    await step(
      'letter',
      letter,
      { to: 'editor' },
      { undo: () => undoWith(letter, { to: 'editor again' }) },
    )
    const { title } = await ask(z.object({ title: z.string().min(3) }), 'Is this\u001b[1m right?', {
      shows: { title: `On ${input.about}` },
    })
    await step('publish', letter, { to: title })
    const isSure = await ask(z.boolean(), 'Shall it stay?', { id: 'stay' })
    return { title: isSure ? title : '' }
  },
})

const slow = defineTool({
  id: 'post.slow',
  title: 'Write slowly',
  category: 'integration',
  kind: 'composite',
  background: true,
  description: 'Writes in the background, then asks.',
  input: z.object({}),
  output: z.object({ isRead: z.boolean() }),
  contract: { effect: 'writes.post', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'so', input: {} }],
  execute: async ({ report, step, ask }) => {
    report({ fraction: 0.5, message: 'half way' })
    await step('rest', rest, {})
    return { isRead: await ask(z.boolean(), 'Has it been read?') }
  },
})

// longer than a word about how far it is waits before it is written down
const rest = defineTool({
  id: 'post.rest',
  title: 'Rest',
  category: 'integration',
  description: 'Takes a while.',
  input: z.object({}),
  output: z.object({}),
  contract: { effect: 'read' },
  examples: [{ name: 'so', input: {} }],
  execute: async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return {}
  },
})

const root: Caller = {
  tenant: 'home',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}

type Ran = { readonly code: number; readonly out: string; readonly err: string }
type TestServer = {
  readonly run: (argv: readonly string[], stdin?: string, env?: CliOptions['env']) => Promise<Ran>
  /** A worker begins to do what waits. */
  readonly work: () => void
  readonly sent: string[]
  readonly close: () => Promise<void>
}

/** The same small app, reached in this process or through a server on a real port. */
async function openServer(way: 'local' | 'remote'): Promise<TestServer> {
  const stores = memoryStores()
  const sent: string[] = []
  const send = async ({ to }: { readonly to: string }) => {
    if (to === 'nobody')
      throw new ToolError('TOOL_NETWORK_ERROR', 'The line went dead.', { effect: 'possible' })
    sent.push(to)
    return { receipt: `receipt ${sent.length}` }
  }
  const runtime = createRuntime({
    packs: [definePack({ name: 'small', tools: [look, pay, letter, bulk, write, slow, rest] })],
    stores,
    providers: { post: { send } },
    textIndex: miniSearchIndex(),
  })
  const audit: LocalApp['audit'] = {
    list: (filter) => stores.audit.list(filter),
    async *export() {
      yield '{"format":"test"}'
      yield '{"end":true}'
    },
    verify: async (tenant) => ({ kind: 'intact', tenant }),
  }
  const identity = {
    authenticate: async (bearer: string) =>
      bearer === 'tok' ? { caller: root, credential: bearer } : undefined,
    authenticateSession: async () => undefined,
  }
  const listening = await listen(
    (port) =>
      httpHandler({
        runtime,
        identity,
        publicUrl: `http://127.0.0.1:${port}`,
        audit: { ...audit, figures: (filter) => stores.audit.figures(filter) },
      }),
    {
      port: 0,
      hostname: '127.0.0.1',
    },
  )
  const url = `http://127.0.0.1:${listening.port}`
  const local: LocalApp = {
    runtime,
    caller: root,
    audit,
    approvalUrl: (id) => `${url}/approvals/${id}`,
    questionUrl: (id) => `${url}/questions/${id}`,
    close: async () => undefined,
  }
  const where: CliOptions['env'] =
    way === 'local' ? {} : { SUREHAND_URL: url, SUREHAND_TOKEN: 'tok' }
  const env = { HOME: mkdtempSync(join(tmpdir(), 'surehand-cli-')), ...where }
  return {
    sent,
    run: (argv, stdin = '', more = {}) =>
      ranWith(argv, stdin, { env: { ...env, ...more }, openLocal: async () => local }),
    work: () => runtime.start(),
    close: async () => {
      await runtime.stop()
      await listening.close(0)
    },
  }
}

async function ranWith(
  argv: readonly string[],
  stdin: string,
  options: Pick<CliOptions, 'env' | 'openLocal'>,
): Promise<Ran> {
  const said = { out: '', err: '' }
  const into = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        said[name] += String(chunk)
        done()
      },
    })
  const terminal = { stdin: Readable.from([stdin]), stdout: into('out'), stderr: into('err') }
  return {
    code: await runCli({ argv, terminal, version: 'test', commands: [], ...options }),
    ...said,
  }
}

/** What differs from run to run and place to place. */
function steady(text: string): string {
  return text
    .replaceAll(/\b(call|appr|ques|aud|cli|req)_[0-9a-z]{20,}/g, '$1_…')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replaceAll(
      /"(execution_time|validation_time|createdAt|created_at|duration_ms|at)": [\d.e-]+/g,
      '"$1": 0',
    )
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
}

type Step = { readonly argv: readonly string[]; readonly code: number; readonly stdin?: string }

function step(code: number, argv: readonly string[], stdin = ''): Step {
  return { argv, code, stdin }
}

// ids of the last answer stand in for APPROVAL, QUESTION and CALL
const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'a read, its progress, and its bad input': [
    step(0, ['call', 'shelf.look', '--shelf', 'a']),
    step(0, ['call', 'shelf.look', '--shelf', 'a', '--deep', '--json']),
    step(65, ['call', 'shelf.look', '--shelf', 'a'.repeat(30)]),
    step(64, ['call', 'shelf.look', '--shelv', 'a']),
    step(64, ['call', 'shelf.look', '--shelf', 'a', '--password', 'x']),
    step(65, ['call', 'shelf.look', '--input', '-'], '{"shelf":"a","shelf":"b"}'),
    step(64, ['call', 'no.tool', '--input', '{}']),
    step(64, ['show', 'shelf.lok']),
    step(0, ['tools', '--category', 'nothing']),
  ],
  approval: [
    step(75, ['call', 'bank.pay', '--to', 'bob', '--key', 'k1', '--json']),
    step(0, ['approvals', 'list']),
    step(0, ['approvals', 'show', 'APPROVAL']),
    step(65, ['approvals', 'approve', 'APPROVAL', '--digest', '0'.repeat(64), '--yes']),
    step(0, ['approvals', 'approve', 'APPROVAL', '--yes', '--comment', 'fine']),
    step(0, ['jobs', 'show', 'CALL']),
    step(0, ['call', 'bank.pay', '--to', 'bob', '--key', 'k1']),
    step(65, ['call', 'bank.pay', '--to', 'eve', '--key', 'k1']),
  ],
  'a no, and an edit': [
    step(75, ['call', 'bank.pay', '--to', 'bob', '--json']),
    step(0, ['approvals', 'edit', 'APPROVAL', '--input', '-', '--json'], '{"to":"eve"}'),
    step(65, ['approvals', 'show', 'none']),
    step(75, ['call', 'bank.pay', '--to', 'joe', '--json']),
    step(0, ['approvals', 'deny', 'APPROVAL', '--reason', 'no', '--yes']),
    step(77, ['call', 'bank.pay', '--to', 'joe']),
  ],
  'a job': [
    step(0, ['call', 'mail.bulk', '--to', 'all', '--json']),
    step(0, ['jobs', 'cancel', 'CALL']),
    step(75, ['jobs', 'cancel', 'CALL']),
    step(130, ['jobs', 'show', 'CALL']),
    step(65, ['jobs', 'show', 'none']),
  ],
  'a run that asks, is answered, and is called off': [
    step(75, ['call', 'post.write', '--about', 'lamps', '--key', 'k3', '--json']),
    step(0, ['questions']),
    step(0, ['questions', 'show', 'QUESTION']),
    step(0, ['questions', 'show', 'QUESTION', '--json']),
    step(65, ['questions', 'show', 'none']),
    step(64, ['questions', 'answer', 'QUESTION']),
    step(65, ['questions', 'answer', 'QUESTION', '--title', 'Boats', '--digest', '0'.repeat(64)]),
    step(75, ['questions', 'answer', 'QUESTION', '--title', 'Boats']),
    step(75, ['questions', 'answer', 'QUESTION', '--title', 'Ships']),
    step(0, ['questions', '--state', 'answered']),
    step(75, ['jobs', 'show', 'CALL']),
    step(75, ['jobs', 'show', 'CALL', '--json']),
    step(75, ['jobs', 'watch', 'CALL']),
    step(0, ['jobs']),
    step(130, ['jobs', 'cancel', 'CALL']),
    step(75, ['jobs', 'cancel', 'CALL']),
    step(130, ['jobs', 'show', 'CALL']),
  ],
  'what nobody knows': [
    step(70, ['call', 'mail.letter', '--to', 'nobody', '--key', 'k2', '--json']),
    step(0, ['jobs']),
    step(0, [
      'jobs',
      'resolve',
      'CALL',
      '--succeeded',
      '--output',
      '{"receipt":"r"}',
      '--evidence',
      'seen',
      '--json',
    ]),
    step(0, ['jobs', 'show', 'CALL']),
    step(75, ['jobs', 'resolve', 'CALL', '--failed', '--evidence', 'again']),
  ],
  'the audit': [
    step(0, ['audit', 'list', '--tool', 'none']),
    step(0, ['audit', 'export', '-']),
    step(0, ['audit', 'verify']),
  ],
}

async function runWebhookTest(story: readonly Step[], app: TestServer): Promise<readonly object[]> {
  const lines: object[] = []
  const ids = { APPROVAL: '', QUESTION: '', CALL: '' }
  for (const { argv, stdin } of story) {
    const words = argv.map((word) =>
      word === 'APPROVAL' || word === 'QUESTION' || word === 'CALL' ? ids[word] : word,
    )
    const { code, out, err } = await app.run(words, stdin)
    if (argv[0] === 'call' && argv.includes('--json')) {
      const { metadata } = JSON.parse(out)
      const { pending, asking, call_id: CALL } = metadata
      Object.assign(ids, {
        CALL,
        APPROVAL: pending?.approval_id ?? ids.APPROVAL,
        QUESTION: asking?.question_id ?? ids.QUESTION,
      })
    }
    lines.push({ argv, code, out: steady(out), err: steady(err) })
  }
  return lines
}

describe('a server and an app in this process tell the same story', () => {
  test.each(Object.keys(STORIES))('%s', async (name) => {
    const story = STORIES[name] ?? []
    const [local, remote] = [await openServer('local'), await openServer('remote')]
    try {
      const here = await runWebhookTest(story, local)
      expect(await runWebhookTest(story, remote)).toEqual(here)
      expect(here).toMatchObject(story.map(({ argv, code }) => ({ argv, code })))
      expect(remote.sent).toEqual(local.sent)
    } finally {
      await Promise.all([local.close(), remote.close()])
    }
  })
})

describe('what only a server has', () => {
  test('jobs that its worker does are waited for', async () => {
    const app = await openServer('remote')
    app.work()
    const { code, out } = await app.run([
      'call',
      'mail.bulk',
      '--to',
      'all',
      '--key',
      'k',
      '--wait',
      '30s',
    ])
    expect([code, out]).toEqual([0, 'receipt: receipt 1\n'])
    await app.close()
  })

  test('after an approval a worker makes the call, and an answer that comes soon is shown', async () => {
    const app = await openServer('remote')
    app.work()
    const asked = await app.run(['call', 'bank.pay', '--to', 'bob', '--json'])
    const { code, out } = await app.run([
      'approvals',
      'approve',
      JSON.parse(asked.out).metadata.pending.approval_id,
      '--yes',
    ])
    expect([code, out]).toEqual([0, 'receipt: receipt 1\n'])
    await app.close()
  })

  test('a run reports its progress until it asks a question, and continues after the answer', async () => {
    const app = await openServer('remote')
    app.work()
    const accepted = await app.run(['call', 'post.slow', '--key', 'k', '--json'])
    const watched = await app.run(['jobs', 'watch', JSON.parse(accepted.out).metadata.call_id])
    expect(watched).toMatchObject({
      code: 75,
      err: '50 %  half way\n',
      out: expect.stringContaining('Has it been read?'),
    })
    const [, question = ''] = /questions answer (ques_\w+)/.exec(watched.out) ?? []
    const answered = await app.run(['questions', 'answer', question, '--answer', 'true'])
    expect(answered).toMatchObject({
      code: 0,
      out: 'isRead: true\n',
      err: expect.stringContaining('Answered. The run has ended:'),
    })
    await app.close()
  })

  test('a token that does not hold: no call was made, and the way to fix it is named', async () => {
    const app = await openServer('remote')
    const { code, err } = await app.run(['call', 'shelf.look', '--shelf', 'a'], '', {
      SUREHAND_TOKEN: 'wrong',
    })
    expect(code).toBe(77)
    expect(err).toContain('surehand profile add NAME --url URL')
    await app.close()
  })

  test('a server that is not there', async () => {
    const app = await openServer('remote')
    await app.close()
    const { code, err } = await app.run(['tools'])
    expect([code, err]).toEqual([69, expect.stringContaining('cannot be reached')])
  })

  test('the same tools are listed and found', async () => {
    const [local, remote] = [await openServer('local'), await openServer('remote')]
    for (const argv of [
      ['tools', '--json'],
      ['search', 'letter', '--json'],
    ]) {
      const [here, there] = await Promise.all(
        [local, remote].map(async ({ run }) => JSON.parse((await run(argv)).out).map(idOf)),
      )
      expect(there).toEqual(here)
      expect(here).toContain('mail.letter')
    }
    await Promise.all([local.close(), remote.close()])
  })
})

function idOf({ id }: { readonly id: string }): string {
  return id
}
