import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClientSchema, buildSchema, type GraphQLSchema } from 'graphql'
import { rolldown } from 'rolldown'
import { readOpenApi, toCache } from '../../../sources/openapi/src/index.ts'
import { ROOT } from '../harness/run-suite.ts'
import type { Input } from './contenders.ts'
import { cutDocument, operationKeys } from './cut-document.ts'
import { CUT_OPERATIONS, DOCUMENTS, type DocumentId } from './documents.ts'
import { optionsFor } from './surehand/openapi.ts'
import { CACHE_KEY } from './surehand/openapi-cached.ts'

/** An input file for contenders. This process prints a list of them as JSON. */
export type PreparedFile = {
  readonly document: DocumentId
  readonly input: Input
  readonly file: string
  /** Counted independently of our generators. */
  readonly operations: number
}

const BUNDLED = ['openapi', 'openapi-cached', 'graphql']

// A process of its own: the parent would grow with the documents, and a large process starts its children slowly.
const [folder = '', github = '', graphql = '', stripe] = process.argv.slice(2)
await bundleSurehand(join(folder, 'bundle'))
const cut = join(folder, 'github-cut.json')
const choice = { count: CUT_OPERATIONS, required: DOCUMENTS.cut.sample.key }
writeFileSync(cut, JSON.stringify(cutDocument(JSON.parse(readFileSync(github, 'utf8')), choice)))
const prepared: readonly PreparedFile[] = [
  ...prepareOpenApi('github', github),
  ...(stripe === undefined ? [] : prepareOpenApi('stripe', stripe)),
  ...prepareOpenApi('cut', cut),
  ...prepareIntrospection(join(graphql, 'schema.json')),
  ...prepareSdl(join(graphql, 'schema.graphql')),
]
process.stdout.write(JSON.stringify(prepared))

function prepareOpenApi(document: DocumentId, file: string): readonly PreparedFile[] {
  const text = readFileSync(file, 'utf8')
  const operations = operationKeys(JSON.parse(text)).length
  const cache = join(folder, `${document}.cache`)
  writeFileSync(cache, toCache(readOpenApi(text, optionsFor(document)), CACHE_KEY))
  return [
    { document, input: 'json', file, operations },
    { document, input: 'cache', file: cache, operations },
  ]
}

function prepareIntrospection(file: string): readonly PreparedFile[] {
  const introspection = JSON.parse(readFileSync(file, 'utf8'))
  return [
    {
      document: 'graphql',
      input: 'json',
      file,
      operations: countRootFields(buildClientSchema(introspection.data ?? introspection)),
    },
  ]
}

function prepareSdl(file: string): readonly PreparedFile[] {
  // Not validated, because the published schema defines some fields twice.
  const schema = buildSchema(readFileSync(file, 'utf8'), { assumeValid: true })
  return [{ document: 'graphql', input: 'sdl', file, operations: countRootFields(schema) }]
}

function countRootFields(schema: GraphQLSchema): number {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  ).length
}

/** Bundles our modules as for production: one file each, with only the parts of core and of zod that it needs. */
async function bundleSurehand(target: string): Promise<void> {
  for (const entry of BUNDLED) {
    const bundle = await rolldown({
      input: fileURLToPath(new URL(`surehand/${entry}.ts`, import.meta.url)),
      platform: 'node',
      // As in scripts/bundle.ts: our own modules have no side effects.
      treeshake: {
        moduleSideEffects: (id) =>
          id.startsWith(`${ROOT}/`) && !id.includes('/node_modules/') ? false : undefined,
      },
    })
    await bundle.write({ file: `${target}/${entry}.mjs`, format: 'esm', codeSplitting: false })
    await bundle.close()
  }
}
