import type { DocumentId } from './documents.ts'
import type { Work } from './work.ts'

/** The file that a contender reads. */
export type Input = 'json' | 'sdl' | 'cache'

/** One row. The parent process reads only this; `load` imports the timed code in the child process that runs it. */
export type Contender = {
  readonly id: string
  readonly document: DocumentId
  readonly label: string
  readonly does: string
  readonly input: Input
  /** Ours must create a tool for every operation, or the row fails; for peers the result is only reported. */
  readonly whose: 'ours' | 'theirs'
  /** `bundle`: the folder with our modules, bundled into one file each. */
  readonly load: (bundle: string) => Promise<Work>
}

type OpenApi = Exclude<DocumentId, 'graphql'>

/** The contender whose time is 1 in the ratio column of a document's table. */
export const BASELINE: Readonly<Record<DocumentId, string>> = {
  github: 'github-json',
  stripe: 'stripe-json',
  cut: 'cut-json',
  graphql: 'graphql-json',
}

export const nothing: Contender = {
  id: 'nothing',
  document: 'github',
  label: 'node, doing nothing',
  does: 'the process that every contender runs in',
  input: 'json',
  whose: 'theirs',
  load: async () => (await import('./baselines.ts')).doNothing(),
}

export const contenders: readonly Contender[] = [
  baselineOf('github'),
  ...ourContenders('github'),
  ...cachedContenders('github'),
  ...peerContenders('github'),
  baselineOf('stripe'),
  ...ourContenders('stripe'),
  ...cachedContenders('stripe'),
  ...peerContenders('stripe'),
  baselineOf('cut'),
  ...ourContenders('cut'),
  baselineOf('graphql'),
  ...graphqlContenders(),
]

function baselineOf(document: DocumentId): Contender {
  const load = async (): Promise<Work> => (await import('./baselines.ts')).parseJson()
  return {
    id: BASELINE[document],
    document,
    label: 'JSON.parse',
    does: 'no tools: the baseline',
    input: 'json',
    whose: 'theirs',
    load,
  }
}

function ourContenders(document: OpenApi): readonly Contender[] {
  const about = {
    document,
    input: 'json',
    whose: 'ours',
    does: 'a tool under contract for each operation; its schemas are read when they are first used',
  } as const
  return [
    {
      ...about,
      id: `${document}-surehand`,
      label: 'Surehand',
      load: async (bundle) => (await importOpenApi(bundle)).surehandOpenApi(document),
    },
    {
      ...about,
      id: `${document}-read`,
      label: 'Surehand, everything read',
      does: 'the same, then the texts and the input and output schemas of every tool, and the report',
      load: async (bundle) => (await importOpenApi(bundle)).surehandOpenApiRead(document),
    },
    {
      ...about,
      id: `${document}-sources`,
      label: 'Surehand, from sources',
      does: 'the same, from our TypeScript files as they are',
      load: async () => (await import('./surehand/openapi.ts')).surehandOpenApi(document),
    },
  ]
}

function cachedContenders(document: OpenApi): readonly Contender[] {
  const about = {
    document,
    input: 'cache',
    whose: 'ours',
    does: 'the same tools; texts and schemas are parsed when they are first used',
  } as const
  return [
    {
      ...about,
      id: `${document}-cached`,
      label: 'Surehand, from its cache',
      load: async (bundle) => (await importCached(bundle)).surehandCached(document),
    },
    {
      ...about,
      id: `${document}-cached-sources`,
      label: 'Surehand, from its cache, from sources',
      load: async () => (await import('./surehand/openapi-cached.ts')).surehandCached(document),
    },
  ]
}

function peerContenders(document: OpenApi): readonly Contender[] {
  const about = { document, input: 'json', whose: 'theirs' } as const
  return [
    {
      ...about,
      id: `${document}-ivotoby`,
      label: '@ivotoby/openapi-mcp-server 1.16',
      does: 'ToolsManager.initialize, all tools; input schemas only',
      load: async () => (await import('./peers/ivotoby.ts')).ivotoby(),
    },
    {
      ...about,
      id: `${document}-generator`,
      label: 'openapi-mcp-generator 4.0',
      does: 'getToolsFromOpenApi, dereferenced; input schemas only',
      load: async () => (await import('./peers/openapi-mcp-generator.ts')).openApiMcpGenerator(),
    },
    {
      ...about,
      id: `${document}-mcp-openapi`,
      label: 'mcp-openapi 0.3',
      does: 'parseSpec (which reads the file) and generateTools; input schemas only',
      load: async () => (await import('./peers/mcp-openapi.ts')).mcpOpenApi(),
    },
    {
      ...about,
      id: `${document}-fastmcp`,
      label: 'fastmcp 4.20',
      does: 'fromOpenAPI; input and output schemas',
      load: async () => (await import('./peers/fastmcp.ts')).fastMcp(),
    },
    {
      ...about,
      id: `${document}-samchon`,
      label: '@samchon/openapi 6.0',
      does: 'HttpLlm.application; input and output schemas',
      load: async () => (await import('./peers/samchon.ts')).samchon(),
    },
  ]
}

function graphqlContenders(): readonly Contender[] {
  const ours = {
    document: 'graphql',
    whose: 'ours',
    does: 'a tool under contract for each query and mutation',
  } as const
  const theirs = {
    document: 'graphql',
    whose: 'theirs',
    does: 'a schema object, not validated; its fields are counted, no tools are created',
  } as const
  return [
    {
      ...ours,
      id: 'graphql-surehand',
      label: 'Surehand, introspection',
      input: 'json',
      load: async (bundle) => (await importGraphql(bundle)).surehandGraphql(),
    },
    {
      ...ours,
      id: 'graphql-surehand-sdl',
      label: 'Surehand, SDL',
      input: 'sdl',
      load: async (bundle) => (await importGraphql(bundle)).surehandGraphql(),
    },
    {
      ...ours,
      id: 'graphql-sources',
      label: 'Surehand, introspection, from sources',
      does: 'the same, from our TypeScript files as they are',
      input: 'json',
      load: async () => (await import('./surehand/graphql.ts')).surehandGraphql(),
    },
    {
      ...theirs,
      id: 'graphql-js',
      label: 'graphql-js 17 buildClientSchema',
      input: 'json',
      load: async () => (await import('./peers/graphql-js.ts')).graphqlJsIntrospection(),
    },
    {
      ...theirs,
      id: 'graphql-js-sdl',
      label: 'graphql-js 17 buildSchema',
      input: 'sdl',
      load: async () => (await import('./peers/graphql-js.ts')).graphqlJsSdl(),
    },
  ]
}

// A bundle has the exports of the module that it was built from (prepare.ts).
async function importOpenApi(bundle: string): Promise<typeof import('./surehand/openapi.ts')> {
  return import(`${bundle}/openapi.mjs`)
}

async function importCached(
  bundle: string,
): Promise<typeof import('./surehand/openapi-cached.ts')> {
  return import(`${bundle}/openapi-cached.mjs`)
}

async function importGraphql(bundle: string): Promise<typeof import('./surehand/graphql.ts')> {
  return import(`${bundle}/graphql.mjs`)
}
