/** The parts of a package.json that publishing reads or writes. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string
  readonly type?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Dependencies
  readonly devDependencies?: Dependencies
  readonly optionalDependencies?: Dependencies
  readonly peerDependencies?: Dependencies
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>
}
export type Dependencies = Readonly<Record<string, string>>

/** What staging has found out about a package. */
export type Staged = {
  /** Where a source file is in the published package, without its ending. */
  readonly place: (source: string) => string
  /** Files that do something when they are loaded, such as threads. */
  readonly programs: readonly string[]
  readonly repository?: Readonly<Record<'type' | 'url' | 'directory', string>>
  /** Packages that only the bundled command needs. */
  readonly bundled?: Pick<Manifest, 'dependencies' | 'optionalDependencies'>
}

/**
 * The package.json of the published package. In the repository, exports name TypeScript sources, so
 * that nothing has to be built before it runs; Node refuses that below node_modules.
 */
export function publishedManifest(manifest: Manifest, staged: Staged): object {
  const { name, version, description, license, type, engines, bin } = manifest
  const { peerDependencies, peerDependenciesMeta } = manifest
  const all = (kind: 'dependencies' | 'optionalDependencies'): Dependencies =>
    sortByName({ ...staged.bundled?.[kind], ...manifest[kind] })
  const builtBins = Object.fromEntries(
    publishedBins(manifest).map(([command, source]) => [command, `./${staged.place(source)}.js`]),
  )
  return withoutMissing({
    name,
    version,
    description,
    license,
    repository: staged.repository,
    type,
    engines,
    sideEffects: staged.programs.length === 0 ? false : staged.programs.map((file) => `./${file}`),
    bin: bin === undefined ? undefined : { ...bin, ...builtBins },
    exports: {
      ...Object.fromEntries(
        publishedExports(manifest).map(([subpath, source]) => {
          const place = `./${staged.place(source)}`
          return [subpath, { types: `${place}.d.ts`, default: `${place}.js` }]
        }),
      ),
      './package.json': './package.json',
    },
    dependencies: all('dependencies'),
    optionalDependencies: all('optionalDependencies'),
    peerDependencies,
    peerDependenciesMeta,
    publishConfig: { access: 'public', provenance: true },
  })
}

/**
 * The exports that are published, as [subpath, source]. Patterns (`./page/*`) and what is in a
 * folder for tests are for the repository's own tests.
 */
export function publishedExports({ exports = {} }: Manifest): (readonly [string, string])[] {
  return Object.entries(exports)
    .filter(
      ([subpath, source]) => !subpath.includes('*') && !/\/(?:testing|fixtures)\//.test(source),
    )
    .map(([subpath, source]) => [subpath, source.slice('./'.length)] as const)
}

/** The commands that are compiled, as [name, source]. */
export function publishedBins({ bin = {} }: Manifest): (readonly [string, string])[] {
  return Object.entries(bin)
    .filter(([, source]) => source.endsWith('.ts'))
    .map(([command, source]) => [command, source.slice('./'.length)] as const)
}

// Tools of users carry schemas of their own zod: a pinned version would install a second one, whose
// types differ.
function sortByName(dependencies: Dependencies): Dependencies {
  return Object.fromEntries(
    Object.entries(dependencies)
      .map(([name, version]) => [name, name === 'zod' ? `^${version}` : version] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
}

function withoutMissing(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !isEmpty(value)),
  )
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
