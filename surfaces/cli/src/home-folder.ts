import { homedir } from 'node:os'

/**
 * The person's home folder. A container may run as a number without a line in /etc/passwd, for which
 * `homedir` throws; such a user has none, and commands work without their profiles.
 */
export function homeFolder(
  env: Readonly<Record<string, string | undefined>>,
  ofUser: () => string = homedir,
): string | undefined {
  if (env.HOME) return env.HOME
  try {
    return ofUser()
  } catch {
    return undefined
  }
}
