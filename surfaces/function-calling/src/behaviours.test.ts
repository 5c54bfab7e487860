import { applies, BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { afterAll, describe, expect, test } from 'vitest'
import { functionCallingSurfaces, type SurfaceForm } from './fixtures/function-calling-surface.ts'

const FORMS: readonly SurfaceForm[] = [
  { provider: 'openai-chat', delivery: 'streamed', strict: 'never' },
  { provider: 'openai-responses', delivery: 'whole', strict: 'prefer' },
  { provider: 'anthropic', delivery: 'streamed', strict: 'prefer' },
  { provider: 'gemini', delivery: 'whole', strict: 'never' },
]

describe.each(FORMS)('$provider, $delivery', (form) => {
  const surfaces = functionCallingSurfaces(form)
  afterAll(() => surfaces.close())
  const results = behaviourSuite(form.provider, {
    openStores: memoryStores,
    openSurface: surfaces.open,
    pause: surfaces.pause,
  })

  test('only behaviours that need values beyond JSON, a key written by the model, or more than this vendor sends, are skipped', async () => {
    const open: ReadonlySet<string> = new Set(
      form.provider === 'gemini'
        ? ['keyField', 'value', 'json', 'hostCall']
        : form.provider === 'anthropic'
          ? ['keyField', 'value', 'json']
          : ['keyField', 'value'],
    )
    const left = BEHAVIOURS.filter(({ needs }) => needs.some((ability) => open.has(ability)))
    expect(
      results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id),
    ).toEqual(left.map(({ id }) => id))
    expect(
      BEHAVIOURS.filter((behaviour) => applies(behaviour, { can: new Set() })).length,
    ).toBeGreaterThan(50)
  })
})
