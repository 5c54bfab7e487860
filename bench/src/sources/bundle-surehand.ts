import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ENTRIES = ['openapi', 'openapi-cached', 'graphql']

/** Our modules as whoever ships them would: a file each, with what it needs of core and of zod, and nothing else. */
export async function bundleSurehand(folder: string): Promise<void> {
  for (const entry of ENTRIES) {
    const bundle = await rolldown({
      input: fileURLToPath(new URL(`surehand/${entry}.ts`, import.meta.url)),
      platform: 'node',
      // as scripts/bundle.ts does it: our own modules do nothing but define things
      treeshake: {
        moduleSideEffects: (id) =>
          id.startsWith(ROOT) && !id.includes('/node_modules/') ? false : undefined,
      },
    })
    await bundle.write({ file: `${folder}/${entry}.mjs`, format: 'esm', codeSplitting: false })
    await bundle.close()
  }
}
