import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../needs.ts'
import { run } from './as-user.ts'

const BASE = 'docker.io/library/node:24-slim'

/** An image, and what it says about how it is started. */
export type Image = {
  /** Where its files are. */
  readonly files: string
  readonly data: string
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly env: readonly string[]
  readonly user: string
  readonly workingFolder: string
}

type Source = {
  readonly name: string
  /** The folder that its Dockerfile copies from. */
  readonly context: string
  readonly dockerfile: string
  /** The registry that npm asks while the image is built. */
  readonly registry: string
}

type Buildah = (...words: string[]) => Promise<string>

export type ImageStore = {
  readonly build: (source: Source) => Promise<Image>
  readonly remove: () => Promise<void>
}

/** Images that buildah builds and stores in a folder. */
export async function openImageStore(folder: string): Promise<ImageStore> {
  mkdirSync(folder, { recursive: true })
  const buildah: Buildah = async (...words) => {
    const stores = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')]
    return (await run(folder, 'buildah', ...stores, ...words)).trim()
  }
  const remove = async (): Promise<void> => {
    await buildah('rm', '--all')
    // The store mounts its folder on itself; where it is another kind of store, there is no mount.
    await run(folder, 'umount', join(folder, 'root/overlay')).catch(() => undefined)
  }
  try {
    await buildah('pull', BASE).catch(() => makeBase(folder, buildah))
  } catch (thrown) {
    await remove()
    throw thrown
  }
  return { remove, build: (source) => buildImage(folder, buildah, source) }
}

async function buildImage(folder: string, buildah: Buildah, source: Source): Promise<Image> {
  const { name, context, dockerfile, registry } = source
  await buildah(
    ...['build', '--isolation', 'chroot', '--pull-never', '--format', 'docker'],
    ...npmSettings(folder, registry).flatMap((volume) => ['--volume', volume]),
    ...['--ignorefile', ignoreFileOf(source), '-f', join(context, dockerfile), '-t', name, context],
  )
  const { config } = JSON.parse(await buildah('inspect', '--type', 'image', name)).Docker
  const data = join(folder, `data-${name}`)
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, 1000, 1000)
  return {
    files: await buildah('mount', await buildah('from', '--pull-never', name)),
    data,
    command: [...(config.Entrypoint ?? []), ...config.Cmd],
    // Its first word says that no shell is needed.
    health: config.Healthcheck.Test.slice(1),
    env: config.Env,
    user: config.User,
    workingFolder: config.WorkingDir,
  }
}

// Docker finds it by itself; Debian's buildah knows only that of the folder.
function ignoreFileOf({ context, dockerfile }: Source): string {
  const own = join(context, `${dockerfile}.dockerignore`)
  return existsSync(own) ? own : join(context, '.dockerignore')
}

/** What npm needs to know of this machine: a registry, and certificates where a proxy reads along. */
function npmSettings(folder: string, registry: string): string[] {
  const settings = join(folder, 'npmrc')
  const certificates = join(folder, 'certificates.pem')
  writeFileSync(settings, `registry=${registry}\n`)
  const volume = `${settings}:/root/.npmrc:ro`
  const { NODE_EXTRA_CA_CERTS } = process.env
  if (NODE_EXTRA_CA_CERTS === undefined) return [volume]
  copyFileSync(NODE_EXTRA_CA_CERTS, certificates)
  writeFileSync(settings, 'cafile=/run/certificates.pem\n', { flag: 'a' })
  return [volume, `${certificates}:/run/certificates.pem:ro`]
}

/** Where the registry of images cannot be reached: Debian, our Node, npm and the user `node`. */
async function makeBase(folder: string, buildah: Buildah): Promise<void> {
  const container = await buildah('from', 'scratch')
  const files = await buildah('mount', container)
  await run(folder, 'debootstrap', '--variant=minbase', 'bookworm', files)
  await run(folder, 'install', '-m', '755', process.execPath, `${files}/usr/local/bin/node`)
  const npm = join(realpathSync(findProgram(['npm']) ?? ''), '../..')
  await run(folder, 'mkdir', '-p', `${files}/usr/local/lib/node_modules`)
  await run(folder, 'cp', '-a', npm, `${files}/usr/local/lib/node_modules/npm`)
  const link = '../lib/node_modules/npm/bin/npm-cli.js'
  await run(folder, 'ln', '-s', link, `${files}/usr/local/bin/npm`)
  await run(folder, 'chroot', files, 'groupadd', '--gid', '1000', 'node')
  await run(folder, 'chroot', files, 'useradd', '--uid', '1000', '--gid', 'node', '-m', 'node')
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  await buildah('config', '--env', path, container)
  await buildah('commit', '--format', 'docker', container, BASE)
  await buildah('rm', container)
}

export type Container = {
  /** Runs a program in it, as the image's user or as root. */
  readonly execute: (command: readonly string[], user?: 'root') => Promise<string>
  /** What the kernel says about its first process. */
  readonly status: () => Readonly<Record<string, string>>
  readonly isRunning: () => boolean
  /** What its processes have printed so far. */
  readonly output: () => string
  /** Asks it to stop, and returns its exit code and signal. */
  readonly stop: () => Promise<unknown[]>
  readonly kill: () => Promise<unknown[]>
}

// What a container engine does: files that cannot be changed, except for /data and /tmp, processes
// and a network of its own, and an account that cannot become another one.
const START = `
mount --make-rprivate /
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
mount -t tmpfs tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
files=$1 user=$3
eval "$4"
mount -o remount,bind,ro "$1"
ip link set lo up
shift 4
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$files" env -i "$@"`

type ContainerOptions = {
  /** Added to the environment of the image. */
  readonly env?: readonly string[]
  /** Shell commands for root, before its file system becomes read-only; `$files` is its root. */
  readonly prepare?: string
}

/** Starts an image in namespaces of its own, with a file system that is read-only. */
export function startContainer(image: Image, options: ContainerOptions = {}): Container {
  const { files, data, user, workingFolder, command } = image
  const env = [...image.env, ...(options.env ?? [])]
  const own = ['--mount', '--pid', '--net', '--fork']
  const place = [files, data, `${user}:${user}`, options.prepare ?? '']
  const parameters = [...place, `--chdir=${workingFolder}`, ...env]
  const child = spawn(
    'unshare',
    [...own, 'sh', '-e', '-c', START, 'sh', ...parameters, ...command],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  // The first process of the container, as this machine numbers it.
  const first = (): string =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  return {
    async execute(words, as) {
      const who = as === 'root' ? [] : ['--setuid', '1000', '--setgid', '1000']
      const spaces = ['--target', first(), '--mount', '--net', '--root', '--wd']
      return run('/', 'nsenter', ...spaces, ...who, 'env', '-i', ...env, ...words)
    },
    status: () =>
      Object.fromEntries(
        readFileSync(`/proc/${first()}/status`, 'utf8')
          .split('\n')
          .map((line) => line.split(/:\s*/, 2) as [string, string]),
      ),
    isRunning,
    output: () => output,
    stop() {
      process.kill(Number(first()), 'SIGTERM')
      return ended
    },
    kill() {
      // With its first process the others end, and then the program that waits for it.
      if (isRunning()) process.kill(Number(first()), 'SIGKILL')
      return ended
    },
  }
}
