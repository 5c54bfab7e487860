import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findProgram } from '@surehand/sql/testing/there'
import { load } from 'js-yaml'
import { findNginx } from '../needs.ts'
import { type Container, type Image, startContainer } from './build-image.ts'

type Service = {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
}
type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

/** Reads a compose file with its variables; a required one that is missing is an error. */
function readCompose(file: string, variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync(file, 'utf8').replaceAll(
    /\$\{(\w+):([-?])([^}]*)\}/g,
    (_, name: string, kind: string, otherwise: string) => {
      const value = variables[name] ?? (kind === '-' ? otherwise : undefined)
      if (value === undefined) throw new Error(`${name}: ${otherwise}`)
      return value
    },
  )
  return load(text) as Compose
}

/** The services of a compose file, running on a network in which they find each other by name. */
export type Composed = {
  /** Starts the service of a node, also again after it was killed. */
  readonly startNode: (name: string) => Container
  /** Runs a program on the machine that has the services. */
  readonly execute: (...words: string[]) => string
  /** The address that the proxy publishes. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export type ComposeOptions = {
  readonly file: string
  readonly variables: Readonly<Record<string, string>>
  /** For data, logs and volumes. */
  readonly folder: string
  /** The image that the file calls `surehand`. */
  readonly image: Image
  /** Stands for the file of the secret `keys`. */
  readonly keys: string
}

const MACHINE = `
ip link set lo up
ip link add bridge0 type bridge
ip address add 10.0.0.1/24 dev bridge0
ip link set bridge0 up
echo ready
exec sleep infinity`

/**
 * Starts what a compose file describes, without Docker: the nodes from their image, in namespaces
 * of their own; PostgreSQL and nginx as programs of this machine, with the environment, ports and
 * mounted files that the compose file says. Needs root.
 */
export async function startCompose(options: ComposeOptions): Promise<Composed> {
  const { folder, file, variables } = options
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const { services, secrets } = readCompose(file, variables)
  // A machine whose network nothing else uses: the ports of the file are free there.
  const machine = spawn('unshare', ['--net', 'sh', '-ec', MACHINE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(machine.stdout, 'data')
  const inside = ['--target', String(machine.pid), '--net']
  const addresses = new Map(
    Object.keys(services).map((name, index) => [name, `10.0.0.${index + 10}`]),
  )
  // Services without a network of their own are reached at the machine.
  for (const name of ['postgres', 'nginx']) addresses.set(name, '10.0.0.1')
  const hosts = join(folder, 'hosts')
  const lines = [...addresses].map(([name, address]) => `${address} ${name}`)
  writeFileSync(hosts, `127.0.0.1 localhost\n${lines.join('\n')}\n`)
  const running: (ChildProcess | Container)[] = [machine]
  const stop = async (): Promise<void> => {
    for (const one of running.toReversed()) await end(one)
  }
  const place = { folder, inside, hosts }
  try {
    running.push(await startPostgres(serviceOf(services, 'postgres'), place))
    running.push(startNginx(serviceOf(services, 'nginx'), { ...place, file }))
  } catch (thrown) {
    await stop()
    throw thrown
  }
  const startNode = (name: string): Container => {
    const service = serviceOf(services, name)
    requireKeys(service, secrets)
    const data = join(folder, `data-${name}`)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    chownSync(data, 1000, 1000)
    // The link of a container that was killed may still be there.
    const link = `link-${name}${running.length}`
    const node = { ...place, link, address: addresses.get(name) ?? '', keys: options.keys }
    const container = startContainer(
      { ...options.image, data },
      {
        env: Object.entries(service.environment ?? {}).map(([key, value]) => `${key}=${value}`),
        prepare: prepareNode(node),
      },
    )
    running.push(container)
    return container
  }
  return {
    startNode,
    execute: (...words) => execFileSync('nsenter', [...inside, ...words], { encoding: 'utf8' }),
    url: `http://${publishedAddress(serviceOf(services, 'nginx'))}`,
    stop,
  }
}

function serviceOf(services: Compose['services'], name: string): Service {
  const service = services[name]
  if (service === undefined) throw new Error(`The compose file has no service ${name}.`)
  return service
}

/** A node is started from our image, with the key file as its only secret. */
function requireKeys({ image, secrets = [] }: Service, files: Compose['secrets']): void {
  if (image !== 'surehand' || secrets.join() !== 'keys' || files.keys?.file !== './keys.json')
    throw new Error(`This is no node with the secret keys: ${image}, ${secrets.join()}`)
}

type NodePlace = Place & {
  readonly link: string
  readonly address: string
  readonly keys: string
}

/** Connects a container to the network of the machine, and mounts its host names and its secret. */
function prepareNode({ inside, hosts, link, address, keys }: NodePlace): string {
  const machine = `nsenter ${inside.join(' ')}`
  return `
${machine} ip link add ${link} type veth peer name eth0 netns 1
${machine} ip link set ${link} master bridge0 up
ip address add ${address}/24 dev eth0
ip link set eth0 up
touch "$files/etc/hosts"
mount --bind '${hosts}' "$files/etc/hosts"
mount -t tmpfs tmpfs "$files/run"
mkdir "$files/run/secrets"
touch "$files/run/secrets/keys"
mount --bind '${keys}' "$files/run/secrets/keys"`
}

async function end(one: ChildProcess | Container): Promise<void> {
  if ('execute' in one) return void (await one.kill())
  if (one.exitCode !== null || one.signalCode !== null) return
  const ended = once(one, 'exit')
  // PostgreSQL and nginx stop at once; whatever they have written is removed.
  one.kill('SIGINT')
  await ended
}

type Place = {
  readonly folder: string
  readonly inside: readonly string[]
  readonly hosts: string
}

/** PostgreSQL as its image starts it: a user with a password, and a database of the user's name. */
async function startPostgres(service: Service, { folder, inside }: Place): Promise<ChildProcess> {
  const { POSTGRES_USER: user = 'postgres', POSTGRES_PASSWORD: password = '' } =
    service.environment ?? {}
  const home = join(folder, 'postgres')
  mkdirSync(home)
  const { folder: native, account } = findProgram(home)
  const { uid = 0, gid = 0 } = account
  const [data, secret] = [join(home, 'data'), join(home, 'password')]
  writeFileSync(secret, password)
  for (const path of [home, secret]) chownSync(path, uid, gid)
  const options = { ...account, cwd: home, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
  const initialize = [`--pgdata=${data}`, `--username=${user}`, `--pwfile=${secret}`, '--no-sync']
  execFileSync(
    join(native, 'bin/initdb'),
    [...initialize, '--auth=scram-sha-256', '--encoding=UTF8', '--no-locale'],
    { ...options, stdio: 'pipe' },
  )
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n')
  execFileSync(join(native, 'bin/postgres'), ['--single', '-D', data, 'postgres'], {
    ...options,
    input: `create database "${user}"\n`,
  })
  const settings = ['-h', '*', '-k', '', '-c', 'fsync=off']
  const server = spawn(
    'nsenter',
    [
      ...inside,
      ...['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
      ...[join(native, 'bin/postgres'), '-D', data, ...settings],
    ],
    { cwd: home, env: options.env, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  while (!log.includes('ready to accept connections')) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL has ended:\n${log}`)
    await pause(50)
  }
  return server
}

/** nginx with the configuration that the compose file mounts. */
function startNginx(
  service: Service,
  { folder, inside, hosts, file }: Place & { readonly file: string },
): ChildProcess {
  const target = '/etc/nginx/nginx.conf'
  const mounted = service.volumes?.find((volume) => volume.endsWith(`:${target}:ro`)) ?? ''
  const config = join(folder, 'nginx.conf')
  copyFileSync(join(file, '..', mounted.split(':')[0] ?? ''), config)
  // Its folders for logs and temporary files belong to the machine: other ones take their place.
  const commands = `
mount --bind '${hosts}' /etc/hosts
mount -t tmpfs tmpfs /var/log/nginx
mount -t tmpfs tmpfs /var/lib/nginx
exec ${findNginx()} -c '${config}' -g 'daemon off; error_log stderr; pid ${folder}/nginx.pid;'`
  return spawn('nsenter', [...inside, 'unshare', '--mount', 'sh', '-ec', commands], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Where a port of the service is reached; nginx runs on the machine, so that both must be one. */
function publishedAddress({ ports = [] }: Service): string {
  const [address, outside, inside] = ports[0]?.split(':') ?? []
  if (ports.length !== 1 || outside === undefined || outside !== inside)
    throw new Error(`One port with the same number on both sides was expected: ${ports.join(', ')}`)
  return `${address}:${outside}`
}
