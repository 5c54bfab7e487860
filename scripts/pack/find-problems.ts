import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOnly } from '../code-only.ts'
import { importsOf, packageNameOf } from '../layers.ts'
import type { Dependencies } from './published-manifest.ts'

type Published = {
  readonly name: string
  readonly dependencies?: Dependencies
  readonly optionalDependencies?: Dependencies
  readonly peerDependencies?: Dependencies
}

/**
 * What would fail for a user of this package: an import of a file that is not in it, or of a package
 * that would not be installed with it.
 */
export function findProblems(folder: string): string[] {
  const manifest: Published = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const listed = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  }
  const isInstalled = (name: string): boolean =>
    // Declarations of a package without types of its own are installed beside it.
    name in listed || `@types/${name}` in listed || name.startsWith('node:')
  return globSync('**/*.{js,d.ts}', { cwd: folder }).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return importsOf(text, codeOnly(text)).flatMap(({ specifier, line }) => {
      const at = `${manifest.name} ${file}:${line}`
      if (!specifier.startsWith('.'))
        return isInstalled(packageNameOf(specifier))
          ? []
          : [`${at} imports ${specifier}, which is not among its dependencies`]
      return existsSync(join(folder, dirname(file), specifier))
        ? []
        : [`${at} imports ${specifier}, which is not in the package`]
    })
  })
}
