import type { DocumentId } from './documents.ts'
import type { Work } from './work.ts'

/** Which file a contender is given. */
export type Input = 'json' | 'sdl' | 'cache'

/** One row. The parent reads this alone; `load` brings what is to be timed into the child that runs it. */
export type Contender = {
  readonly id: string
  readonly document: DocumentId
  readonly label: string
  readonly does: string
  readonly input: Input
  /** Ours must make a tool of every operation, or the row has failed; of others it is told. */
  readonly whose: 'ours' | 'theirs'
  /** `bundle`: the folder with our modules as one file each. */
  readonly load: (bundle: string) => Promise<Work>
}

type OpenApi = Exclude<DocumentId, 'graphql'>

/** The yardstick of a document's table. */
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
  does: 'the process that everybody runs in',
  input: 'json',
  whose: 'theirs',
  load: async () => (await import('./yardsticks.ts')).doNothing(),
}

export const contenders: readonly Contender[] = [
  yardstickOf('github'),
  ...ours('github'),
  ...cached('github'),
  ...peers('github'),
  yardstickOf('stripe'),
  ...ours('stripe'),
  ...cached('stripe'),
  ...peers('stripe'),
  yardstickOf('cut'),
  ...ours('cut'),
  yardstickOf('graphql'),
  ...graphql(),
]

function yardstickOf(document: DocumentId): Contender {
  const load = async (): Promise<Work> => (await import('./yardsticks.ts')).parseJson()
  return {
    id: BASELINE[document],
    document,
    label: 'JSON.parse',
    does: 'no tools: the yardstick',
    input: 'json',
    whose: 'theirs',
    load,
  }
}

function ours(document: OpenApi): readonly Contender[] {
  const about = {
    document,
    input: 'json',
    whose: 'ours',
    does: 'a tool under contract for each operation; its schemas are read when it is looked at',
  } as const
  return [
    {
      ...about,
      id: `${document}-surehand`,
      label: 'Surehand',
      load: async (bundle) => (await bundledOpenApi(bundle)).surehandOpenApi(document),
    },
    {
      ...about,
      id: `${document}-looked`,
      label: 'Surehand, everything looked at',
      does: 'the same, then the words and the input and output schemas of every tool, and the report',
      load: async (bundle) => (await bundledOpenApi(bundle)).surehandLookedAt(document),
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

function cached(document: OpenApi): readonly Contender[] {
  const about = {
    document,
    input: 'cache',
    whose: 'ours',
    does: 'the same tools; words and schemas are parsed when they are looked at',
  } as const
  return [
    {
      ...about,
      id: `${document}-cached`,
      label: 'Surehand, from its cache',
      load: async (bundle) => (await bundledCached(bundle)).surehandCached(document),
    },
    {
      ...about,
      id: `${document}-cached-sources`,
      label: 'Surehand, from its cache, from sources',
      load: async () => (await import('./surehand/openapi-cached.ts')).surehandCached(document),
    },
  ]
}

function peers(document: OpenApi): readonly Contender[] {
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

function graphql(): readonly Contender[] {
  const mine = {
    document: 'graphql',
    whose: 'ours',
    does: 'a tool under contract for each query and mutation',
  } as const
  const theirs = {
    document: 'graphql',
    whose: 'theirs',
    does: 'a schema to ask, unvalidated; its fields are counted, it makes no tools',
  } as const
  return [
    {
      ...mine,
      id: 'graphql-surehand',
      label: 'Surehand, introspection',
      input: 'json',
      load: async (bundle) => (await bundledGraphql(bundle)).surehandGraphql(),
    },
    {
      ...mine,
      id: 'graphql-surehand-sdl',
      label: 'Surehand, SDL',
      input: 'sdl',
      load: async (bundle) => (await bundledGraphql(bundle)).surehandGraphql(),
    },
    {
      ...mine,
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

// erased: a bundle has the exports of the module it was made of (bundle-surehand.ts)
async function bundledOpenApi(bundle: string): Promise<typeof import('./surehand/openapi.ts')> {
  return import(`${bundle}/openapi.mjs`)
}

async function bundledCached(
  bundle: string,
): Promise<typeof import('./surehand/openapi-cached.ts')> {
  return import(`${bundle}/openapi-cached.mjs`)
}

async function bundledGraphql(bundle: string): Promise<typeof import('./surehand/graphql.ts')> {
  return import(`${bundle}/graphql.mjs`)
}
