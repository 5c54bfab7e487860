import type { ChildProcess } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { createApp, resolveLocalCaller } from '../../../apps/server/src/app.ts'
import { runCli } from '../../../surfaces/cli/src/index.ts'
import { ask } from '../wire/pinned-process.ts'
import { type Place, readNotesConfig } from './notes-app.ts'
import type { NotesServer } from './server-child.ts'

/** A way in which a person approves a request. */
export type Way = {
  readonly id: string
  readonly does: string
  readonly approve: (approvalId: string) => Promise<void>
}

export type WayContext = {
  readonly served: NotesServer
  readonly server: ChildProcess
  readonly place: Place
}

export async function openWays(context: WayContext): Promise<readonly Way[]> {
  const { served, server } = context
  const cookie = await signIn(served)
  return [
    { id: 'api', does: 'HTTP API', approve: (id) => approveByApi(id, served) },
    { id: 'page', does: 'decision page', approve: (id) => approveByPage(id, cookie, served) },
    {
      id: 'link',
      does: 'link in a message (e-mail, Slack, push)',
      async approve(id) {
        const { link } = await ask<{ readonly link: string }>(server, { id })
        await postForm(link, { verdict: 'approve' }, served)
      },
    },
    {
      id: 'cli-server',
      does: 'surehand approvals approve, at the server',
      approve: (id) => approveByCommand(id, [], context),
    },
    {
      id: 'cli-data',
      does: 'surehand approvals approve, in the data folder',
      approve: (id) => approveByCommand(id, ['--data', context.place.data], context),
    },
  ]
}

async function approveByApi(id: string, { url, ann }: NotesServer): Promise<void> {
  const headers = { authorization: `Bearer ${ann}`, 'content-type': 'application/json' }
  const shown = await fetch(`${url}/v1/approvals/${id}`, { headers })
  const { data } = (await shown.json()) as { readonly data: { readonly digest: string } }
  const body = JSON.stringify({ verdict: 'approve', digest: data.digest })
  await requireOk(
    await fetch(`${url}/v1/approvals/${id}/decision`, { method: 'POST', headers, body }),
  )
}

async function signIn({ url, ann }: NotesServer): Promise<string> {
  const response = await fetch(`${url}/sign-in`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ token: ann }),
    redirect: 'manual',
  })
  const [cookie = ''] = response.headers.getSetCookie()
  return cookie.split(';')[0] ?? ''
}

async function approveByPage(id: string, cookie: string, served: NotesServer): Promise<void> {
  const address = `${served.url}/approvals/${id}`
  const page = await (await fetch(address, { headers: { cookie } })).text()
  const field = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const form = { verdict: 'approve', digest: field('digest'), seal: field('seal') }
  await postForm(address, form, served, cookie)
}

async function postForm(
  address: string,
  form: Record<string, string>,
  { url }: NotesServer,
  cookie = '',
): Promise<void> {
  const headers = { origin: url, cookie }
  const body = new URLSearchParams(form)
  const sent = { method: 'POST', headers, body, redirect: 'manual' } as const
  await requireOk(await fetch(address, sent))
}

async function requireOk(response: Response): Promise<void> {
  if (response.status < 400) return
  throw new Error(`A decision was answered ${response.status}: ${await response.text()}`)
}

/** The command runs in this process, which is not the server's; its start is not measured. */
async function approveByCommand(
  id: string,
  where: readonly string[],
  { served, place }: WayContext,
): Promise<void> {
  const said: string[] = []
  const screen = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk))
      done()
    },
  })
  const remote = where.length === 0
  const code = await runCli({
    argv: [
      'approvals',
      'approve',
      id,
      '--yes',
      '--json',
      ...where,
      ...(remote ? [] : ['--as', 'ann']),
    ],
    env: remote ? { SUREHAND_URL: served.url, SUREHAND_TOKEN: served.ann, HOME: place.data } : {},
    terminal: { stdin: Readable.from([]), stdout: screen, stderr: screen },
    version: '0.0.0-bench',
    async openLocal(at) {
      const app = await createApp(await readNotesConfig(place))
      const caller = await resolveLocalCaller(app, at)
      return { runtime: app.runtime, caller, audit: app.audit, close: app.close }
    },
    commands: [],
  })
  if (code !== 0) throw new Error(`The command ended with ${code}: ${said.join('')}`)
}
