import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildClientSchema, buildSchema, type GraphQLSchema } from 'graphql'
import { readOpenApi, toCache } from '../../../sources/openapi/src/index.ts'
import { bundleSurehand } from './bundle-surehand.ts'
import type { Input } from './contenders.ts'
import { cutDocument, operationKeys } from './cut-document.ts'
import { CUT_OPERATIONS, DOCUMENTS, type DocumentId } from './documents.ts'
import { optionsFor } from './surehand/openapi.ts'
import { CACHE_KEY } from './surehand/openapi-cached.ts'

/** A file that a contender may be given; all of them are this process's answer. */
export type Prepared = {
  readonly document: DocumentId
  readonly input: Input
  readonly file: string
  /** Counted without our generators. */
  readonly operations: number
}

// a process of its own: a parent that has held such documents is large, and a large one starts its children slowly
const [folder = '', github = '', graphql = '', stripe] = process.argv.slice(2)
await bundleSurehand(join(folder, 'bundle'))
const cut = join(folder, 'github-cut.json')
const choice = { count: CUT_OPERATIONS, named: DOCUMENTS.cut.named.key }
writeFileSync(cut, JSON.stringify(cutDocument(JSON.parse(readFileSync(github, 'utf8')), choice)))
const prepared: readonly Prepared[] = [
  ...openApi('github', github),
  ...(stripe === undefined ? [] : openApi('stripe', stripe)),
  ...openApi('cut', cut),
  ...introspected(join(graphql, 'schema.json')),
  ...written(join(graphql, 'schema.graphql')),
]
process.stdout.write(JSON.stringify(prepared))

function openApi(document: DocumentId, file: string): readonly Prepared[] {
  const text = readFileSync(file, 'utf8')
  const operations = operationKeys(JSON.parse(text)).length
  const cache = join(folder, `${document}.cache`)
  writeFileSync(cache, toCache(readOpenApi(text, optionsFor(document)), CACHE_KEY))
  return [
    { document, input: 'json', file, operations },
    { document, input: 'cache', file: cache, operations },
  ]
}

function introspected(file: string): readonly Prepared[] {
  const told = JSON.parse(readFileSync(file, 'utf8'))
  return [
    {
      document: 'graphql',
      input: 'json',
      file,
      operations: rootFields(buildClientSchema(told.data ?? told)),
    },
  ]
}

function written(file: string): readonly Prepared[] {
  // as published it defines some fields twice
  const schema = buildSchema(readFileSync(file, 'utf8'), { assumeValid: true })
  return [{ document: 'graphql', input: 'sdl', file, operations: rootFields(schema) }]
}

function rootFields(schema: GraphQLSchema): number {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  ).length
}
