/** What a child process may see. */
export type ChildEnvironmentForm = {
  /** Names of variables it is handed down; `PATH` always is, and nothing else unless it is named. */
  readonly inherit?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The same, and their values are never told again. */
  readonly secrets?: Readonly<Record<string, string>>
}

export type ChildEnvironment = {
  readonly variables: Readonly<Record<string, string>>
  /** The values nobody may read: those said to be secret, and those whose names sound like it. */
  readonly secrets: readonly string[]
}

// without it the command is not found; a home directory holds other people's credentials and has to be asked for
const ALWAYS = ['PATH']
const SOUNDS_SECRET =
  /token|secret|passw|passphrase|key|credential|auth|cookie|session|private|dsn/i

/** The whole environment of a child: what is named here, and not one variable more. */
export function childEnvironment(
  form: ChildEnvironmentForm,
  environment: Readonly<Record<string, string | undefined>>,
): ChildEnvironment {
  const names = new Set([...ALWAYS, ...(form.inherit ?? [])])
  const inherited = [...names].flatMap((name) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  const given = [...inherited, ...Object.entries(form.env ?? {})]
  const secrets = Object.entries(form.secrets ?? {})
  return {
    variables: Object.fromEntries([...given, ...secrets]),
    secrets: [...given.filter(([name]) => SOUNDS_SECRET.test(name)), ...secrets].map(
      ([, value]) => value,
    ),
  }
}
