import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULTS, environmentVariable, SETTING_NAMES, type SettingName } from './settings.ts'

const GUIDE = readFileSync(
  join(import.meta.dirname, '../../../../docs/guides/configure.md'),
  'utf8',
)

/** The rows of the guide's table of settings, as a reader sees them. */
function rows(): { readonly name: string; readonly variable: string; readonly comes: string }[] {
  const table = GUIDE.slice(
    GUIDE.indexOf('## Settings'),
    GUIDE.indexOf('## Write a configuration file'),
  )
  return [...table.matchAll(/^\| `(\w+)` \| `(\w+)` \| ([^|]+) \|/gm)].map(
    ([, name = '', variable = '', comes = '']) => ({
      name,
      variable,
      comes: comes.replaceAll('`', ''),
    }),
  )
}

function defaultOf(name: SettingName): string {
  const value = new Map<string, unknown>(Object.entries(DEFAULTS)).get(name) ?? '–'
  return Array.isArray(value) ? value.join() || 'none' : String(value)
}

test('the guide names every setting, its variable and its default, and no other', () => {
  expect(rows()).toEqual(
    SETTING_NAMES.map((name) => ({
      name,
      variable: environmentVariable(name),
      comes: defaultOf(name),
    })),
  )
})

test('every variable that the guides name is a setting, or one of another part', () => {
  const known = new Set([
    ...SETTING_NAMES.map(environmentVariable),
    ...['SUREHAND_CONFIG', 'SUREHAND_URL', 'SUREHAND_TOKEN', 'SUREHAND_PROFILE'],
    'SUREHAND_CODE_CACHE',
  ])
  const guides = ['configure', 'connect', 'deploy', 'backup', 'rotate-keys'].map((name) =>
    readFileSync(join(import.meta.dirname, `../../../../docs/guides/${name}.md`), 'utf8'),
  )
  const named = new Set(guides.flatMap((text) => text.match(/\bSUREHAND_[A-Z_]*[A-Z]\b/g) ?? []))
  expect([...named].filter((name) => !known.has(name))).toEqual([])
})
