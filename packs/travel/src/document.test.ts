import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DOCUMENTED_TOOLS, renderConformance, toolNamed } from '../testing/document-conformance.ts'
import { INPUT_RULES } from '../testing/document-rules.ts'

describe('document 000', () => {
  test.each(INPUT_RULES)('$tool: $rule', ({ tool, base, accepts = [], refuses = [], ...rule }) => {
    const { input } = toolNamed(tool)
    const isAccepted = (change: object): boolean => input.parse({ ...base, ...change }).ok
    expect(isAccepted({})).toBe(true)
    expect(accepts.filter((change) => !isAccepted(change))).toEqual([])
    expect(refuses.filter(isAccepted)).toEqual([])
    const parsed = input.parse(base)
    expect(parsed.ok ? parsed.value : undefined).toMatchObject(rule.defaults ?? {})
  })

  test('every one of its seventeen tools is there, under its own name, with its rules', () => {
    expect(DOCUMENTED_TOOLS).toHaveLength(17)
    for (const id of DOCUMENTED_TOOLS) {
      expect(toolNamed(id).aliases).toContain(id.replace('travel.', ''))
      expect(INPUT_RULES.some(({ tool }) => tool === id)).toBe(true)
    }
  })

  test('approvals last 300 s and stand before what cannot be undone', () => {
    const irreversible = DOCUMENTED_TOOLS.map(toolNamed).filter(
      ({ contract }) => contract.isWrite && !contract.reversible,
    )
    expect(irreversible.map(({ id, contract }) => [id, contract.approval?.expiresMs])).toEqual([
      ['travel.bookAccommodation', 300_000],
      ['travel.deleteTravelPlan', 300_000],
    ])
  })

  test('every error of the pack stands on the page', () => {
    const page = renderConformance()
    const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
      (file) => !/test|emulators/.test(file),
    )
    const codes = files.flatMap((file) =>
      [
        ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(
          /(?:source_code|sourceCode): '(\w+)'/g,
        ),
      ].map(([, code]) => code),
    )
    expect(codes.length).toBeGreaterThan(10)
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([])
  })

  test('the page about it is up to date', () => {
    const page = new URL('../../../docs/travel-conformance.md', import.meta.url)
    expect(readFileSync(page, 'utf8')).toBe(renderConformance())
  })
})
