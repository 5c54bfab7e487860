import { compareVersions } from '@surehand/core/internal'

export type Level = 'major' | 'minor' | 'patch' | 'none'

const RANK: readonly Level[] = ['none', 'patch', 'minor', 'major']

/** The least version that may follow, given what changed. */
export function bump(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  switch (level) {
    case 'major':
      return `${major + 1}.0.0`
    case 'minor':
      return `${major}.${minor + 1}.0`
    case 'patch':
      return `${major}.${minor}.${patch + 1}`
    case 'none':
      return version
  }
}

/** How large a step from one version to the next is; undefined when it is none forward. */
export function stepBetween(before: string, after: string): Level | undefined {
  if (compareVersions(after, before) <= 0) return undefined
  const [major, minor] = before.split('.')
  const [nextMajor, nextMinor] = after.split('.')
  if (major !== nextMajor) return 'major'
  return minor === nextMinor ? 'patch' : 'minor'
}

export function atLeast(step: Level, needed: Level): boolean {
  return RANK.indexOf(step) >= RANK.indexOf(needed)
}
